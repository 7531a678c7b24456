from __future__ import annotations

import contextlib
import fcntl
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
import unittest
from unittest import mock

from course import build, device, messages, sources


class Folder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name: str, text: str = "") -> str:
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path


class State(Folder):
    def test_current_until_an_input_changes(self) -> None:
        made, one, two = (self.write(name, name) for name in ("made", "one", "two"))
        self.assertFalse(device.is_current(made))
        device.note_made(made, [one, two, one], device.now(self.folder), "words")
        self.assertEqual(device.inputs_of(made), [one, two])
        self.assertTrue(device.is_current(made, "words"))
        self.assertFalse(device.is_current(made, "other words"))
        self.write("two", "longer")
        self.assertFalse(device.is_current(made, "words"))

    def test_same_size_another_time(self) -> None:
        made, one = self.write("made"), self.write("one", "1")
        device.note_made(made, [one], device.now(self.folder))
        os.utime(one, ns=(1, 1))
        self.assertFalse(device.is_current(made))

    def test_the_file_itself_counts(self) -> None:
        made, one = self.write("made", "whole"), self.write("one")
        device.note_made(made, [one], device.now(self.folder))
        self.write("made", "cut")
        self.assertFalse(device.is_current(made))

    def test_an_input_that_is_gone(self) -> None:
        made, one = self.write("made"), self.write("one")
        device.note_made(made, [one], device.now(self.folder))
        os.remove(one)
        self.assertFalse(device.is_current(made))

    def test_an_input_that_is_newer_than_the_begin(self) -> None:
        made, one = self.write("made"), self.write("one")
        begin = device.now(self.folder)
        device.note_made(made, [one], begin)
        self.assertTrue(device.is_current(made))
        os.utime(one, ns=(begin + 1, begin + 1))
        device.note_made(made, [one], begin)
        self.assertFalse(device.is_current(made))

    def test_another_compiler(self) -> None:
        made, one = self.write("made"), self.write("one")
        with mock.patch.dict(os.environ, {"CXX": "g++"}):
            device.note_made(made, [one], device.now(self.folder))
            self.assertTrue(device.is_current(made))
        with mock.patch.dict(os.environ, {"CXX": "ccache g++"}):
            self.assertFalse(device.is_current(made))


class Device(Folder):
    def test_the_runtime_is_built_once(self) -> None:
        calls: list[tuple[str, ...]] = []

        def bash(*words: str, captured: bool = False) -> str:
            calls.append(words)
            if words[0] == "build_device":
                os.makedirs(f"{self.folder}/device/race")
                self.write("device/race/libcpu_device.a")
            return ""
        source = self.write("source.cpp")
        with mock.patch.object(device, "BUILD", self.folder), \
                mock.patch.object(device, "bash", bash), \
                mock.patch.object(device, "device_files", lambda: [source]):
            device.build_runtime("race")
            device.build_runtime("race")
        self.assertEqual(calls, [("prepare_own_file",), ("build_device", "race")])

    def beside(self, script: str, current: str = "") -> contextlib.AbstractContextManager:
        """A RuntimeBeside whose build is that script; that kind is there."""
        self.calls: list[tuple[str, ...]] = []

        def start_bash(*words: str, own_session: bool = False) -> subprocess.Popen:
            self.calls.append(words)
            self.building = subprocess.Popen(["sh", "-c", script], start_new_session=own_session)
            return self.building
        source = self.write("source.cpp")
        for name, value in (("BUILD", self.folder), ("start_bash", start_bash),
                            ("bash", lambda *words: self.calls.append(words)),
                            ("device_files", lambda: [source])):
            patch = mock.patch.object(device, name, value)
            patch.start()
            self.addCleanup(patch.stop)
        for kind in ("cpu", "race"):
            os.makedirs(f"{self.folder}/device/{kind}")
            library = self.write(f"device/{kind}/libcpu_device.a")
            if kind == current:
                device.note_made(library, [source], device.now(self.folder))
        return device.RuntimeBeside("race")

    def test_the_runtime_beside(self) -> None:
        with self.beside("exit 0") as runtime:
            self.assertEqual(self.calls, [("prepare_own_file",), ("build_device", "rewrite"),
                                          ("build_device", "race")])
            library = f"{self.folder}/device/race/libcpu_device.a"
            self.assertFalse(device.is_current(library))
            runtime.wait()
            self.assertTrue(device.is_current(library))
        with device.RuntimeBeside("race") as runtime:
            runtime.wait()
        self.assertEqual(len(self.calls), 3)

    def test_the_runtime_beside_has_the_tool_of_another_kind(self) -> None:
        with self.beside("exit 0", current="cpu") as runtime:
            runtime.wait()
        self.assertEqual(self.calls, [("prepare_own_file",), ("build_device", "race")])

    def test_the_runtime_beside_fails(self) -> None:
        with self.assertRaises(messages.Stop) as stopped, self.beside("exit 3") as runtime:
            runtime.wait()
        self.assertEqual(stopped.exception.status, 3)
        self.assertFalse(device.is_current(f"{self.folder}/device/race/libcpu_device.a"))

    def test_the_runtime_beside_ends_with_the_caller(self) -> None:
        with self.assertRaises(KeyboardInterrupt), self.beside("sleep 60 & wait"):
            raise KeyboardInterrupt
        self.assertEqual(self.building.returncode, -signal.SIGTERM)

    def test_choose(self) -> None:
        with mock.patch.object(device, "bash", lambda *words, captured: "cuda"):
            with mock.patch.dict(os.environ, {"PRESET": ""}):
                with mock.patch.object(device, "find_nvcc", lambda: ""):
                    self.assertEqual(device.choose(), "cpu")
                with mock.patch.object(device, "find_nvcc", lambda: "/x/nvcc"):
                    self.assertEqual(device.choose(), "cuda")
            with mock.patch.dict(os.environ, {"PRESET": "cuda"}), \
                    mock.patch.object(device, "find_nvcc", lambda: ""):
                self.assertEqual(device.choose(), "cuda")

    def test_bash_speaks_the_language_of_the_command(self) -> None:
        say = ("in_words", "built", "built: %s, %s", "cpu", "12")
        with mock.patch.dict(os.environ, {"LC_ALL": "zh_CN.UTF-8"}):
            self.assertEqual(device.bash(*say, captured=True), "built: cpu, 12")
        self.addCleanup(messages.speak, "en")
        messages.speak("zh-CN")
        said = device.bash(*say, captured=True)
        self.assertNotIn("built", said)
        self.assertRegex(said, "cpu.*12")

    def test_each_sentence_of_bash_is_there_in_chinese(self) -> None:
        with open(f"{device.ROOT}/scripts/common.sh", encoding="ascii") as file:
            said = {key.strip("'"): text.count("%s") for key, text in re.findall(
                r"""in_words ('[^']+'|\w+) (?:\\\s+)?('[^']*'|"[^"]*")""", file.read())}
        with open(f"{device.ROOT}/scripts/course/words.zh-CN.sh", encoding="utf-8") as file:
            ours = {key: text.count("%s") for key, text in re.findall(
                r"^    \[([^\]]+)\]='([^']*)'$", file.read(), re.MULTILINE)}
        said["building device once"] = 1  # made of another one
        self.assertGreater(len(said), 8)
        self.assertEqual(ours, said)

    def test_functions_of_common_sh(self) -> None:
        self.assertEqual(device.bash("is_one_of", "a", "b", "a"), "")
        self.assertEqual(device.bash("echo", "a b", captured=True), "a b")
        with self.assertRaises(messages.Stop) as stopped:
            device.bash("is_one_of", "a", "b")
        self.assertEqual((stopped.exception.status, stopped.exception.sentence), (1, ""))

    def test_examples(self) -> None:
        self.assertEqual(device.EXAMPLES[0], "atomic_functions")
        for name in device.EXAMPLES:
            self.assertTrue(os.path.exists(f"{device.ROOT}/{name}/{name}.cu"), name)
        self.assertEqual(device.basics()[0], "01_threads")

    def test_device_files(self) -> None:
        files = [os.path.relpath(file, device.ROOT) for file in device.device_files()]
        self.assertIn("cpu_device/compile", files)
        self.assertIn("cpu_device/race/report.cpp", files)
        self.assertFalse([file for file in files if "/tests/" in file or file.endswith(".md")])

    def test_a_lock_is_waited_for(self) -> None:
        with mock.patch.object(device, "say") as say:
            with device.Lock(f"{self.folder}/a/b", "builds"):
                waiting = threading.Thread(target=self.take)
                waiting.start()
                while not say.called:
                    time.sleep(0.01)
                self.assertTrue(waiting.is_alive())
            waiting.join(20)
            self.assertFalse(waiting.is_alive())
        say.assert_called_once_with("waiting for another process that builds ...")

    def take(self) -> None:
        with device.Lock(f"{self.folder}/a/b", "builds"):
            pass


class Locks(Folder):
    def test_ends_although_a_child_has_a_copy(self) -> None:
        with device.Lock(f"{self.folder}/a", "builds"):
            child = os.fork()  # with a copy of the lock's descriptor
            if child == 0:
                signal.pause()
        try:
            with open(os.path.join(self.folder, "a.lock"), encoding="ascii") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # raises where it is held
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


class Programs(Folder):
    """Building with tools of the test: an object holds the words of its command."""

    def setUp(self) -> None:
        super().setUp()
        runtime = os.path.join(self.folder, "device", "race")
        os.makedirs(runtime)
        self.write("device/race/compiler", "/usr/bin/ccache\n\ng++\n")
        self.source, self.header = self.write("my file.cu"), self.write("header.h")
        self.calls: list[list[str]] = []
        self.status = 0
        for name, value in (("BUILD", self.folder), ("build_runtime", lambda kind: None),
                            ("device_files", lambda: [self.header])):
            patch = mock.patch.object(device, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def tool(self, command: list[str], cwd: str) -> int:
        self.calls.append(list(command))
        self.cwd = cwd
        if self.status == 0:
            with open(command[command.index("-o") + 1], "w", encoding="utf-8") as file:
                file.write(" ".join(command))
            if "-MF" in command:
                with open(command[command.index("-MF") + 1], "w", encoding="utf-8") as rule:
                    rule.write("o: my\\ file.cu \\\n " + self.header + "\n")
        return self.status

    def program(self, *options: str, words: tuple[str, ...] = ("my file.cu",)) -> build.Program:
        asked = sources.Words()
        asked.sources = list(words)
        asked.options = list(options)
        return build.Program(asked, "race", self.folder)

    def test_builds_once(self) -> None:
        path = self.program().build(self.tool)
        self.assertEqual(os.path.basename(path), "my_file")
        self.assertEqual(len(self.calls), 2)
        self.assertEqual(self.cwd, self.folder)
        self.assertEqual(self.program().build(self.tool), path)
        self.assertEqual(len(self.calls), 2)
        self.write("header.h", "changed")
        self.program().build(self.tool)
        self.assertEqual(len(self.calls), 4)

    def test_the_lock_stands_beside_the_folder(self) -> None:
        """Also where build/ is a link, and the folder is the caller's own."""
        os.makedirs(f"{self.folder}/disk/deep/build")
        os.symlink(f"{self.folder}/disk/deep/build", f"{self.folder}/link")
        with mock.patch.object(device, "BUILD", f"{self.folder}/link"), \
                mock.patch.object(device, "runtime_folder", lambda kind:
                                  f"{self.folder}/device/race"):
            asked = self.program().words
            folder = f"{self.folder}/mine/program"
            build.Program(asked, "race", self.folder, folder).build(self.tool)
        self.assertEqual(sorted(name for name in os.listdir(f"{self.folder}/mine")),
                         ["program", "program.lock"])

    def test_other_options_are_another_program(self) -> None:
        one = self.program().build(self.tool)
        two = self.program("-DX").build(self.tool)
        self.assertNotEqual(one, two)
        self.assertIn("-DX", self.calls[2])

    def test_commands(self) -> None:
        with mock.patch.object(build, "say") as say:
            self.program("-std=c++20", "-Xcompiler=-Wall,-g", "-std=c++14").build(self.tool)
        say.assert_called_once_with("ignored, since C++17 is needed here: -std=c++14")
        compiling, linking = self.calls
        begin = compiling.index("/usr/bin/ccache")
        self.assertEqual(compiling[begin:begin + 5],
                         ["/usr/bin/ccache", "g++", "-std=gnu++17", "-O1", "-fcaller-saves"])
        self.assertEqual(compiling[begin + 5:begin + 8], ["-std=c++20", "-Wall", "-g"])
        self.assertEqual(compiling[begin + 8], f"@{self.folder}/device/race/cu_flags")
        self.assertEqual(linking[:2], ["/usr/bin/ccache", "g++"])
        self.assertTrue(linking[-1].endswith("/link_flags"))

    def test_the_libraries_are_built_for_those_who_call_them(self) -> None:
        asked: list[bool] = []

        def build_runtime(kind: str, libraries: bool = False) -> None:
            self.assertEqual(kind, "race")
            asked.append(libraries)
        with mock.patch.object(device, "build_runtime", build_runtime):
            self.program().build(self.tool)
            self.assertEqual(asked, [False])
            self.assertEqual([word for word in self.calls[-1] if "library_flags" in word], [])
            self.header = build.LIBRARY_HEADERS[0]
            self.program("-DX").build(self.tool)
        self.assertEqual(asked, [False, False, True])
        flags = f"@{self.folder}/device/race/"
        self.assertEqual(self.calls[-1][-2:], [f"{flags}library_flags", f"{flags}link_flags"])

    def test_kernels_come_first_and_cuda_libraries_are_left_out(self) -> None:
        self.write("b.cpp")
        program = self.program(words=("b.cpp", "my file.cu"))
        program.words.libraries = ["-lcublas", "-lm", "-lcudart"]
        program.build(self.tool)
        linking = self.calls[-1]
        self.assertLess(linking.index(f"{program.folder}/1.o"),
                        linking.index(f"{program.folder}/0.o"))
        self.assertIn("-lm", linking)
        self.assertNotIn("-lcublas", linking)
        self.assertNotIn("-lcudart", linking)
        self.assertIn("host", self.calls[0])  # a .cpp file is compiled as it is
        self.assertNotIn("host", self.calls[1])

    def test_with_a_library_it_is_linked_each_time(self) -> None:
        for _ in range(2):
            program = self.program()
            program.words.libraries = ["-lm"]
            program.build(self.tool)
        self.assertEqual([("-c" in call) for call in self.calls], [True, False, False])

    def test_what_fails(self) -> None:
        self.status = 1
        with self.assertRaises(messages.Stop) as stopped:
            self.program().build(self.tool)
        self.assertEqual(stopped.exception.status, 1)
        self.assertEqual(stopped.exception.key, "does not compile")
        self.assertEqual(stopped.exception.sentence, "my file.cu does not compile: see above")

    def test_ended_by_a_signal(self) -> None:
        for status, expected in ((-2, 130), (130, 130), (-15, 143), (143, 143), (129, 129)):
            self.status = status
            with self.assertRaises(messages.Stop) as stopped:
                self.program().build(self.tool)
            self.assertEqual(stopped.exception.status, expected)
            self.assertEqual(stopped.exception.sentence, "")

    def test_names(self) -> None:
        for source, name in ((".cu", "program"), ("a b.cu", "a_b"), ("\u00dc.cu", "_"),
                             ("x" * 200 + ".cu", "x" * 100)):
            self.assertEqual(os.path.basename(self.program(words=(source,)).path), name)

    def test_checks_of_exercises_and_the_harness_are_shared(self) -> None:
        for source, name in (("exercises/12_lost_update/check", "12_lost_update-check"),
                             ("harness/harness", "harness")):
            self.calls = []
            self.program(words=("my file.cu", f"{device.ROOT}/{source}.cpp")).build(self.tool)
            made = self.calls[1][self.calls[1].index("-o") + 1]
            self.assertTrue(made.startswith(f"{self.folder}/own/race/{name}-"), made)

    def test_a_long_program_is_compiled_beside_the_device(self) -> None:
        test = self

        class Runtime:
            linked = 0

            def __init__(self, kind: str) -> None:
                test.assertEqual(kind, "race")

            def __enter__(self) -> Runtime:
                return self

            def wait(self) -> None:
                compiling = ["-c" in call for call in test.calls]
                test.assertEqual(compiling, [True, False][:1 + Runtime.linked])
                Runtime.linked = 1

            def __exit__(self, *error: object) -> None:
                pass
        with mock.patch.object(device, "RuntimeBeside", Runtime):
            program = self.program()
            program.long = True
            program.build(self.tool)
        self.assertEqual((len(self.calls), Runtime.linked), (2, 1))

    def test_nvcc(self) -> None:
        def flags(*options: str, gpu: bool = True) -> list[str]:
            words = sources.Words()
            words.options = list(options)
            words.nvcc_only = ["-lineinfo"]
            words.libraries = ["-lcublas"]
            with mock.patch.object(device, "find_nvcc", lambda: "/x/nvcc"), \
                    mock.patch.object(device, "have_gpu", lambda: gpu):
                commands = build._nvcc(words)
            self.assertEqual(commands.libraries, ["-lcublas"])
            self.assertEqual(commands.compile_cu[-1], "-I" + device.ROOT)
            self.assertEqual(commands.link, commands.compile_cu[:-1])
            return commands.link
        self.assertEqual(flags(), ["/x/nvcc", "-lineinfo", "-arch=native", "-std=c++17", "-O3"])
        self.assertEqual(flags("-std=c++20", "-O1", "-arch=sm_80"),
                         ["/x/nvcc", "-std=c++20", "-O1", "-arch=sm_80", "-lineinfo"])
        self.assertNotIn("-arch=native", flags("-gencode=x"))
        self.assertNotIn("-arch=native", flags(gpu=False))
        with mock.patch.object(device, "find_nvcc", lambda: ""), \
                self.assertRaises(messages.Stop) as stopped:
            build._nvcc(sources.Words())
        self.assertEqual(stopped.exception.key, "no nvcc")

    def test_rule_of_make(self) -> None:
        rule = self.write("rule", "o: a\\ b.cu c$$.h \\\n d\\#.h\n")
        self.assertEqual(build._names_in(rule), ["a b.cu", "c$.h", "d#.h"])


if __name__ == "__main__":
    unittest.main()
