"""The guide's code blocks: written, built and run page by page in empty folders, against an installed tree.

Arguments: TRAMMEL BUILD_FOLDER [unittest arguments]

A fenced block of a page says what it is behind its language; one that says nothing else fails the test:

    ```cpp file=hill.cpp      is written to that file
    ```cpp in=hill.cpp        is an excerpt: it must stand in that file, blanks apart, when the page has been run
    ```sh run                 is run in the page's folder; `exit=4` if it is to fail that way
    ```text output            is what the run block before it printed. `...` stands for any text, on a line of its own for
                              any lines; numbers with a point agree to one unit of the last digit shown
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import support

BUILD = pathlib.Path(sys.argv.pop(1))
GUIDE = support.SOURCE / "sdk" / "guide"
PAGES = sorted(GUIDE.glob("*.md"))
FENCE = re.compile(r"^(`{3,})(.*?)\n(.*?)^\1`*\s*?$", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?")


class Fault(Exception):
    """What is wrong with a page, with its name and line."""


def blocks_of(text, name):
    """(line, language, words, content) of every fenced block; refuses code that no test would see."""
    blocks = [(text.count("\n", 0, match.start()) + 1, *(match[2].split() or [""])[:1], match[2].split()[1:], match[3])
              for match in FENCE.finditer(text)]
    rest = FENCE.sub(lambda match: "\n" * match[0].count("\n"), text)
    for number, line in enumerate(rest.split("\n"), 1):
        if line.startswith(("    ", "\t", "```", "~~~")):
            raise Fault(f"{name}:{number}: code outside a fenced block: no test sees it")
    return blocks


def same(expected, actual):
    """Whether a printed text is the one shown; see the head of this file."""
    pattern, numbers = "", []
    for line in expected.rstrip("\n").split("\n"):
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
            continue
        for part in re.split(r"(\.\.\.|-?\d+\.\d+(?:e[+-]?\d+)?)", line):
            if part == "...":
                pattern += ".*?"
            elif NUMBER.fullmatch(part):
                numbers.append(part)
                pattern += r"(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)"
            else:
                pattern += re.escape(part)
        pattern += r"[ \t]*\n"
    match = re.fullmatch(pattern, actual.rstrip("\n") + "\n")
    return match is not None and all(close(shown, found) for shown, found in zip(numbers, match.groups()))


def close(shown, found):
    digits, _, exponent = shown.partition("e")
    unit = 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))
    return abs(float(shown) - float(found)) <= 1.001 * unit


def run_page(text, name, prefix):
    """Runs a page from top to bottom in an empty folder. Raises Fault."""
    environment = dict(os.environ, PATH=f"{prefix / 'bin'}:{os.environ['PATH']}", CMAKE_PREFIX_PATH=str(prefix),
                       CMAKE_GENERATOR="Ninja", CMAKE_BUILD_PARALLEL_LEVEL="1")
    environment.pop("TRAMMEL_PLUGIN_PATH", None)
    with tempfile.TemporaryDirectory(prefix="trammel_guide_") as holder:
        folder, printed, excerpts = pathlib.Path(holder), None, []
        for line, language, words, content in blocks_of(text, name):
            where = f"{name}:{line}"
            match words:
                case [word] if word.startswith("file="):
                    file = folder / word[5:]
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_text(content)
                case [word] if word.startswith("in="):
                    excerpts.append((where, word[3:], content))
                case ["run", *rest] if language == "sh":
                    code = int(rest[0].removeprefix("exit=")) if rest else 0
                    result = subprocess.run(["sh", "-eu"], input=content, cwd=folder, env=environment, text=True,
                                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=250)
                    printed = result.stdout
                    if result.returncode != code:
                        raise Fault(f"{where}: exit code {result.returncode} instead of {code}\n{printed}")
                case ["output"] if printed is not None:
                    if not same(content, printed):
                        raise Fault(f"{where}: this was printed instead:\n{printed}")
                    printed = None
                case _:
                    raise Fault(f"{where}: a block must be file=, in=, run, or the output of a run; this is '{language}'")
        for where, file, content in excerpts:
            if " ".join(content.split()) not in " ".join((folder / file).read_text().split()):
                raise Fault(f"{where}: this does not stand in {file}")


class Guide(unittest.TestCase):
    """One test per page, added below."""

    @classmethod
    def setUpClass(cls):
        prefix = support.install(BUILD)
        pool = concurrent.futures.ThreadPoolExecutor(2)
        cls.addClassCleanup(pool.shutdown, cancel_futures=True)
        wanted = [page for page in PAGES if not ONLY or page.stem in ONLY]
        cls.runs = {page.stem: pool.submit(run_page, page.read_text(), page.name, prefix) for page in wanted}

    def page(self, stem):
        fault = self.runs[stem].exception()
        if isinstance(fault, Fault):
            self.fail(str(fault))
        self.runs[stem].result()


ONLY = {argument.removeprefix("Guide.test_") for argument in sys.argv[1:] if argument.startswith("Guide.test_")}
for at in PAGES:
    setattr(Guide, f"test_{at.stem}", lambda self, stem=at.stem: self.page(stem))


class Convention(unittest.TestCase):
    """The test itself can fail."""

    def fault(self, text):
        with self.assertRaises(Fault) as caught:
            run_page(text, "page.md", pathlib.Path("/nowhere"))
        return str(caught.exception)

    def test_untested_code(self):
        self.assertIn("page.md:1: a block must be", self.fault("```cpp\nint i;\n```\n"))
        self.assertIn("page.md:1: a block must be", self.fault("```text output\nnothing ran\n```\n"))
        self.assertIn("page.md:2: code outside", self.fault("Text.\n    int i;\n"))

    def test_wrong_output(self):
        self.assertIn("printed instead:\none", self.fault("```sh run\necho one\n```\n\n```text output\ntwo\n```\n"))
        self.assertIn("exit code 3 instead of 0", self.fault("```sh run\nexit 3\n```\n"))
        self.assertIn("does not stand in a.txt", self.fault("```text file=a.txt\na b\n```\n\n```text in=a.txt\nb a\n```\n"))

    def test_comparison(self):
        self.assertTrue(same("a\n...\nb ... d\n", "a\n1\n2\nb c d\n"))
        self.assertTrue(same("x = 1.25, y\n", "x = 1.2549, y\n"))
        self.assertFalse(same("x = 1.25\n", "x = 1.27\n"))
        self.assertFalse(same("a\n...\nb\n", "a\nc\n"))

    def test_index_names_every_page(self):
        index = (GUIDE / "index.md").read_text()
        self.assertEqual([page.name for page in PAGES if f"({page.name})" not in index and page.stem != "index"], [])


support.main()
