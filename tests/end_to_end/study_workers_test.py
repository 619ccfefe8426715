"""Workers of studies: crashes, exits, endless cases and want of memory are rows; kills and full disks lose nothing.

Run as: /usr/bin/python3 study_workers_test.py TRAMMEL FIXTURES
"""
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

from support import TRAMMEL, Case, changed, main

FIXTURES = pathlib.Path(sys.argv.pop(1))
PUSH = {
    "trammel": 2,
    "system": {"type": "planar", "bodies": {"mass": {"mass": 1, "inertia": 1}},
               "forces": {"push": {"type": "applied_force", "body": "mass", "force": [1, 0],
                                   "function": {"type": "constant", "value": 1}}}},
    "analysis": {"type": "dynamics", "duration": 1},
    "formulation": {"type": "direct"},
    "integrator": {"type": "rk4", "step": 0.1},
}
GOOD = {"type": "constant", "value": 2}
FUNCTIONS = [GOOD, "crashes", "ends", "not_a_number", "slips_away", "throws_late", "aborts", "rounds"]
PENDULUM = {
    "trammel": 2,
    "parameters": {"length": 1},
    "system": {"type": "pendulum_angle", "length": "=length"},
    "analysis": {"type": "dynamics", "duration": 1},
    "integrator": {"type": "rk4", "step": 0.01},
    "output": {"step": 0.5},
}
SAMPLE = {"count": 30, "distributions": {"parameters.length": {"type": "uniform", "min": 0.7, "max": 1.3}}}
# Two bars between pins at a distance: they meet where one is not longer than the other and the distance together.
BARS = {
    "trammel": 2,
    "parameters": {"first": 1, "second": 1},
    "system": {"type": "planar", "bodies": {"joint": {"mass": 1, "inertia": 1, "position": [1, 0.5]}},
               "constraints": {
                   "first": {"type": "distance", "bodies": ["ground", "joint"], "point_i": [0, 0], "point_j": [0, 0], "length": "=first"},
                   "second": {"type": "distance", "bodies": ["ground", "joint"], "point_i": [1.5, 0], "point_j": [0, 0], "length": "=second"}}},
    "analysis": {"type": "assembly"},
}


class WorkerCase(Case):
    def study(self, study, run, *arguments, code=0, out="out", **options):
        self.write(run)
        self.write({"trammel_study": 1, "base": "run.json", **study}, "study.json")
        result = self.trammel("study", "study.json", "-o", out, *arguments, **options)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def cases(self):
        report = json.loads((self.folder / "out" / "study.json").read_text())
        return {case["name"]: case for case in report["cases"]}

    def dump(self, out="out"):
        return self.trammel("study", "study.json", "-o", out, "--dump").stdout


class Failures(WorkerCase):
    def hostile(self, keep, jobs):
        functions = [function if isinstance(function, dict) else {"type": function} for function in FUNCTIONS]
        functions = [f for function in functions for f in (function, GOOD)]  # a good one behind each
        cases = [{"name": f"{i}-{function['type']}", "set": {"system.forces.push.function": function}}
                 for i, function in enumerate(functions)]
        self.study({"cases": cases, "keep": keep, "metrics": {"x": {"type": "final_value", "channel": "mass.x"}}}, PUSH,
                   "--plugin-path", FIXTURES, "--jobs", jobs, code=4)
        return self.cases()

    def test_broken_plugins_are_rows_and_harm_nobody_else(self):
        for keep, jobs in (("files", 1), ("numbers", 2)):
            with self.subTest(keep):
                rows = self.hostile(keep, jobs)
                for name, case in rows.items():
                    kind = name.split("-")[1]
                    if kind == "constant":
                        self.assertEqual(case["status"], "completed", name)
                        self.assertAlmostEqual(case["metrics"]["x"], 1, delta=1e-12)  # 2 t^2 / 2
                        continue
                    self.assertEqual(case["status"], "failed", name)
                    words = {"crashes": "SIGSEGV", "ends": "ended the process with exit()", "not_a_number": "not finite",
                             "slips_away": "_exit()", "throws_late": "threw", "aborts": "SIGABRT",
                             "rounds": "floating-point mode"}[kind]
                    self.assertIn(words, case["message"])

    def test_rows_are_the_same_for_any_number_of_workers(self):
        self.hostile("numbers", 1)
        first = self.dump()
        (self.folder / "out").rename(self.folder / "before")
        self.hostile("numbers", 3)
        self.assertEqual(self.dump(), first)

    def test_endless_cases_are_ended(self):
        cases = [{"name": "endless", "set": {"analysis.duration": 1e9, "output.step": 1e8}}, {"name": "short"}]
        study = {"cases": cases, "keep": "numbers", "limits": {"time": 1.5}, "metrics": {"x": {"type": "counter", "of": "steps"}}}
        run = changed(PENDULUM, integrator__step_check=False)
        self.study(study, run, code=4)
        self.assertEqual(self.cases()["endless"]["message"], "not done after 1.5 s, the limit of time")
        self.assertEqual(self.cases()["short"]["status"], "completed")
        begin = time.monotonic()
        self.study(study, run, code=4)  # it would take as long again
        self.assertLess(time.monotonic() - begin, 1.5)

    def test_want_of_memory_is_a_row(self):
        # A chain of pendulums whose dense matrices do not fit.
        n = 1500
        bodies = {f"b{i}": {"mass": 1, "inertia": 1, "position": [i + 0.5, 0]} for i in range(n)}
        pins = {f"p{i}": {"type": "revolute", "bodies": ["ground" if i == 0 else f"b{i - 1}", f"b{i}"], "at": [i, 0]}
                for i in range(n)}
        run = {"trammel": 2, "system": {"type": "planar", "gravity": [0, -9.81], "bodies": bodies, "constraints": pins},
               "analysis": {"type": "dynamics", "duration": 0.01}, "formulation": {"type": "projection"},
               "integrator": {"type": "rk4", "step": 0.01, "step_check": False}}
        cases = [{"name": "large", "set": {"analysis.solver": "dense"}}, {"name": "small"}]
        self.study({"cases": cases, "keep": "numbers", "limits": {"memory": 6e8},
                    "metrics": {"x": {"type": "counter", "of": "steps"}}}, run, code=4)
        self.assertEqual(self.cases()["small"]["status"], "completed", self.cases()["small"]["message"])
        self.assertIn("memory", self.cases()["large"]["message"])

    def test_what_cannot_be_assembled_is_a_row(self):
        study = {"vary": {"parameters.first": [0.2, 1, 4]}, "keep": "numbers",
                 "metrics": {"y": {"type": "final_value", "channel": "joint.y"}}}
        self.study(study, BARS, code=4)
        rows = self.cases()
        self.assertEqual([case["status"] for case in rows.values()], ["failed", "completed", "failed"])
        self.assertIn("/system", rows["parameters.first=0.2"]["message"])
        x = (1 - 1 + 1.5**2) / 3  # where circles of radius 1 about both pins meet
        self.assertAlmostEqual(rows["parameters.first=1"]["metrics"]["y"], (1 - x * x)**0.5, places=9)
        before = self.dump()
        self.study(study, BARS, code=4)
        self.assertEqual(self.dump(), before)


class Independence(WorkerCase):
    """What a case comes to does not depend on what its worker ran before."""
    ROOT = changed(PENDULUM, parameters={"a": 1, "b": "=sqrt(a)"}, system__length="=b")
    LAST = {"last": {"type": "final_value", "channel": "theta"}}

    def rows(self, out):
        """What the store keeps of every case, by name; timing left out."""
        names, rows = {}, {}
        for line in self.dump(out).splitlines():
            kind, number, rest = line.split(" ", 2)
            if kind == "case":
                names[number] = json.JSONDecoder().raw_decode(rest)[0]
            rows.setdefault(names[number], []).append((kind, rest))
        return {name: sorted(row) for name, row in rows.items()}

    def records(self, study, run, orders, code):
        """The rows of cases in each of these orders."""
        found = []
        for k, order in enumerate(orders):
            self.study({**study, "cases": order}, run, "--jobs", 1, code=code, out=f"order{k}")
            found.append(self.rows(f"order{k}"))
        return found

    def test_orders_of_cases(self):
        self.write(BARS, "bars.json")
        methods = [{"type": "rk4", "step": 0.01}, {"type": "dopri5", "rtol": 1e-6, "atol": 1e-8},
                   {"type": "ddeabm", "rtol": 1e-6, "atol": 1e-8}]
        swings = [{"name": f"a{a}m{m}", "set": {"parameters.a": a, "integrator": method}}
                  for a in (0.5, 1, 2, 3) for m, method in enumerate(methods)]
        bars = [{"name": f"bars{length}", "base": "bars.json", "set": {"parameters.first": length}}
                for length in (0.2, 1, 4, 1.2)]  # the first and the third do not meet
        metrics = {"last": {**self.LAST["last"], "cases": [case["name"] for case in swings]},
                   "y": {"type": "final_value", "channel": "joint.y", "cases": [case["name"] for case in bars]}}
        cases = swings[:6] + bars + swings[6:]
        mixed = [case for k in range(3) for case in cases[k::3][::-1]]
        forward, backward, other = self.records({"keep": "numbers", "metrics": metrics}, self.ROOT,
                                                (cases, cases[::-1], mixed), 4)
        self.assertEqual(len(forward), 16)
        self.assertEqual(sum(" failed " in row[0][1] for row in forward.values()), 2)
        self.assertEqual(forward, backward)
        self.assertEqual(forward, other)

    def test_random_orders_beside_fresh_processes(self):
        """Cases of three run files, with failing ones among them, one process for all; and each in a process of its own."""
        self.write(BARS, "bars.json")
        self.write(PUSH, "push.json")
        methods = [{"type": "rk4", "step": 0.01}, {"type": "dopri5", "rtol": 1e-6, "atol": 1e-8}]
        functions = [GOOD, {"type": "constant", "value": 3}, *({"type": name} for name in ("not_a_number", "throws_late",
                                                                                           "crashes", "rounds"))]
        groups = {
            "theta": [{"name": f"swing{a}m{m}", "set": {"parameters.a": a, "integrator": method}}
                      for a in (0.5, 1, 3) for m, method in enumerate(methods)],
            "joint.y": [{"name": f"bars{length}", "base": "bars.json", "set": {"parameters.first": length}}
                        for length in (0.2, 1, 4, 1.2)],  # the first and the third do not meet
            "mass.x": [{"name": f"push{k}", "base": "push.json", "set": {"system.forces.push.function": function}}
                       for k, function in enumerate(functions)]}

        def study_of(cases):
            names = [case["name"] for case in cases]
            metrics = {channel: {"type": "final_value", "channel": channel,
                                 "cases": [case["name"] for case in group if case["name"] in names]}
                       for channel, group in groups.items()}
            return {"keep": "numbers", "cases": cases, "metrics": {name.replace(".", "_"): metric for name, metric in
                                                                   metrics.items() if metric["cases"]}}

        def without_keys(rows):  # which have the names of the cases that a metric is taken in
            return {name: [(kind, re.sub(r'^("[^"]*") [0-9a-f]{16} ', r"\1 ", rest)) for kind, rest in row]
                    for name, row in rows.items()}

        cases = [case for group in groups.values() for case in group]
        seed = int(os.environ.get("TRAMMEL_TEST_SEED", random.randrange(10**6)))
        print("seed", seed, flush=True)
        chance = random.Random(seed)
        fresh = {}
        for case in cases:
            bad = case["name"] in ("bars0.2", "bars4", "push2", "push3", "push4", "push5")
            self.study(study_of([case]), self.ROOT, "--plugin-path", FIXTURES, code=4 if bad else 0, out=case["name"])
            fresh.update(without_keys(self.rows(case["name"])))
        self.assertEqual(len(fresh), 16)
        self.assertEqual(sum(" failed " in row[0][1] for row in fresh.values()), 6)
        for k in range(4):
            chance.shuffle(cases)
            self.study(study_of(cases), self.ROOT, "--plugin-path", FIXTURES, "--jobs", 1 + k % 2, code=4, out=f"mixed{k}")
            self.assertEqual(without_keys(self.rows(f"mixed{k}")), fresh, [case["name"] for case in cases])

    def test_a_wrong_case_in_front_does_not_drop_its_parameter(self):
        # Numbers that make a formula wrong once made the parameter look unused in the first case of a process.
        sample = {"count": 12, "method": "monte_carlo", "seed": 1,
                  "distributions": {"parameters.a": {"type": "discrete", "values": [-1, 4]}}}
        self.study({"sample": sample, "metrics": self.LAST}, self.ROOT, code=4)
        wrong = [name for name, case in self.cases().items() if case["set"]["parameters.a"] == -1]
        self.assertTrue(wrong)
        for name in wrong:
            alone = self.trammel("study", "study.json", "-o", "alone", "--case", name)
            self.assertEqual(alone.returncode, 2, alone.stdout)
            self.assertIn("has no finite value", alone.stderr)

    def test_a_case_alone_is_what_it_is_among_others(self):
        self.study({"sample": SAMPLE, "metrics": self.LAST}, PENDULUM)
        for name, case in list(self.cases().items())[::7]:
            alone = json.loads(self.trammel("study", "study.json", "-o", "alone", "--case", name).stdout)
            for part in ("metrics", "statistics"):
                self.assertEqual(alone[part], case[part], name)


class Interruptions(WorkerCase):
    STUDY = {"sample": SAMPLE, "metrics": {"last": {"type": "final_value", "channel": "theta"}}}

    def start(self, *arguments):
        self.write(changed(PENDULUM, analysis__duration=100, integrator__step_check=False, output__step=50))
        self.write({"trammel_study": 1, "base": "run.json", **self.STUDY}, "study.json")
        return subprocess.Popen([TRAMMEL, "study", "study.json", "-o", "out", "--quiet", *arguments], cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def workers_of(self, pid):
        try:
            return [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        except FileNotFoundError:
            return []

    def test_a_killed_worker_is_replaced(self):
        process = self.start()
        killed = 0
        while process.poll() is None and killed < 2:
            for worker in self.workers_of(process.pid):
                time.sleep(0.1)
                try:
                    os.kill(worker, signal.SIGKILL)
                    killed += 1
                except ProcessLookupError:
                    pass
                break
        _, told = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 0, told)
        self.assertEqual(killed, 2)
        killed_dump = self.dump()
        self.assertEqual(self.trammel("study", "study.json", "-o", "alone", "--quiet").returncode, 0)
        self.assertEqual(killed_dump, self.dump("alone"))

    def test_workers_do_not_outlive_their_master(self):
        process = self.start("--jobs", "2")
        workers = []
        while len(workers) < 2 and process.poll() is None:
            workers = self.workers_of(process.pid)
        process.kill()
        process.communicate()
        end = time.monotonic() + 5
        while any(pathlib.Path(f"/proc/{worker}").exists() for worker in workers) and time.monotonic() < end:
            time.sleep(0.02)
        for worker in workers:
            self.assertFalse(pathlib.Path(f"/proc/{worker}").exists())

    def test_a_terminal_shows_when_the_study_will_end(self):
        self.write(changed(PENDULUM, analysis__duration=100, integrator__step_check=False, output__step=50))
        self.write({"trammel_study": 1, "base": "run.json", **changed(self.STUDY, sample__count=150)}, "study.json")
        ours, terminal = os.openpty()
        process = subprocess.Popen([TRAMMEL, "study", "study.json", "-o", "out"], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=terminal)
        os.close(terminal)
        shown = b""
        while True:
            try:
                shown += os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
        os.close(ours)
        self.assertEqual(process.wait(timeout=100), 0, shown)
        self.assertRegex(shown.decode(), r"\[\d+ of 150 done, 1 running, [^\]]* to go, until \d\d:\d\d\] sample=\d+")

    def test_two_masters_are_refused(self):
        process = self.start()
        while not (self.folder / "out" / "study.db").exists():
            time.sleep(0.01)
        time.sleep(0.3)
        second = self.trammel("study", "study.json", "-o", "out")
        if process.poll() is None:
            self.assertEqual(second.returncode, 1, second.stderr)
            self.assertIn("another process is running this study", second.stderr)
        process.communicate(timeout=100)

    def test_a_disk_that_is_full(self):
        """A small file system of memory, in a name space of mounts of its own."""
        enter = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]
        if subprocess.run([*enter, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True).returncode != 0:
            self.skipTest("this system lets nobody mount a file system of memory")
        for keep, room in (("numbers", "160k"), ("files", "1m")):
            with self.subTest(keep):
                run = changed(PENDULUM, output__step=0.002) if keep == "files" else PENDULUM
                study = changed(self.STUDY, keep=keep, sample__count=150)
                self.study(study, run, out="plain")
                (self.folder / "full").mkdir(exist_ok=True)
                script = (f"mount -t tmpfs -o size={room} tmpfs full; {TRAMMEL} study study.json -o full/out --quiet --jobs 2;"
                          f" echo first $?; mount -o remount,size=100m full; {TRAMMEL} study study.json -o full/out --quiet;"
                          f" echo second $?; {TRAMMEL} study study.json -o full/out --dump")
                result = subprocess.run([*enter, "sh", "-c", script], cwd=self.folder, capture_output=True, text=True)
                first, second, dump = result.stdout.split("\n", 2)
                self.assertEqual((first, second), ("first 4", "second 0"), result.stdout[:200] + result.stderr)
                self.assertRegex(result.stderr, "No space left on device|disk is full")
                self.assertEqual(dump, self.dump("plain"))
                shutil.rmtree(self.folder / "plain")

    def test_a_full_disk_ends_the_study_and_the_same_command_goes_on(self):
        def little_room():
            resource.setrlimit(resource.RLIMIT_FSIZE, (60000, 60000))

        for keep in ("numbers", "files"):
            with self.subTest(keep):
                study = changed(self.STUDY, keep=keep, sample__count=200)
                run = changed(PENDULUM, output__step=0.0005) if keep == "files" else PENDULUM
                result = self.study(study, run, code=4, out=keep, preexec_fn=little_room)
                self.assertRegex(result.stderr, "study.db|results.csv|File too large")
                self.study(changed(study, sample__count=20), run, out=keep)
                self.assertEqual(len(json.loads((self.folder / keep / "study.json").read_text())["cases"]), 20)


main()
