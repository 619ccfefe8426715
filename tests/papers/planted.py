#!/usr/bin/env python3
"""Rows of docs/papers.md are not weak: an error of 1 %, or of one order, planted in a copy of a method, turns them red.

planted.py BUILD [WORD ...] [--write]   only plants whose method has one of the words; --write records the outcome in
                                        planted.json beside this file, from which the page takes it; others stay

Each plant compiles the plugin with a text of its sources replaced, puts it into a copy of BUILD's bin and lib, and
runs what judges the rows: a study, a test program of BUILD ("program adams"), which then finds the copy's plugins, or a
test that needs no more than the SDK's headers ("source tests/...cpp"). The copy without any error, compiled the same
way, has to stay green.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "scripts"))
from paper_figures import figures_of_study, figures_of_test  # noqa: E402
from paper_page import independent_text  # noqa: E402

RECORD = pathlib.Path(__file__).with_name("planted.json")
FLAGS = ("-O2 -DNDEBUG -fPIC -shared -fvisibility=hidden -fvisibility-inlines-hidden -fno-math-errno "
         "-ffp-contract=fast -std=c++20 -DEIGEN_MALLOC_ALREADY_ALIGNED=0 -DEIGEN_MAX_ALIGN_BYTES=16").split()
PLANTS = json.loads(pathlib.Path(__file__).with_name("plants.json").read_text())["plants"]


def include_folders(build):
    """Where the build found Eigen."""
    for line in (build / "CMakeCache.txt").read_text().splitlines() if (build / "CMakeCache.txt").exists() else []:
        if line.startswith("Eigen3_INCLUDE_DIR:") or line.startswith("EIGEN3_INCLUDE_DIR:"):
            return [line.split("=")[1]]
    return ["/usr/include/eigen3"]


class Tree:
    """A copy of the build's bin and lib, and of the sources that plants change."""

    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        # The copied executable would find the build's library, and beside it the build's plugins.
        self.environment = {**os.environ, "LD_LIBRARY_PATH": str(folder / "lib")}
        for part in ("bin", "lib"):
            shutil.copytree(build / part, folder / part, symlinks=True)

    def plant(self, plugin, file=None, replace=()):
        """Copies the plugin's ("integrators/adams") and the SDK's sources, with texts in `file` replaced."""
        self.sources = self.folder / "source"
        shutil.rmtree(self.sources, ignore_errors=True)
        for part in (["plugins/" + plugin] if plugin else []) + ["sdk/include"]:
            shutil.copytree(SOURCE / part, self.sources / part)
        for old, new in replace:
            text = (self.sources / file).read_text()
            if text.count(old) != 1:
                raise SystemExit(f"{file} has {old!r} {text.count(old)} times")
            (self.sources / file).write_text(text.replace(old, new))
        self.includes = [f"-I{self.sources / 'sdk' / 'include'}", f"-I{SOURCE / 'framework' / 'include'}"]
        for folder in include_folders(self.build):
            self.includes += ["-isystem", folder]

    def compile(self, plugin, file=None, replace=()):
        """Compiles the plugin in place of the build's."""
        self.plant(plugin, file, replace)
        if not plugin:
            return
        library = self.folder / "lib" / "trammel" / "plugins" / (plugin.split("/")[1] + ".so")
        library.unlink()
        link = [f"-Wl,--version-script={SOURCE / 'sdk' / 'cmake' / 'plugin_exports.map'}", "-Wl,--build-id=sha1"]
        files = sorted((self.sources / "plugins" / plugin).glob("*.cpp"))
        subprocess.run(["c++", *FLAGS, *self.includes, *files, *link, "-o", library], check=True)
        subprocess.run([self.folder / "bin" / "trammel-sidecar", library], check=True)

    def figures(self, judge):
        """All judged figures of a study, of a test program or of a test's source."""
        word, space, name = judge.partition(" ")
        if space:
            program = self.built(SOURCE / name) if word == "source" else self.program(name)
            run = subprocess.run([program, "--test-suite=papers"], capture_output=True, text=True, env=self.environment)
            figures = figures_of_test(run.stdout)
            if not figures:
                raise SystemExit(f"{judge}: exit code {run.returncode}: {run.stderr}")
        else:
            out = self.folder / "out"
            shutil.rmtree(out, ignore_errors=True)
            command = [self.folder / "bin" / "trammel", "study", SOURCE / judge, "--quiet", "--no-timing", "-o", out]
            run = subprocess.run(command, capture_output=True, text=True, env=self.environment)
            if run.returncode not in (0, 4):
                raise SystemExit(f"{judge}: exit code {run.returncode}: {run.stderr}")
            figures = figures_of_study(judge, out / "study.json")
        return [f for f in figures if f["verdict"] != "shown"]

    def program(self, name):
        """A copy of a test program that finds this tree's plugins where it names the build's: its folder is in its texts."""
        text = (self.build / "tests" / f"test_{name}").read_bytes()
        build = re.search(rb"\0((?:/[^\0/]+)+)/lib\0", text)[1]
        folder = str(self.folder).encode()
        if len(folder) > len(build):
            raise SystemExit(f"{self.folder} is a longer path than {build.decode()}: TMPDIR sets a shorter one")
        program = self.folder / f"test_{name}"
        program.write_bytes(re.sub(re.escape(build) + rb"(?=/lib|\0)", folder.ljust(len(build), b"/"), text))
        program.chmod(0o755)
        return program

    def built(self, file):
        """A test of the SDK's headers, compiled with the planted ones."""
        program = self.folder / file.stem
        subprocess.run(["c++", "-O0", "-std=c++20", *self.includes, f"-I{SOURCE / 'tests' / 'support'}", file,
                        SOURCE / "tests" / "test_main.cpp", "-o", program], check=True)
        return program

    def restore(self, plugin):
        for suffix in (".so", ".trammel.json") if plugin else ():
            name = "lib/trammel/plugins/" + plugin.split("/")[1] + suffix
            shutil.copy2(self.build / name, self.folder / name)


def shown(value):
    return "none: the run fails" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    chosen = [p for p in PLANTS if not options.words or any(word in p["method"] for word in options.words)]
    record, weak = [], []
    with tempfile.TemporaryDirectory(prefix="tp") as folder:
        tree = Tree(options.build.resolve(), pathlib.Path(folder))
        for judge in dict.fromkeys(chosen[0]["rows"].values()):
            tree.compile(chosen[0]["plugin"])
            if any(f["verdict"] != "holds" for f in tree.figures(judge) if f["row"] in chosen[0]["rows"]):
                raise SystemExit(f"{judge} is red without any error")
        for plant in chosen:
            tree.compile(plant["plugin"], plant.get("file"), plant["replace"])
            by_judge = {judge: tree.figures(judge) for judge in dict.fromkeys(plant["rows"].values())}
            for row, judge in plant["rows"].items():
                figures = [f for f in by_judge[judge] if f["row"] == row]
                red = [f for f in figures if f["verdict"] == "fails"]
                print(f"{row}: {plant['error']} in {plant['method']}: {len(red)} of {len(figures)} fail", flush=True)
                if not red:
                    weak.append(f"{row} ({plant['error']} in {plant['method']})")
                    continue
                record.append({"method": plant["method"], "error": plant["error"], "row": row, "what": red[0]["what"],
                               "failing": f"{len(red)} of {len(figures)}", "obtained": shown(red[0]["obtained"]),
                               "expected": independent_text(red[0])})
            tree.restore(plant["plugin"])
    if options.write:
        before = json.loads(RECORD.read_text())["planted"] if RECORD.exists() else []
        tried = {(plant["method"], plant["error"]) for plant in chosen}
        record += [entry for entry in before if (entry["method"], entry["error"]) not in tried]
        order = [(plant["method"], plant["error"]) for plant in PLANTS]
        record = [entry for entry in record if (entry["method"], entry["error"]) in order]
        record.sort(key=lambda entry: order.index((entry["method"], entry["error"])))
        lines = ",\n".join("    " + json.dumps(entry, ensure_ascii=False) for entry in record)
        RECORD.write_text('{\n  "about": "Outcome of planted.py, for the end of docs/papers.md.",\n  "planted": [\n'
                          f"{lines}\n  ]\n}}\n")
    sys.exit(f"weak: {', '.join(weak)}" if weak else 0)


main()
