"""What implicit methods say about models that do not suit them: differenced derivatives, singular matrices."""
import math
import sys

from support import Case, changed, main

FIXTURES = sys.argv.pop(1)
GAMMA = 0.57281606

# A rod on a pin, upright; mass 1 kg, inertia 0.1 kg m^2, mass centre 0.5 m from the pin.
ROD = {
    "trammel": 2,
    "system": {
        "type": "planar",
        "gravity": [0, -9.81],
        "bodies": {"rod": {"mass": 1, "inertia": 0.1, "position": [0, 0.5], "angle": 0}},
        "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "rod"], "at": [0, 0]}},
    },
    "analysis": {"type": "dynamics", "duration": 1},
    "formulation": {"type": "coordinate_partitioning"},
    "integrator": {"type": "rosenbrock_nystrom", "rtol": 1e-5, "atol": 1e-5},
}
DRAG = {"type": "plain_drag", "body": "rod", "coefficient": 0.5}


class DifferencedDerivatives(Case):
    def warnings(self, integrator):
        model = changed(ROD, system__forces={"air": DRAG}, system__bodies__rod__position=[0.5, 0], integrator=integrator)
        result = self.succeed(model, "--plugin-path", f"{FIXTURES}/plain_force")
        return [text for text in self.summary()["warnings"] if "derivatives" in text], result

    def test_rosenbrock_methods_warn_and_name_the_others(self):
        for method in ("rosenbrock_nystrom", "rodas43"):
            (text,), result = self.warnings({"type": method, "rtol": 1e-5, "atol": 1e-5})
            self.assertIn("force 'air' (type 'plain_drag')", text)
            self.assertIn(f"'{method}' keeps its order with exact ones only", text)
            self.assertIn("'rosenbrock_nystrom_w2'", text)
            self.assertIn("'sdirk4'", text)
            self.assertIn(text, result.stderr)

    def test_methods_for_any_jacobian_name_the_element_only(self):
        for method in ("rosenbrock_nystrom_w2", "sdirk4", "bdf"):
            (text,), _ = self.warnings({"type": method, "rtol": 1e-4, "atol": 1e-4})
            self.assertIn("force 'air' (type 'plain_drag')", text)
            self.assertIn("which this integrator accepts", text)

    def test_nothing_is_said_of_exact_ones(self):
        self.succeed(changed(ROD, system__bodies__rod__position=[0.5, 0]))
        self.assertEqual(self.summary()["warnings"], [])


class SingularMatrix(Case):
    # Upright at rest M^ - (h gamma)^2 M^J1 vanishes where (h gamma)^2 m g l = J + m l^2.
    STEP = math.sqrt(0.35 / (9.81 * 0.5)) / GAMMA

    def test_fixed_steps_stop_with_time_and_condition(self):
        result = self.run_file(changed(ROD, integrator={"type": "rosenbrock_nystrom", "step": self.STEP}))
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("the step from t = 0 to 0.466", result.stderr)
        self.assertRegex(result.stderr, r"matrix of the implicit step singular \(condition (inf|\d+(\.\d+)?e\+1\d)\)")

    def test_another_step_goes_on(self):
        self.succeed(changed(ROD, integrator={"type": "rosenbrock_nystrom", "step": 0.9 * self.STEP}))


if __name__ == "__main__":
    main()
