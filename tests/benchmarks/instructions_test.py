"""Instructions of fixed work are those of instructions.json within its tolerance; planted changes are found.

Arguments: TRAMMEL COUNT_WORK. How to write new figures down: docs/performance.md.
"""
import json
import sys
import unittest
from pathlib import Path

import instructions

COUNT_WORK, TRAMMEL = sys.argv.pop(2), sys.argv.pop(1)
DOCUMENT = json.loads(Path(__file__).with_name("instructions.json").read_text(encoding="utf-8"))


class Differences(unittest.TestCase):
    def test_planted_changes(self):
        def found(count):
            return instructions.differences({"step": 1000}, {"step": count}, 0.02)
        for count in (980, 1000, 1020):
            self.assertEqual(found(count), [])
        self.assertEqual(found(1030), ["step: 1000 -> 1030 instructions (+3.0%)"])
        self.assertEqual(found(970), ["step: 1000 -> 970 instructions (-3.0%)"])

    def test_planted_names(self):
        self.assertEqual(instructions.differences({"old": 1}, {"new": 2}, 0.02),
                         ["old: 1 in the file, no longer counted", "new: 2 counted, not in the file"])


class Figures(unittest.TestCase):
    def test_instructions(self):
        counts, kernels = instructions.measure(TRAMMEL, COUNT_WORK, jobs=2)
        if kernels != DOCUMENT["kernels"]:
            self.skipTest(f"figures are for {DOCUMENT['kernels']}, this processor runs {kernels}")
        lines = instructions.differences(DOCUMENT["figures"], counts, DOCUMENT["tolerance"])
        remedy = "If this is meant: cmake --build BUILD --target write_instructions"
        self.assertEqual(lines, [], "\n".join(["", *lines, remedy]))


if __name__ == "__main__":
    RESULT = unittest.main(exit=False).result
    sys.exit(1 if not RESULT.wasSuccessful() else instructions.OTHER_KERNELS if RESULT.skipped else 0)
