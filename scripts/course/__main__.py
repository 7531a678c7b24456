"""The start of a command: __main__.py run|race|learn|annotate WORDS..."""
import os
import sys

if sys.version_info < (3, 10):
    sys.exit("Python %d.%d is too old: 3.10 or newer is needed, as Debian 12 and Ubuntu 24.04 have "
             "it" % sys.version_info[:2])
sys.path[:0] = [os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]

from course import command  # noqa: E402

sys.exit(command.status_of(sys.argv[1], sys.argv[2:]))
