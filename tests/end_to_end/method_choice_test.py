"""Methods that the program chooses: at the first attempt, with the same bits as the choice that it prints, or one clear message."""
import json
import re

from support import Case, DROP, PENDULUM, SOURCE, changed, main

AUTO = changed(PENDULUM, integrator="auto", formulation="auto")
BENCHMARKS = SOURCE / "configs" / "benchmarks"
EXPONENTIAL = {
    "trammel": 1,
    "system": {"type": "exponential"},
    "analysis": {"type": "dynamics", "duration": 1},
    "integrator": {"type": "auto", "rtol": 1e-9, "atol": 1e-12},
}
ROLLING = SOURCE / "configs" / "recipes" / "rolling.json"


class Choice(Case):
    def choice(self):
        return self.summary()["method_choice"]

    def test_every_way_of_leaving_it_out_is_the_same(self):
        """"auto" as text, as type, left out: one choice, one result."""
        ways = [AUTO, changed(PENDULUM, integrator=DROP, formulation=DROP),
                changed(PENDULUM, integrator={"type": "auto"}, formulation={"type": "auto"}),
                changed(PENDULUM, integrator={"type": "auto", "rtol": 1e-6, "atol": 1e-8}, formulation=DROP),
                changed(PENDULUM, integrator={}, formulation=DROP), changed(PENDULUM, integrator={"rtol": 1e-6}, formulation=DROP)]
        tables = []
        for content in ways:
            self.succeed(content)
            tables.append(self.table())
        self.assertTrue(all(table == tables[0] for table in tables))

    def test_tolerances_from_the_command_line(self):
        """--set integrator.rtol=... on a file that names no integrator: as if the file said "auto"."""
        self.succeed(changed(AUTO, integrator={"type": "auto", "rtol": 1e-10, "atol": 1e-12}))
        table = self.table()
        self.succeed(changed(PENDULUM, integrator=DROP, formulation=DROP), "--set", "integrator.rtol=1e-10", "--set",
                     "integrator.atol=1e-12")
        self.assertEqual(self.table(), table)
        self.assertIn('"rtol": 1e-10', self.choice()["text"])
        result = self.run_file(changed(PENDULUM, integrator=DROP, formulation=DROP), "--set", "formulation.alpha=5")
        self.assertEqual(result.returncode, 2)
        self.assertIn("/formulation: missing key 'type': the type of the formulation; keys belong to one type", result.stderr)

    def test_all_motion_is_driven(self):
        """What docs/which_method.md says of models without a freedom, and that it keeps up with the driver."""
        driven = {"type": "angle_driver", "bodies": ["ground", "arm"], "axis": [0, 0, 1], "rate": {
            "type": "step", "begin": 0, "end": 1, "from": 0, "to": 3}}
        content = changed(AUTO, system__constraints__drive=driven, system__forces=DROP, analysis__duration=2)
        result = self.succeed(content)
        self.assertIn("Method     dopri853 under recursive", result.stdout)
        page = (SOURCE / "docs" / "which_method.md").read_text()
        self.assertIn("| all motion is driven | `dopri853` | `recursive` | what `auto` takes", page)

    def test_choice_to_paste(self):
        """The printed text in the run file's place gives the same bits and nothing to choose."""
        for integrator in ("auto", {"type": "auto", "rtol": 1e-9, "max_step": 0.01}):
            content = changed(PENDULUM, integrator=integrator, formulation="auto")
            result = self.succeed(content)
            chosen, table = self.choice(), self.table()
            self.assertIn("chosen: " + chosen["reason"], result.stdout)
            self.assertIn("to keep it, write " + chosen["text"], result.stdout)
            pasted = json.loads("{" + chosen["text"] + "}")
            self.succeed(changed(PENDULUM, **pasted))
            self.assertEqual(self.table(), table)
            self.assertNotIn("method_choice", self.summary())

    def test_validate_shows_it(self):
        self.write(AUTO)
        result = self.trammel("validate", "run.json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"run.json: valid\n(?:.*\n)*  Method     \w+ under \w+\n +chosen: not stiff")

    def test_only_one_is_given(self):
        """(formulation, integrator) as given: what runs."""
        for formulation, integrator, expected in (
                (DROP, {"type": "dopri5"}, "dopri5 under recursive"),
                (DROP, "ddeabm", "ddeabm under recursive"),
                ("auto", "rodas43", "rodas43 under coordinate_partitioning"),
                (DROP, {"type": "newmark", "step": 0.01}, "newmark"),
                ("auto", {"type": "newmark", "step": 0.01}, "newmark under coordinate_partitioning"),
                ("auto", {"type": "rattle", "step": 0.001}, "rattle"),
                ("projection", DROP, "dopri853 under projection"),
                ({"type": "baumgarte", "alpha": 5}, "auto", "dopri853 under baumgarte")):
            with self.subTest(formulation=str(formulation), integrator=str(integrator)):
                result = self.succeed(changed(PENDULUM, formulation=formulation, integrator=integrator))
                self.assertRegex(result.stdout, rf"Method     {expected}[,\n]")

    def test_stiff(self):
        """The beam: an implicit method; and an explicit one, taken by hand, is told about it while it runs."""
        result = self.trammel("run", BENCHMARKS / "beam_20.json", "-o", "out")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("radau_iia under coordinate_partitioning", result.stdout)
        self.assertIn("chosen: stiff: a motion that dies out at", result.stdout)
        work = self.summary()["statistics"]["evaluations"]
        self.assertLess(work, 2000)
        result = self.trammel("run", BENCHMARKS / "beam_20.json", "-o", "out", "--set", "integrator=dopri5",
                              "--set", "analysis.duration=0.02")
        self.assertEqual(result.returncode, 0, result.stderr)
        found = re.search(r"warning: at t = .*: the model is stiff, .* keeps the steps of 'dopri5' near .*; take (.*) "
                          r"with \"formulation\": \"(\w+)\", which is expected to need (\S+) times less work", result.stderr)
        self.assertTrue(found, result.stderr)
        self.assertGreater(float(found[3]), 10)
        taken = json.loads("{" + found[1] + "}")
        result = self.trammel("run", BENCHMARKS / "beam_20.json", "-o", "out", "--set", f"formulation={found[2]}",
                              "--set", "integrator=" + json.dumps(taken["integrator"]))
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_problems_without_bodies(self):
        self.succeed(EXPONENTIAL)
        self.assertIsNone(self.choice()["formulation"])
        header, rows = self.table()
        self.assertEqual(rows[-1][0], 1)

    def test_rows_for_velocities_only(self):
        result = self.trammel("run", ROLLING, "-o", "out", "--set", "integrator=auto", "--set", "formulation=auto")
        self.assertEqual(result.returncode, 0, result.stderr)
        # Second-order views carry no such rows: the message names what does, and that runs.
        result = self.trammel("run", ROLLING, "-o", "out", "--set", "integrator=rodas43")
        self.assertEqual(result.returncode, 2)
        self.assertIn("has rows that hold for velocities only", result.stderr)
        self.assertNotIn("those that do", result.stderr)

    def test_wrong_input(self):
        """One message each, with its place."""
        for changes, message in (
                ({"integrator": {"type": "auto", "step": 0.01}},
                 '/integrator/step: "auto" chooses its steps by "rtol" and "atol"; for fixed steps name the method, for '
                 'example {"type": "rk4", "step": 0.01}'),
                ({"integrator": {"type": "auto", "order": 5}}, "/integrator/order: unknown key for \"auto\""),
                ({"integrator": {"type": "auto", "rtl": 1e-6}}, "did you mean 'rtol'?"),
                ({"integrator": {"type": "auto", "controller": "i"}},
                 "/integrator/controller: not every method that \"auto\" may choose has this key"),
                ({"integrator": {"type": "auto", "rtol": [1e-6, 1e-7]}},
                 "/integrator/rtol: beside \"auto\" it must be one number"),
                ({"integrator": {"type": "auto", "rtol": -1}}, "/integrator/rtol: must be >= 0"),
                ({"integrator": {"type": "auto", "rtol": 0, "atol": 0}}, "may not both be zero"),
                ({"integrator": {"rtol": 1e-6, "step": 0.01}}, "/integrator/step: \"auto\" chooses its steps"),
                ({"integrator": {"tpye": "dopri5"}}, "/integrator/tpye: unknown key for \"auto\""),
                ({"integrator": "autp"}, "did you mean 'auto'?"),
                ({"formulation": "autp"}, "did you mean 'auto'?"),
                ({"formulation": {"type": "auto", "alpha": 5}}, "/formulation/alpha: \"auto\" has no keys"),
                ({"integrator": 5}, "/integrator: must be")):
            with self.subTest(str(changes)):
                result = self.run_file(changed(AUTO, **changes))
                self.assertIn(result.returncode, (2, 3))
                self.assertEqual(result.stderr.count("/integrator") + result.stderr.count("/formulation"), 1, result.stderr)
                self.assertIn(message, result.stderr)

    def test_tolerances_left_out_are_told(self):
        result = self.succeed(AUTO)
        self.assertIn("rtol 1e-06 and atol 1e-08, which were left out", result.stdout)

    def test_verify(self):
        result = self.trammel("verify", self.write(AUTO), "-o", "out")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


if __name__ == "__main__":
    main()
