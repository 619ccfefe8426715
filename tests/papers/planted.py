#!/usr/bin/env python3
"""Rows of docs/papers.md are not weak: an error of 1 %, or of one order, planted in a copy of a method, turns them red.

planted.py BUILD [WORD ...] [--write]   only plants whose method has one of the words; --write records the outcome in
                                        planted.json beside this file, from which the page takes it; others stay

Each plant compiles the plugin with a text of its sources replaced, puts it into a copy of BUILD's bin and lib, and
runs studies that judge rows. The copy without any error, compiled the same way, has to stay green.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "scripts"))
from paper_figures import figures_of_study  # noqa: E402
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

    def compile(self, plugin, file=None, replace=()):
        """Compiles the plugin ("integrators/adams"), texts in `file` replaced, in place of the build's."""
        sources = self.folder / "source"
        shutil.rmtree(sources, ignore_errors=True)
        for part in ("plugins/" + plugin, "sdk/include"):
            shutil.copytree(SOURCE / part, sources / part)
        for old, new in replace:
            text = (sources / file).read_text()
            if text.count(old) != 1:
                raise SystemExit(f"{file} has {old!r} {text.count(old)} times")
            (sources / file).write_text(text.replace(old, new))
        library = self.folder / "lib" / "trammel" / "plugins" / (plugin.split("/")[1] + ".so")
        library.unlink()
        includes = [f"-I{sources / 'sdk' / 'include'}", f"-I{SOURCE / 'framework' / 'include'}"]
        for folder in include_folders(self.build):
            includes += ["-isystem", folder]
        link = [f"-Wl,--version-script={SOURCE / 'sdk' / 'cmake' / 'plugin_exports.map'}", "-Wl,--build-id=sha1"]
        files = sorted((sources / "plugins" / plugin).glob("*.cpp"))
        subprocess.run(["c++", *FLAGS, *includes, *files, *link, "-o", library], check=True)
        subprocess.run([self.folder / "bin" / "trammel-sidecar", library], check=True)

    def figures(self, study, row):
        out = self.folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        command = [self.folder / "bin" / "trammel", "study", SOURCE / study, "--quiet", "--no-timing", "-o", out]
        run = subprocess.run(command, capture_output=True, text=True, env=self.environment)
        if run.returncode not in (0, 4):
            raise SystemExit(f"{study}: exit code {run.returncode}: {run.stderr}")
        figures = figures_of_study(study, out / "study.json")[0]
        return [f for f in figures if f["row"] == row and f["verdict"] != "shown"]

    def restore(self, plugin):
        for suffix in (".so", ".trammel.json"):
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
    with tempfile.TemporaryDirectory(prefix="trammel_planted_") as folder:
        tree = Tree(options.build.resolve(), pathlib.Path(folder))
        control = chosen[0]
        tree.compile(control["plugin"])
        for row, study in control["rows"].items():
            if any(f["verdict"] != "holds" for f in tree.figures(study, row)):
                raise SystemExit(f"{row} is red without any error")
        for plant in chosen:
            tree.compile(plant["plugin"], plant["file"], plant["replace"])
            for row, study in plant["rows"].items():
                figures = tree.figures(study, row)
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
        methods = [plant["method"] for plant in chosen]
        record += [entry for entry in before if entry["method"] not in methods]
        order = [plant["method"] for plant in PLANTS]
        record.sort(key=lambda entry: order.index(entry["method"]))
        lines = ",\n".join("    " + json.dumps(entry, ensure_ascii=False) for entry in record)
        RECORD.write_text('{\n  "about": "Outcome of planted.py, for the end of docs/papers.md.",\n  "planted": [\n'
                          f"{lines}\n  ]\n}}\n")
    sys.exit(f"weak: {', '.join(weak)}" if weak else 0)


main()
