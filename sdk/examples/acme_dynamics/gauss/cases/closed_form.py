"""Writes vibration.csv: forced vibration x'' + 4 x = sin(t / 2) from x = 1, x' = 0.5 / 3.75."""
import math

with open("vibration.csv", "w") as file:
    file.write("t,x\n")
    for t in range(9):
        file.write(f"{t},{math.cos(2 * t) + math.sin(t / 2) / 3.75:.17g}\n")
