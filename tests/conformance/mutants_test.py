"""The mutants of the kit's mutation score: what is changed, and what is left alone.

Arguments: FOLDER_OF_THE_KIT [unittest arguments]
"""
import pathlib
import sys
import unittest

KIT = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(KIT))
import mutants  # noqa: E402

SOURCE = """// A comment: a + b - c * 2.
#include <a+b>
static constexpr auto parameters = sdk::table<P>(TRAMMEL_FIELD(P, k, "N/m", "a + b").at_least(0.5));
class Spring final {
  template <class T>
  T force(const T& e, const V& d) const {
    const T F = k_ * e + c_ * rate(d, e);
    for (int i = 0; i < n + 1; ++i) sum += F;
    Q[1] -= 0.5 * d.x / 2;
    return -F;
  }
  double k_ = 3;
};
TRAMMEL_PLUGIN("spring", component<Spring>(a + b));
"""


class Mutants(unittest.TestCase):
    def texts(self):
        return [str(mutant).split(": ", 1)[1] for mutant in mutants.of_source("spring.cpp", SOURCE)]

    def test_operators(self):
        self.assertEqual(self.texts(), [
            "dropped term: + c_ * rate(d, e) -> nothing", "sign: + -> -", "swapped arguments: d, e -> e, d", "sign: + -> -",
            "index: 1 -> 0", "sign: - -> +", "constant: 0.5 -> 0.5625", "index: x -> y", "constant: 2 -> 3",
            "sign: - -> nothing"])

    def test_a_mutant_is_one_change(self):
        for mutant in mutants.of_source("spring.cpp", SOURCE):
            changed = mutant.applied(SOURCE)
            self.assertNotEqual(changed, SOURCE)
            lines = [(a, b) for a, b in zip(SOURCE.splitlines(), changed.splitlines()) if a != b]
            self.assertEqual(len(lines), 1, mutant)
            self.assertIn(f"spring.cpp:{mutant.line}:", str(mutant))

    def test_a_trap_stands_in_front_of_the_statement(self):
        mutant = next(mutant for mutant in mutants.of_source("spring.cpp", SOURCE) if mutant.before == "1")
        self.assertIn("sum += F;\n    Q[1]".replace("F;", "F; __builtin_trap();"), mutant.probed(SOURCE))

    def test_plugins_have_enough(self):
        """Of every kind whose mathematics the kit judges, and at least 300 in all."""
        found = {}
        for kind in ("constraints", "forces", "functions", "integrators", "formulations", "systems"):
            files = [file for file in (KIT.parents[1] / "plugins" / kind).rglob("*.cpp")]
            found[kind] = sum(len(mutants.of_source(file.name, file.read_text())) for file in files)
            self.assertGreater(found[kind], 50, kind)
        self.assertGreater(sum(found.values()), 300)


unittest.main(verbosity=1)
