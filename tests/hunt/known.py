"""What each case in cases/ is, in numbers: closed forms where there are some, else a second way to compute it.

`must`: a run gets it right. Otherwise a warning or a refusal will do. `accusing`: a remark on the model alone is not enough.
"""
import math

import judge
import methods
from runner import accuses, read_document


class Check:
    def __init__(self, exact, value, must=True, accusing=True):
        self.exact, self.must, self.accusing = exact, must, accusing
        self.value = lambda outcome, trammel, path: value(outcome, trammel, path)


def column(name, exact, tolerance, must=True, label=None):
    """The last row of a channel."""
    def value(outcome, trammel, path):
        got = outcome.columns[name][-1]
        return f"{name} = {got:.7g}", abs(got - exact) <= tolerance
    return Check(label or f"{name} = {exact:.6g}", value, must)


def rows(name, function, tolerance, label, must=True):
    """A channel against a closed form in every row."""
    def value(outcome, trammel, path):
        off = max(abs(x - function(t)) for t, x in zip(outcome.columns["t"], outcome.columns[name]))
        return f"{name} off by {off:.2g}", off <= tolerance
    return Check(label, value, must)


def bound(name, low, high, label):
    def value(outcome, trammel, path):
        values = outcome.columns[name]
        return f"{name} from {min(values):.5g} to {max(values):.5g}", low <= min(values) and max(values) <= high
    return Check(label, value)


def told(label, accusing=True):
    """Nothing in the numbers can be right: it has to be said."""
    return Check(label, lambda outcome, trammel, path: ("completed", False), must=False, accusing=accusing)


def study():
    """Judged by its expectations."""
    return Check("all expectations", lambda outcome, trammel, path: ("", True))


def freedoms(exact, modes=False):
    def value(outcome, trammel, path):
        got = outcome.summary["dimensions"]["degrees_of_freedom"]
        # Two eigenvalues per freedom: a pair in one row, or two real ones.
        found = sum(1 if i == 0 else 2 for i in outcome.tables.get("modes.csv", {}).get("imag", []))
        stuck = any("cannot move" in w for w in outcome.warnings)  # no word of that, either
        return (f"{got} freedoms" + (f", {found} eigenvalues" if modes else ""),
                got == exact and not stuck and (not modes or found == 2 * exact))
    return Check(f"{exact} freedoms", value)


def second_way(tolerance, must=True):
    """Against dopri853 at 1e-13 with bounded steps."""
    def value(outcome, trammel, path):
        document = read_document(path)
        meta = {"length": 1.0, "time": 1.0, "finest": math.inf}
        document["analysis"].setdefault("type", "dynamics")
        reference = trammel.run(methods.references(document, meta, 1)[0])
        off, channel, at = judge.error(outcome.columns, reference.columns, document, meta)
        return f"off by {off:.2g} ({channel} at {at:.3g})", off <= tolerance
    return Check(f"second way, {tolerance:g}", value, must)


def unaccused(tolerance):
    """Right, and not accused."""
    right = second_way(tolerance).value

    def value(outcome, trammel, path):
        obtained, holds = right(outcome, trammel, path)
        accused = [w for w in outcome.warnings if accuses(w)]
        return obtained + (f"; accused: {accused[0][:60]}" if accused else ""), holds and not accused
    return Check(f"second way, {tolerance:g}, without a warning", value)


def quintic(s):
    s = min(1.0, max(0.0, s))
    return s ** 3 * (10 - 15 * s + 6 * s * s)


def energy(exact, tolerance, must=True):
    def value(outcome, trammel, path):
        off = max(abs(x - exact) for x in outcome.columns["energy.kinetic"])
        return f"energy off by {off:.2g} J", off <= tolerance
    return Check(f"kinetic energy {exact:g} J", value, must)


def energy_of_bodies(exact, tolerance):
    """Energy of the dumbbell, from the rows."""
    def value(outcome, trammel, path):
        c = outcome.columns
        got = max(0.5 * sum(m * (vx * vx + vy * vy) + 0.1 * w * w for m, vx, vy, w in
                            ((1, c["a.vx"][i], c["a.vy"][i], c["a.omega"][i]), (2, c["b.vx"][i], c["b.vy"][i], c["b.omega"][i])))
                  for i in range(len(c["t"])))
        return f"energy up to {got:.4g} J", abs(got - exact) <= tolerance
    return Check(f"{exact} J", value, must=False)


def work_of_pulse(outcome, trammel, path):
    work, drift = outcome.columns["energy.work"][-1], outcome.summary["max"]["energy_drift"]
    return f"work {work:.5g} J, drift {drift:.2g} J", abs(work - 4) < 1e-3 and abs(drift) < 1e-3


def dropped_bar(outcome, trammel, path):
    """Against free flights between impacts; the first zero of a tip's height is found by a fine scan."""
    y, v, phi, omega, now, truth = 5.0, 0.0, 0.0, 20.0, 0.0, []
    while now < 2.0:
        def heights(s):
            height = y + v * s - 9.81 / 2 * s * s
            return [height + side * 0.5 * math.sin(phi + omega * s) for side in (1, -1)]
        s, step, hit = 1e-7, 2e-5, None
        while now + s < 2.0 and hit is None:
            for tip in (0, 1):
                if heights(s + step)[tip] < 0 <= heights(s)[tip]:
                    low, high = s, s + step
                    for _ in range(60):
                        middle = (low + high) / 2
                        low, high = (middle, high) if heights(middle)[tip] > 0 else (low, middle)
                    hit = (low, tip)
            s += step
        end = hit[0] if hit else 2.0 - now
        truth.append((now, end, y, v, phi, omega))
        y, v, phi = y + v * end - 9.81 / 2 * end * end, v - 9.81 * end, phi + omega * end
        now += end
        if hit:
            arm = (1, -1)[hit[1]] * 0.5 * math.cos(phi)
            impulse = -1.5 * (v + omega * arm) / (1 + 12 * arm * arm)
            v, omega = v + impulse, omega + 12 * arm * impulse
        if len(truth) > 2:
            break
    worst, below = 0.0, 0.0
    for t, height, angle in zip(outcome.columns["t"], outcome.columns["bar.y"], outcome.columns["bar.phi"]):
        below = min(below, height - 0.5 * abs(math.sin(angle)))
        for begin, length, y, v, _, _ in truth:
            if begin <= t < begin + length:
                worst = max(worst, abs(y + v * (t - begin) - 9.81 / 2 * (t - begin) ** 2 - height))
    return f"off by {worst:.2g} m, {-below:.2g} m below the floor", worst < 1e-4 and below > -1e-6


def mode_of(omega):
    def value(outcome, trammel, path):
        modes = outcome.tables.get("modes.csv", {})
        found = any(abs(abs(i) - omega) < 1e-4 and abs(r) < 1e-4 for i, r in zip(modes.get("imag", []), modes.get("real", [])))
        return f"{len(modes.get('mode', []))} modes" + ("" if found else f", none at {omega:g} rad/s"), found
    return Check(f"undamped {omega:g} rad/s", value)


def comes_down(outcome, trammel, path):
    y = outcome.columns["p.y"][-1]
    return f"p.y = {y:.5g}", abs(y + 1) < 1e-4


def same_at_other_outputs(outcome, trammel, path):
    document = read_document(path)
    off = 0.0
    for step in (2.0, 0.02):
        other = trammel.run(dict(document, output=dict(document["output"], step=step)))
        off = max([off] + [abs(other.columns[n][-1] - outcome.columns[n][-1]) for n in outcome.columns if n.split(".")[0] in ("a", "b")])
    return f"end differs by {off:.2g}", off == 0.0


def similar(outcome, trammel, path):
    """The same mechanism with lengths in metres."""
    import transform
    big = trammel.run(transform.rescale(read_document(path), 1e6, 1, 1))
    off = max(abs(a - b) for name in ("rod.phi", "crank.phi") for a, b in zip(big.columns[name], outcome.columns[name]))
    return f"angles off by {off:.2g} rad", off < 1e-5


def bouncing(t, height=1.3, restitution=0.9, g=9.81):
    """Height of a ball that is dropped on a floor."""
    flight, speed = math.sqrt(2 * height / g), 0.0
    if t < flight:
        return height - g * t * t / 2
    t, speed = t - flight, restitution * math.sqrt(2 * g * height)
    while t > 2 * speed / g:
        t, speed = t - 2 * speed / g, restitution * speed
    return speed * t - g * t * t / 2


def short_forcing():
    """Integral of 1000 max(0, sin(100 t) - 0.999) from 0 to 3."""
    level, total, k = 0.999, 0.0, 0
    a = math.asin(level)
    while (a + 2 * math.pi * k) / 100 < 3:
        begin, end = (a + 2 * math.pi * k) / 100, min(3.0, (math.pi - a + 2 * math.pi * k) / 100)
        total += 1000 * ((math.cos(100 * begin) - math.cos(100 * end)) / 100 - level * (end - begin))
        k += 1
    return total


CHECKS = {
    "B1_dumbbell_cp": rows("a.x", lambda t: 2 / 3 - 2 / 3 * math.cos(6 * t), 1e-6, "2/3 - 2/3 cos 6t"),
    "B2_free_body_trapezoidal": energy(5.2, 5.2e-3),
    "C1_planetary_gear": rows("arm.phi", lambda t: 0.15 / 0.0237925 * t * t, 1e-4, "6.3045 t^2"),
    "E1_work_of_a_pulse": Check("work 4 J, drift 0", work_of_pulse),
    "F1_pulse_between_grid_points": column("mass.vx", 2 * 100 * 0.008 * 64 / 140, 1e-2, must=False),
    "F3_ampc_unstable": rows("m.x", lambda t: 1 + 1e-3 * math.cos(1000 * t), 1e-4, "1e-3 m", must=False),
    "F4_newmark_index3": energy_of_bodies(13.5, 0.01),
    "L1_pad_jumped": bound("mass.y", 0.05, 1.0, "above 0.05 m"),
    "L3_barrier_with_declared_breaks": bound("m.x", -1, 6.0302, "stops before 6.0302 m"),
    "L5_pulse_formula": column("mass.vx", 2 * math.sqrt(math.pi), 1e-6),
    "L6_wide_bump_trapezoidal": column("mass.vx", 2 * 64 / 140 * 6, 1e-4),
    "L8_dropped_bar_misses_floor": Check("closed form", dropped_bar),
    "L10_hybrid_driver_rows_off": rows("arm.x", lambda t: 0.5 * math.cos(15 * quintic(t / 3)), 1e-4, "0.5 cos f(t)"),
    "J1_screw_started_turns_on": rows("th.displacement", lambda t: 9e-5 / (2 * math.pi) * (5 + t), 1e-10, "closed form"),
    "L11_inverse_dynamics_turns": column("d.effort", 62.83185307179586, 1e-6),
    "M1_mode_left_out": mode_of(1.0),
    "M3_stays_on_top": Check("p.y = -1", comes_down),
    "O1_output_step_changes_motion": Check("same bits", same_at_other_outputs),
    "R1_door_on_two_hinges": freedoms(1, modes=True),
    "R2_two_ball_joints": freedoms(1, modes=True),
    "R4_slider_crank_of_a_micrometre": Check("as in metres", similar),
    "S1_fehlberg45_rows": rows("m.x", lambda t: t ** 4 / 6, 1667 * 1e-6, "t^4/6"),
    "S2_sdirk4_at_kinks": second_way(1e-5),
    "H1_pulse_behind_the_last_stage": second_way(1e-6),
    "H2_euler_with_contacts": second_way(0.01, must=False),
    "H3_pushes_between_kinks": second_way(1e-6),
    "H4_errors_equal_by_chance": second_way(0.01, must=False),
    "H5_errors_grow_late": second_way(0.01, must=False),
    "H6_right_row_in_a_long_step": unaccused(1e-9),
    "H7_half_as_long_is_no_better": second_way(0.02, must=False),
    "H8_velocities_beside_impacts": second_way(0.02, must=False),
    "H9_errors_multiplied_late": second_way(0.02, must=False),
    "T1_errors_multiplied_by_a_linkage": second_way(0.05, must=False),
    "T2_errors_multiplied_in_space": second_way(0.05, must=False),
    "T3_local_errors_add_up": second_way(0.05, must=False),
    "P1_colliding_discs": column("a.vy", 1.0416507, 1e-3),
    "P2_kick_beside_an_oscillator": column("b.vy", 200 * 0.005 * math.sqrt(math.pi), 1e-5),
    "P3_kick_between_fixed_steps": column("b.vy", 200 * 0.006 * math.sqrt(math.pi), 1e-2, must=False),
    "P4_late_kick_between_fixed_steps": column("b.vy", 200 * 0.0015 * math.sqrt(math.pi), 1e-2, must=False),
    "P5_hump_beside_a_swing": column("a.vx", math.sqrt(0.92 ** 2 - 2 * 263.053 * 4 / 3 * 0.000376), 1e-4),
    "Q1_settling_leaves_states": column("motor.force", 3, 1e-6, must=False),
    "Q2_kinematics_leaves_states": column("motor.force", 2.2 * (1 - math.exp(-4)), 1e-6, must=False),
    "Q3_settling_before_states": column("motor.force", 3, 1e-9),
    "Q4_settling_to_another_rest": column("motor.force", 1, 1e-9),
    "Q5_settling_while_drivers_go_on": column("bar.x", 1, 1e-9),
    "V1_event_beside_impacts": rows("b.y", bouncing, 1e-6, "closed form"),
    "ball_on_stop": second_way(0.05, must=False),
    "one_sided_damper": second_way(0.05, must=False),
    "linearize_at_a_kink": told("a warning", accusing=False),
    "delay_of_a_fast_wave": rows("late", lambda t: math.cos(20*(t - 1)), 1e-2, "late = cos(20 (t - 1))", must=False),
    "force_follows_a_force": rows("other.x", lambda t: 1 - math.cos(2*t), 1e-6, "other.x = 1 - cos(2 t)"),
    "response_at_a_resonance": told("a warning", accusing=False),
    "big_step_rk4": told("a warning"),
    "step_longer_than_run": told("a warning or a refusal"),
    "degrees_for_radians": told("a warning", accusing=False),
    "stop_pressed_in_at_start": told("a warning or a refusal", accusing=False),
    "door_on_two_hinges": freedoms(1),
    "shaft_in_two_bearings": freedoms(2),
    "fast_forcing_missed": column("m.vx", short_forcing(), 1e-6),
    "short_pulse_missed": column("m.vx", math.sqrt(math.pi), 1e-6),
    "study_over_misspelt_parameter": told("exit 2"),
    "M1_metrics_beside_jumps_study": study(),
    "planar_drivers_absolute_or_relative": told("a warning", accusing=False),
    "spatial_angle_driver_relative_to_drawing": told("a warning", accusing=False),
    "translation_driver_from_sketch": told("a warning", accusing=False),
}

# Cases that fail when this table was last looked at: shown, and not counted unless --all is given.
OPEN = set()
