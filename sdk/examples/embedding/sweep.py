"""Trammel from Python: how the crank's mass changes the largest reaction of its pin.

    PYTHONPATH=PREFIX/lib/trammel/python python3 sweep.py RUN.json
"""
import sys

import numpy
import trammel


def largest_reaction(run_file, mass):
    sim = trammel.Simulation(run_file, set={"system.bodies.crank.mass": mass, "analysis.duration": 1})
    history = sim.record(["pin.force.x", "pin.force.y"], at="steps")
    sim.run()
    return numpy.hypot(history["pin.force.x"], history["pin.force.y"]).max()


try:
    for mass in numpy.linspace(0.5, 2, 4):
        print(f"{mass:5.2f} kg  {largest_reaction(sys.argv[1], mass):10.4f} N")
except trammel.Error as error:
    print(error, file=sys.stderr)
    sys.exit(error.exit_code)
