"""Every hostile plugin through the command line: what is printed, and the exit code. docs/hostile_plugins.md is the table.

Arguments: TRAMMEL TRAMMEL_SIDECAR FIXTURES PLANTED SOURCE. With TRAMMEL_WRITE_HOSTILE_TABLE set the page is written.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

import hostile_components

TRAMMEL, SIDECAR = sys.argv[1:3]
FIXTURES, PLANTED, SOURCE = map(pathlib.Path, sys.argv[3:6])
PAGE = SOURCE / "docs" / "hostile_plugins.md"

INTRODUCTION = """# Hostile plugins

What happens with plugins that are broken, foreign or malicious. Written by `ninja -C build/release hostile_table`; the
test `plugin_hostile_table` compares it with what the command line does. `run`: `trammel run` of a file that uses the
plugin's function; exit code 3 means that a plugin was refused or broke. `check`: the first failure that `trammel check`
reports (exit code 4). More refusals, one per field of the descriptor, its tables and its manifest:
`tests/plugin/test_refusals.cpp`.

| case | what was done | `trammel run` prints | exit | `trammel check` finds | exit |
|---|---|---|---|---|---|
"""


def run(*command, **environment):
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120,
                            env={**os.environ, "TRAMMEL_WATCHDOG": "3", **environment})
    return result.returncode, result.stderr, result.stdout


def build_id(library):
    notes = subprocess.run(["readelf", "-n", library], capture_output=True, text=True).stdout
    return notes.split("Build ID: ")[1].split()[0]


class Place:
    """A folder with a copy of one plugin, a manifest that looks honest, and a run file that uses its function."""

    def __init__(self, folder, library, function, change=None):
        self.library = folder / library.name
        shutil.copy(library, self.library)
        own = library.with_suffix(".trammel.json")
        if own.exists():
            manifest = json.loads(own.read_text())
        else:
            manifest = json.loads((FIXTURES / "honest.trammel.json").read_text())
            manifest["id"], manifest["build_id"] = library.stem, build_id(library)
        if change:
            change(manifest)
        self.library.with_suffix(".trammel.json").write_text(json.dumps(manifest))
        parameters = {"length": 1} if function == "hostile" and change is not fast_math else {}
        self.file = folder / "run.json"
        self.file.write_text(json.dumps({
            "trammel": 1, "system": {
                "type": "planar", "bodies": {"mass": {"mass": 1, "inertia": 1}},
                "forces": {"push": {"type": "applied_force", "body": "mass", "force": [1, 0],
                                    "function": {"type": function, **parameters}}}},
            "analysis": {"type": "dynamics", "duration": 1}, "formulation": {"type": "direct"},
            "integrator": {"type": "rk4", "step": 0.1}}))


def cell(text, folder):
    """The line that tells, without the names of folders that differ from run to run."""
    lines = [line for line in text.splitlines() if line.strip()]
    line = next((line for line in lines if "plugin '" in line or "by 'malicious'" in line or "memory damaged by" in line), lines[0] if lines else "")
    for name in (f"{folder}/", str(folder)):
        line = line.replace(name, "")
    line = re.sub(r"/\S*trammel_check_\w+", "the check's folder", line)
    return line.replace("|", "\\|")


def hostile(name):
    return FIXTURES / "hostile" / f"{name}.so"


def lie(manifest):
    manifest["version"] = "2.0.0"


def fast_math(manifest):
    manifest["components"], manifest["offers"] = manifest["components"][:1], manifest["offers"][:1]
    manifest["components"][0].update(parameters=[], summary="A constant.")


MISBEHAVING = FIXTURES / "misbehaving" / "misbehaving.so"

# case, what was done, library, function type, environment, change of the manifest
CASES = [
    ("wrong epoch", "`interface_epoch` is 999", hostile("wrong_epoch"), "hostile", {}, None),
    ("newer SDK", "`sdk_minor` is 99", hostile("newer_minor"), "hostile", {}, None),
    ("wrong word size", "built for another size of pointers: the ABI tag says so", hostile("abi_liar"), "hostile",
     {"ABI_LIAR_FIELD": "pointer_bytes"}, None),
    ("other sizes", "a probed type has another size", hostile("abi_liar"), "hostile", {"ABI_LIAR_FIELD": "status"}, None),
    ("fast-math", "built with `-ffast-math`", hostile("fast_math"), "hostile", {}, fast_math),
    ("finite numbers only", "built with `-ffinite-math-only`", hostile("finite_math"), "hostile", {}, fast_math),
    ("missing symbol", "exports no descriptor", hostile("no_symbol"), "hostile", {}, None),
    ("undefined symbol", "calls a function that nobody defines", hostile("undefined_symbol"), "hostile", {}, None),
    ("throws at load", "a static constructor throws", hostile("throws_at_load"), "hostile", {}, None),
    ("crashes at load", "a static constructor raises SIGSEGV", hostile("crashes_at_load"), "hostile", {}, None),
    ("exits at load", "a static constructor calls `exit(0)`", hostile("exits_at_load"), "hostile", {}, None),
    ("never returns from loading", "a static constructor sleeps for ever", hostile("hangs_at_load"), "hostile", {}, None),
    ("throws in construction", "the constructor throws `std::runtime_error`", MISBEHAVING, "throws", {}, None),
    ("throws in a hot call", "`evaluate` throws", MISBEHAVING, "throws_late", {}, None),
    ("returns NaN", "`evaluate` writes NaN and returns success", MISBEHAVING, "not_a_number", {}, None),
    ("never returns", "`evaluate` sleeps for ever", MISBEHAVING, "hangs", {}, None),
    ("changes floating-point modes", "`evaluate` sets the rounding direction", MISBEHAVING, "rounds", {}, None),
    ("exits the process", "the constructor calls `exit(0)`", MISBEHAVING, "ends", {}, None),
    ("exits in a hot call", "`evaluate` calls `exit(0)`", MISBEHAVING, "ends_late", {}, None),
    ("ends without exit handlers", "`evaluate` calls `_exit(0)`", MISBEHAVING, "slips_away", {}, None),
    ("crashes", "`evaluate` writes to a null pointer", MISBEHAVING, "crashes", {}, None),
    ("uses up the stack", "`evaluate` calls itself for ever", MISBEHAVING, "overflows", {}, None),
    ("aborts", "the constructor calls `abort()`", MISBEHAVING, "aborts", {}, None),
    ("throws out of noexcept", "the constructor throws where it said that it would not", MISBEHAVING, "terminates", {}, None),
    ("truncated file", "half of the library", "truncated", "hostile", {}, None),
    ("duplicate types", "two plugins of one folder offer the same type", "twins", "zero", {}, None),
    ("a sidecar that lies", "the manifest states another version than the library", hostile("acceptable"), "hostile", {}, lie),
    ("writes the wrong size", "a constraint writes one entry more than it has rows", "beyond", "", {}, None),
]


PROCESS_INTRODUCTION = """
## What plugins do to the process

Functions that are 1 everywhere and do something else in the seventh evaluation, or when they are created or asked for break
points. `--guard`: the same run in a process of its own, which another one watches. Exit code 0 means that the results are,
byte for byte, those of a function that does nothing else; every other end names the plugin, or says why nobody can.

| case | what was done | `trammel run` prints | exit | `trammel run --guard` prints | exit | `trammel check` finds |
|---|---|---|---|---|---|---|
"""

MALICIOUS = FIXTURES / "malicious" / "malicious.so"

# function type, what it does
PROCESS_CASES = [
    ("throws_42", "the constructor throws `42`"),
    ("throws_text", "`evaluate` throws a text"),
    ("any_extension", "`extension` answers every id with `this`"),
    ("points_beyond", "`break_points` writes beyond the capacity"),
    ("points_too_many", "`break_points` returns 2^31 - 1"),
    ("points_negative", "`break_points` returns -1"),
    ("points_not_finite", "break points are NaN"),
    ("points_descending", "break points descend"),
    ("points_changing", "another number of break points each time"),
    ("overruns", "`evaluate` writes one value more than it was asked for"),
    ("reason_no_text", "`Status::what` is no text"),
    ("reason_nowhere", "`Status::what` points to nothing"),
    ("damages_heap", "writes beyond a block of the heap and frees it"),
    ("frees_itself", "the destructor frees the object, which is freed again"),
    ("uses_up_memory", "takes 50 GB, in blocks of 50 MB"),
    ("forks", "`fork`, and the copy returns"),
    ("forks_raw", "the same by a system call"),
    ("changes_folder", "`chdir(\"/\")`; `-o` is relative"),
    ("limits_files", "`setrlimit(RLIMIT_FSIZE)` to 0"),
    ("closes_all", "closes the descriptors 1 to 63"),
    ("diverts_files", "puts /dev/null in the place of all descriptors from 3 on"),
    ("ignores_signals", "ignores SIGSEGV, SIGALRM and SIGINT"),
    ("crashes_unhandled", "takes the handler of SIGSEGV away and crashes"),
    ("thread_crashes", "a thread of its own crashes"),
    ("thread_exits", "a thread of its own calls `exit(0)`"),
    ("leaves_raw", "ends the process by a system call, with 0"),
    ("crashes_at_end", "a handler of `exit` crashes"),
    ("hangs_at_end", "a handler of `exit` sleeps for ever"),
    ("succeeds_at_end", "a handler of `exit` ends the process with 0"),
    ("stops", "stops the process (SIGSTOP)"),
    ("kills_parent", "kills the parent process"),
]
# What nothing in the same process can tell, or prevent. `run` of these is not tried.
ONLY_WITH_GUARD = {
    "stops": "(not tried: all threads stand still, the watchdog's too)",
    "kills_parent": "(not tried: that is whoever started `trammel`)",
    "leaves_raw": "(results are not complete: no code of Trammel runs any more)",
    "crashes_unhandled": "(the system ends the process: no code of Trammel runs any more)",
    "closes_all": "(nobody can be told)",
}
# What is not the same from run to run, and what the page says in its place.
UNSTEADY = {
    "factors_beyond": [
        (r".*memory damaged by 'unruly_kinds' can be the cause.*",
         "the program crashed or aborted; memory damaged by 'unruly_kinds' can be the cause"),
    ],
    "damages_heap": [
        (r".*(memory damaged by 'malicious' can be the cause|plugin 'malicious'.*aborted).*",
         "the program crashed or aborted; memory damaged by 'malicious' can be the cause"),
        (r"contract\.\w+: .*(malloc|free|corrupted|tcache|crash|abort|signal|SIG).*",
         "contract.run: the process ended by a signal, with the words of the C library"),
    ],
}
# Seconds that are waited for a plugin; long where it does return, so that a busy machine does not accuse it.
LIMITS = {"stops": (3, 5)}
PATIENCE = (30, 30)
PROCESS_NOTES = """
Impossible inside one process, and so not among the cases:

- A plugin that writes through a pointer it kept, at any time and from any thread, changes numbers of others without a trace.
  Trammel looks behind blocks that it hands out (states, memory, values, break points), not into them.
- A plugin that computes something else than it says: `trammel check` and `trammel verify` look for that.
- A plugin that looks whether it is watched, and behaves then.
- A plugin that kills the process which `--guard` leaves in front of the shell, or any other process of the user.
"""


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (3 * 2**30, 3 * 2**30))


def results_in(folder):
    file = folder / "out" / "results.csv"
    return file.read_bytes() if file.exists() else None


def steady(function, text):
    for pattern, words in UNSTEADY.get(function, []):
        text = re.sub(rf"^{pattern}$", words, text)
    return text


def process_run(place, folder, *options, watchdog=3):
    shutil.rmtree(folder / "out", ignore_errors=True)
    command = [TRAMMEL, "run", place.file, "-o", "out", "--quiet", "--plugin-path", folder, *options]
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, errors="replace", timeout=60, cwd=folder,
                            env={**os.environ, "TRAMMEL_WATCHDOG": str(watchdog)}, start_new_session=True, preexec_fn=limit_memory)
    lines = [line for line in result.stderr.splitlines() if not line.startswith("warning:") or "plugin" in line]
    return result.returncode, cell("\n".join(lines), folder)


def process_row(case, reference):
    function, done = case
    faults = []
    with tempfile.TemporaryDirectory(prefix="trammel_test_") as name:
        folder = pathlib.Path(name)
        place = Place(folder, MALICIOUS, function)
        cells = []
        watchdog, timeout = LIMITS.get(function, PATIENCE)
        for options in ([], ["--guard"]):
            why = ONLY_WITH_GUARD.get(function, "") if not options else ""
            if why.startswith("(not tried"):
                cells += [why, "-"]
                continue
            code, said = process_run(place, folder, *options, watchdog=watchdog)
            said = steady(function, said)
            if why:
                cells += [f"{said} {why}".strip(), code]
                continue
            cells += [said, code]
            if code == 0 and results_in(folder) != reference:
                faults.append(f"{function} {options}: exit code 0 with wrong results")
            if code < 0 or (code != 0 and not said):
                faults.append(f"{function} {options}: exit code {code}, {said!r}")
        _, found, _ = checked(place.library, folder, {}, "--type", function, "--level", "2", "--memory", "1", timeout=timeout)
        cells.append(steady(function, cell(found, folder)))
    return f"| {function} | {done} | " + " | ".join(map(str, cells)) + " |\n", faults


def process_table():
    with tempfile.TemporaryDirectory(prefix="trammel_test_") as name:
        folder = pathlib.Path(name)
        code, said = process_run(Place(folder, MALICIOUS, "harmless"), folder)
        reference = results_in(folder)
        assert code == 0 and reference, said
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        rows = list(pool.map(lambda case: process_row(case, reference), PROCESS_CASES))
    return PROCESS_INTRODUCTION + "".join(row for row, _ in rows) + PROCESS_NOTES, [fault for _, faults in rows for fault in faults]


def component_run(command, folder):
    result = subprocess.run([TRAMMEL, *map(str, command)], capture_output=True, text=True, errors="replace", timeout=60, cwd=folder,
                            env={**os.environ, "TRAMMEL_WATCHDOG": str(PATIENCE[0])}, preexec_fn=limit_memory)
    lines = [line for line in result.stderr.splitlines() if not line.startswith("warning:")]
    return result.returncode, cell("\n".join(lines), folder)


def component_check(library, folder, kind):
    for level in ("2", "3"):
        _, found, _ = checked(library, folder, {}, "--type", kind, "--level", level, "--memory", "1",
                               timeout=PATIENCE[1])
        if found != "nothing":
            break
    return cell(found, folder)


def checked(library, folder, environment, *options, timeout=5):
    code, err, out = run(TRAMMEL, "check", library, "--case", folder / "run.json", "--json", "--timeout", timeout, *options,
                         **environment)
    failures = [check for check in json.loads(out)["checks"] if check["outcome"] == "failed"]
    return code, f"{failures[0]['id']}: {failures[0]['message']}" if failures else "nothing", err


def row(case, folder):
    name, done, library, function, environment, change = case
    if library == "beyond":
        (folder / "run.json").write_text(json.dumps({
            "trammel": 1, "system": {"type": "planar", "bodies": {"arm": {"mass": 2, "inertia": 0.1, "position": [0.4, -0.2]}},
                                     "constraints": {"rod": {"type": "bad_beyond", "bodies": ["ground", "arm"], "length": 0.5}}},
            "analysis": {"type": "dynamics", "duration": 1}, "formulation": {"type": "projection"},
            "integrator": {"type": "rk4", "step": 0.1}}))
        code, found, _ = checked(PLANTED / "planted_constraints.so", folder, environment, "--type", "bad_beyond")
        return f"| {name} | {done} | (not noticed; `check` is there for this) | - | {cell(found, folder)} | {code} |\n"
    if library == "truncated":
        place = Place(folder, hostile("acceptable"), function)
        size = os.path.getsize(place.library)
        os.truncate(place.library, size // 2)
    elif library == "twins":
        for twin in ("twin_a", "twin_b"):
            shutil.copy(FIXTURES / "twins" / f"{twin}.so", folder)
            shutil.copy(FIXTURES / "twins" / f"{twin}.trammel.json", folder)
        place = Place(folder, MISBEHAVING, function)
    else:
        place = Place(folder, library, function, change)
    run_code, err, _ = run(TRAMMEL, "run", place.file, "-o", folder / "out", "--plugin-path", folder, **environment)
    printed = cell("\n".join(line for line in err.splitlines() if not line.startswith("warning:")), folder)
    if library == "twins":
        check_code, _, found = checked_twins(folder)
    else:
        options = ["--type", function] if library == MISBEHAVING else []
        check_code, found, _ = checked(place.library, folder, environment, *options)
    if library == "truncated":
        printed, found = printed.replace(str(size // 2), "N"), found.replace(str(size // 2), "N")
    return f"| {name} | {done} | {printed} | {run_code} | {cell(found, folder)} | {check_code} |\n"


def checked_twins(folder):
    code, err, out = run(TRAMMEL, "check", folder / "twin_a.so")
    return code, out, err


def main():
    honest = FIXTURES / "honest.trammel.json"
    if not honest.exists() or honest.stat().st_mtime < hostile("acceptable").stat().st_mtime:
        # what an honest manifest for the fixtures in `hostile` says
        with tempfile.TemporaryDirectory() as name:
            shutil.copy(hostile("acceptable"), name)
            subprocess.run([SIDECAR, pathlib.Path(name) / "acceptable.so"], check=True)
            shutil.copy(pathlib.Path(name) / "acceptable.trammel.json", honest)
    rows = []
    for case in CASES:
        with tempfile.TemporaryDirectory(prefix="trammel_test_") as name:
            rows.append(row(case, pathlib.Path(name)))
    text = INTRODUCTION + "".join(rows)
    process_text, faults = process_table()
    text += process_text
    components = hostile_components.Table([FIXTURES / name / f"{name}.so" for name in ("unruly", "unruly_kinds")], component_run,
                                          component_check, steady)
    text += components.text()
    faults += components.faults
    if os.environ.get("TRAMMEL_WRITE_HOSTILE_TABLE"):
        PAGE.write_text(text)
    for fault in faults:
        print(fault)
    failed = len(faults)
    written = PAGE.read_text().splitlines() if PAGE.exists() else []
    for line in text.splitlines():
        cells = line.split(" | ")
        refused = len(cells) == 6 and line in "".join(rows) and cells[0] != "| case" and (cells[3] not in ("3", "-") or cells[5] != "4 |")
        if line not in written or (refused and "duplicate" not in line and "NaN" not in line):
            failed += 1
            print("not as docs/hostile_plugins.md says, or not refused:\n " + line)
    print(f"{len(rows) + len(PROCESS_CASES) + len(hostile_components.CASES)} hostile cases, {failed} differ")
    return 1 if failed else 0


sys.exit(main())
