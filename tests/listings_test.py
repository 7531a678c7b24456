#!/usr/bin/env python3
"""scripts/note_checks/listings.py and quotes.py: a typed listing is found, however it is marked and
wherever it stands; commands, drawings and samples are none."""
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
from note_checks import listings, quotes  # noqa: E402

OUTPUT = "scan   3.14 ms   ok\n"
REPORT = "DATA RACE in kernel count, launched at a.cu:3\n"
TYPED = (
    f"```\n{OUTPUT}```", f"```text\n{OUTPUT}```", f"```text\n{REPORT}```", f"```sh\n{OUTPUT}```",
    f"~~~\n{OUTPUT}~~~", f"<pre>\n{OUTPUT}</pre>", f"Words:\n\n    {OUTPUT}", f"    {REPORT}",
    "```json\n{}\n```", "```sh\nscripts/run scan\nsum 12\n```", "    found with 5 of 8 seeds",
    "```console\n$ scripts/run scan\nsum 12\n```")
NOT_TYPED = (
    f"<!-- run: scan -->\n```\n{OUTPUT}```", "```sh\nscripts/run scan  # a sum\n```",
    "    # a comment\n    A=1 B=2 build/race/bin/scan \\\n        --n 3", "```text\n a --> b 12\n```",
    "```py sketch\nx = 3.5 ms\n```", "    cmake --preset cpu\n\n    ctest -R scan",
    "1. A list:\n   scripts/run", "```cpp\nint a;\n```")


class Listings(unittest.TestCase):
    def check(self, name: str, text: str, module=listings) -> tuple[bool, str]:
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / name
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(text + "\n", encoding="utf-8")
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                holds = module.check(pathlib.Path(folder), [])
        return holds, said.getvalue()

    def test_each_typed_one_is_counted(self):
        for name in ("README.md", "scan/README.md", "docs/found/x/more.md"):
            for text in TYPED:
                with self.subTest(name=name, text=text):
                    self.assertIn("1 of them typed", self.check(name, f"# A\n\n{text}\n")[1])

    def test_the_others_are_not(self):
        for text in NOT_TYPED:
            with self.subTest(text=text):
                self.assertIn(" 0 of them typed", self.check("a.md", f"# A\n\n{text}\n")[1])

    def test_hints_have_steps_in_words(self):
        text = "# A\n\n    while (the lock is taken) {\n    }\n"
        self.assertIn(" 0 of them typed", self.check("x/hints.md", text)[1])
        self.assertIn(" 1 of them typed", self.check("x/README.md", text)[1])

    def test_a_quotation_of_nothing_is_found_on_each_page(self):
        for name in ("README.md", "scan/README.md", "docs/found/README.md", "x/y/hints.md"):
            with self.subTest(name=name):
                holds, said = self.check(name, "# A\n\n```cpp\nint nowhere;\n```\n", quotes)
                self.assertFalse(holds)
                self.assertIn(f"{name}:4: not in ", said)


if __name__ == "__main__":
    unittest.main()
