"""scripts/run: builds examples and programs of one's own, and runs them."""
from __future__ import annotations

import os
import signal
import time

from course import build, device, messages, sources
from course.command import become
from course.messages import fail, say, text, wrong_usage

ABORTED = 6
LIKELY_ERRORS = {4: "ILL", ABORTED: "ABRT", 7: "BUS", 8: "FPE", 11: "SEGV"}


def main(words: list[str]) -> int:
    messages.speak(messages.language_of_the_locale())
    basics = device.basics() if not words or not sources.is_own(words[0]) else []
    if not words:
        return run_all([*basics, *device.EXAMPLES])
    name = words[0]
    lesson = name in device.EXAMPLES and not any(word.startswith("-") for word in words)
    if name in basics:
        return run_own([f"basics/{name}.cu", *words[1:]], built_in=device.ROOT,
                       run_in=device.ROOT)
    if lesson:  # built from the root, so that its program is the same one from all folders
        return run_own([f"{name}/{name}.cu", "--", *words[1:]], built_in=device.ROOT,
                       run_in=os.getcwd())
    if sources.is_own(name):
        return run_own(words, built_in=os.getcwd(), run_in=os.getcwd())
    if name not in device.EXAMPLES:
        wrong_usage("no example", name=name, names=" ".join([*basics, *device.EXAMPLES]))
    programs = device.build_preset(device.choose(), name)
    become([os.path.join(programs, name), *words[1:]])


def run_own(given: list[str], built_in: str, run_in: str) -> int:
    """Builds the program from the folder `built_in`, and runs it in `run_in`."""
    os.chdir(built_in)
    words = sources.read_words("run", given)
    kind = words.device or device.choose()
    program = build.Program(words, kind, built_in).build()
    os.chdir(run_in)
    if kind == "asan":
        os.environ.setdefault("ASAN_OPTIONS", "detect_leaks=0")
    command = [program, *words.arguments]
    if kind != "cpu":
        become(command)
    status = _wait_for(command)
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if number in LIKELY_ERRORS:
        from shlex import join
        call = " " + join([*words.sources, *words.arguments])
        say(text("ended by a signal", signal=LIKELY_ERRORS[number]))
        if number == ABORTED:
            say(text("after a deadlock", call=call))
        say(text("under asan", call=call))
    return 128 + number if number else os.WEXITSTATUS(status)


def _wait_for(command: list[str]) -> int:
    """The status of os.waitpid(). Where this command is ended, so is the program."""
    path = os.environ.get("PATH", os.defpath).split(os.pathsep)
    ending = next((f"{folder}/setpriv" for folder in path
                   if os.access(f"{folder}/setpriv", os.X_OK)), "")
    if ending:
        command = [ending, "--pdeathsig", "TERM", "--", *command]
    try:
        # Of Python's own settings the program gets none: see become().
        child = os.posix_spawn(command[0], command, os.environ, setsigdef=[signal.SIGPIPE])
    except OSError as error:
        fail("cannot start", program=command[0], why=error.strerror)
    while True:
        try:
            return os.waitpid(child, 0)[1]
        except KeyboardInterrupt:  # Ctrl-C is the program's, too
            continue


def run_all(names: list[str]) -> int:
    import subprocess
    preset = device.choose()
    programs = device.build_preset(preset, *names)
    failed = []
    os.chdir(os.path.dirname(programs))
    for name in names:
        print(f"\n=== {name}", flush=True)
        begin = time.monotonic()
        if subprocess.call([f"bin/{name}"]) != 0:
            failed.append(name)
        print(f"({name}: {time.monotonic() - begin:.0f} s)", flush=True)
    print()
    if failed:
        fail("some failed", names=" ".join(failed))
    print(text("all ran", basics=len(names) - len(device.EXAMPLES),
               examples=len(device.EXAMPLES), preset=preset))
    return 0
