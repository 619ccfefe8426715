#!/usr/bin/python3
"""Freezes the SDK of this tree as tests/abi/sdk_minor_<N>.tar.xz: its headers, plugins written against them, and the kernel's symbols.

freeze.py TRAMMEL KERNEL_LIBRARY SOURCE_DIR: run it once, when a minor version is released, before `sdk_minor` grows; the archive never changes
afterwards. The plugins are what `trammel new` writes, with their cases, and copies of some of ours under the vendor `old`, so that every
kind of component and the extensions beside them stand in the archive.
"""
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

GENERATED = [("integrator", "my_rk", []), ("integrator", "my_multistep", ["--flavour", "multistep"]), ("constraint", "my_constraint", []),
             ("constraint", "my_planar_constraint", ["--host", "planar"]), ("force", "my_force", []),
             ("formulation", "my_formulation", []), ("function", "my_function", []), ("system", "my_system", []),
             ("writer", "my_writer", []), ("linear_solver", "my_solver", []), ("analysis", "my_analysis", [])]
COPIED = ["integrators/generalized_alpha", "integrators/rosenbrock_nystrom", "formulations/coordinate_partitioning", "forces/actuator",
          "forces/stop", "constraints/impact", "constraints/angle_driver", "metrics/final_value", "systems/planar", "functions/spline",
          "analyses/quasi_static"]


def rename_types(source):
    """Our ids become old.<id>, so that both can be loaded beside each other."""
    start = source.find("TRAMMEL_PLUGIN(")
    if start < 0:
        return source
    head, table = source[:start], source[start:]
    table = re.sub(r'TRAMMEL_PLUGIN\(\s*"', 'TRAMMEL_PLUGIN("old.', table, count=1)
    return head + re.sub(r'(Host::\w+,\s*)"', r'\1"old.', table)


def copy_plugin(source, target):
    """Sources and cases of one of our plugins, with its types renamed in both."""
    target.mkdir(parents=True)
    types = []
    for file in sorted(source.iterdir()):
        if file.suffix in (".cpp", ".h"):
            text = rename_types(file.read_text())
            types += re.findall(r'Host::\w+,\s*"old\.(\w+)"', text)
            (target / file.name).write_text(text)
    uses = re.compile('"type": *"(' + "|".join(types) + ')"')
    for file in sorted(source.glob("cases/*")):
        (target / "cases").mkdir(exist_ok=True)
        (target / "cases" / file.name).write_text(uses.sub(r'"type": "old.\1"', file.read_text()))


def main():
    trammel, kernel, tree = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    minor = re.search(r"sdk_minor = (\d+);", (tree / "framework/include/trammel/plugin.h").read_text()).group(1)
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for headers in ("framework/include", "sdk/include"):
            for header in sorted((tree / headers).rglob("*.h")):
                target = root / "include" / header.relative_to(tree / headers)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(header.read_bytes())
        for kind, name, options in GENERATED:
            subprocess.run([trammel, "new", kind, f"old.{name}", "-o", str(root / "plugins" / name), *options],
                           check=True, stdout=subprocess.DEVNULL)
            for needless in ("CMakeLists.txt", ".gitignore", "README.md"):
                (root / "plugins" / name / needless).unlink()
        for path in COPIED:
            copy_plugin(tree / "plugins" / path, root / "plugins" / pathlib.Path(path).name)
        symbols = root / "kernel_symbols.ini"
        symbols.write_bytes((tree / "tests/abi/kernel_symbols.ini").read_bytes())
        subprocess.run(["abidw", "--no-corpus-path", "--no-elf-needed", "--suppressions", symbols, "--out-file", root / "kernel.abi", kernel],
                       check=True)
        archive = tree / "tests/abi" / f"sdk_minor_{minor}.tar.xz"
        with tarfile.open(archive, "w:xz") as tar:
            for file in sorted(p for p in root.rglob("*") if p.is_file()):
                info = tarfile.TarInfo(str(file.relative_to(root)))  # no times, no owners: the same tree, the same bytes
                info.size = file.stat().st_size
                with file.open("rb") as stream:
                    tar.addfile(info, stream)
        print(archive, archive.stat().st_size)


main()
