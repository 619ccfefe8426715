"""Makes a wheel of a finished build: wheel_tree.py BUILD_FOLDER FOLDER. Called by scripts/wheel.

The wheel's package `trammel` is an installed tree (bin, lib, include, share) with the Python package at its top. Shared
libraries that are neither in the tree nor on every system (those of PEP 600: glibc and the C++ runtime) are copied into
lib/bundled, each with the licence of its Debian package. There they have names of their own, so that a process in which
another package has loaded the same library in another version keeps both; every file finds them from where it lies.
"""
import hashlib
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[1]
EVERYWHERE = re.compile(r"(ld-linux.*|linux-vdso|lib(c|m|dl|rt|pthread|resolv|util|stdc\+\+|gcc_s))\.so.*")
METADATA = """Metadata-Version: 2.1
Name: trammel
Version: {version}
Summary: Multibody dynamics and differential-algebraic equations, every part a plugin
License: BSD-3-Clause
Requires-Python: >=3.9
Provides-Extra: numpy
Requires-Dist: numpy ; extra == 'numpy'
Description-Content-Type: text/markdown

{description}
"""
# The programs of the tree as scripts of the environment: a module beside the package, so that they start without loading it.
COMMAND = '''"""Starts the programs of the package trammel."""
import os
import pathlib
import sys


def _become(name):
    program = pathlib.Path(__file__).parent / "trammel" / "bin" / name
    os.execv(program, [str(program), *sys.argv[1:]])


def trammel():
    _become("trammel")


def trammel_sidecar():
    _become("trammel-sidecar")
'''
DESCRIPTION = """Trammel simulates constrained multibody systems. Every integrator, every treatment of the constraints, every joint, force,
function and system is a plugin. This wheel contains the Python package, the command `trammel`, all plugins and the SDK."""


def output(*command, **environment):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                            env={**os.environ, **environment})
    if result.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: exit code {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def needed(path, folder):
    """Names and files of all libraries that the loader takes for a file, those of the libraries among them; `folder` has
    the tree's own."""
    found = {}
    for line in output("ldd", path, LD_LIBRARY_PATH=str(folder)).splitlines():
        name, arrow, rest = line.strip().partition(" => ")
        if not arrow:
            continue
        if rest.startswith("not found"):
            raise SystemExit(f"{path}: {name} is not found")
        found[name] = pathlib.Path(rest.split(" (")[0])
    return found


def copy_licence(library, licences):
    """Of the Debian package that a library is from."""
    for path in (library, library.resolve()):
        told = subprocess.run(["dpkg-query", "-S", path], capture_output=True, text=True)
        if told.returncode == 0:
            break
        usr = pathlib.Path("/usr") / path.relative_to("/")  # /lib is /usr/lib, and dpkg may know either
        told = subprocess.run(["dpkg-query", "-S", str(path).removeprefix("/usr") if path.is_relative_to("/usr") else usr],
                              capture_output=True, text=True)
        if told.returncode == 0:
            break
    else:
        raise SystemExit(f"{library}: no Debian package has it, so that its licence is unknown")
    package = told.stdout.split(":")[0]
    licences.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(f"/usr/share/doc/{package}/copyright", licences / package)


def bundle(package, licences):
    """Copies the libraries that are missing into lib/bundled and points everything to them."""
    bundled = package / "lib" / "bundled"
    bundled.mkdir()
    files = [path for path in sorted(package.rglob("*")) if path.is_file() and is_elf(path)]
    own = {path.name for path in files}
    libraries = {}
    for path in files:
        libraries.update((name, file) for name, file in needed(path, package / "lib").items()
                         if name not in own and not EVERYWHERE.fullmatch(name))
    renamed = {}
    for name, file in sorted(libraries.items()):
        stem, _, rest = name.partition(".so")
        renamed[name] = f"{stem}-{hashlib.sha256(file.read_bytes()).hexdigest()[:8]}.so{rest}"
        target = bundled / renamed[name]
        shutil.copyfile(file, target)
        target.chmod(0o755)
        copy_licence(file, licences)
        output("patchelf", "--set-soname", renamed[name], target)
        files.append(target)
    for path in files:
        direct = output("patchelf", "--print-needed", path).split()
        replacements = [part for name in direct if name in renamed for part in ("--replace-needed", name, renamed[name])]
        folders = [bundled] if any(name in renamed for name in direct) else []
        if any(name in own for name in direct):
            folders.append(package / "lib")
        rpath = ":".join("$ORIGIN/" + os.path.relpath(folder, path.parent) for folder in folders)
        if replacements:  # a call of its own: patchelf 0.14 mistakes one option's text for another's
            output("patchelf", *replacements, path)
        output("patchelf", *(["--set-rpath", rpath] if rpath else ["--remove-rpath"]), path)
    for path in files:
        for name, file in needed(path, "").items():
            if not EVERYWHERE.fullmatch(name) and not file.resolve().is_relative_to(package):
                raise SystemExit(f"{path}: {name} is still taken from {file}")


def installed_tree(build, package):
    """What a wheel needs of an installed tree, with the Python package at its top. Wheels have no symbolic links, so that
    the library has the name by which it is loaded."""
    output("cmake", "--install", build, "--prefix", package, "--strip")
    python = package / "lib" / "trammel" / "python" / "trammel"
    if not list(python.glob("_kernel*.so")):
        raise SystemExit(f"{build}: the Python package is not built (target python_package)")
    for file in python.iterdir():
        shutil.move(file, package / file.name)
    shutil.rmtree(python.parent)
    (package / "bin" / "trammel-mpi").unlink(missing_ok=True)  # for clusters, whose MPI is not ours to bring
    (real,) = {path.resolve() for path in (package / "lib").glob("libtrammel.so*")}
    loaded = re.search(r"SONAME.*\[(.*)\]", output("readelf", "-d", real))[1]
    for path in (package / "lib").glob("libtrammel.so*"):
        if path.is_symlink():
            path.unlink()
    real.rename(package / "lib" / loaded)
    for file in (package / "lib" / "cmake" / "Trammel").glob("TrammelTargets-*.cmake"):
        file.write_text(file.read_text().replace(f"/{real.name}\"", f"/{loaded}\""))

def make_wheel(build, folder):
    version = re.search(r"project\(Trammel VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text())[1]
    tag = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    # Needs the glibc of this machine or a later one, which pip knows from this name.
    system = "manylinux_{}_{}".format(*platform.libc_ver()[1].split(".")[:2])
    with tempfile.TemporaryDirectory(prefix="trammel_wheel_") as holder:
        top = pathlib.Path(holder)
        package, info = top / "trammel", top / f"trammel-{version}.dist-info"
        installed_tree(build, package)
        info.mkdir()
        bundle(package, info / "licenses")
        shutil.copyfile(SOURCE / "LICENSE", info / "LICENSE")
        (info / "METADATA").write_text(METADATA.format(version=version, description=DESCRIPTION))
        (top / "_trammel_programs.py").write_text(COMMAND)
        (info / "entry_points.txt").write_text("[console_scripts]\ntrammel = _trammel_programs:trammel\n"
                                               "trammel-sidecar = _trammel_programs:trammel_sidecar\n")
        (info / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: scripts/wheel\nRoot-Is-Purelib: false\n"
                                    f"Tag: {tag}-{tag}-{system}_{sysconfig.get_platform().split('-')[-1]}\n")
        output(sys.executable, "-m", "wheel", "pack", top, "--dest-dir", folder)


make_wheel(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())
