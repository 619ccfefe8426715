"""Treatments and methods: every combination that a build can run, sampled by a seed."""
import random

FORMULATIONS = [{"type": "direct"}, {"type": "baumgarte", "alpha": 5}, {"type": "projection"}, {"type": "coordinate_partitioning"},
                {"type": "hybrid"}, {"type": "baumgarte", "alpha_h": 0.5}, {"type": "hybrid", "alpha_h": 0.3}, {"type": "recursive"}]
EXPLICIT = ["dopri5", "dopri853", "fehlberg45", "ddeabm"]  # the yardstick of conditioning
TOLERANCES = [1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10]
SECOND = {"ros2", "rosenbrock_nystrom_w2", "trapezoidal", "hht", "hht_i3", "newmark", "generalized_alpha"}  # order 2: no tight tolerances
STEPS = [250, 1000, 4000]  # fixed steps per run
SOLVERS = ["articulated", "dense", "range_space", "sparse"]  # a quarter of the runs names one


def first_order(types):
    """Methods on y' = f: with tolerances, with fixed steps."""
    adaptive = [{"type": t} for t in EXPLICIT] + [{"type": "adams", "control": "haug", "order": 8}]
    fixed = [{"type": t} for t in ("heun", "heun3", "kutta3", "rk4", "fehlberg45", "dopri5")]
    fixed += [{"type": "adams", "order": 3}, {"type": "adams", "order": 5, "mode": "predictor"}, {"type": "ampc", "order": 4},
              {"type": "mampc", "order": 5}, {"type": "euler"}]
    adaptive += [{"type": "radau_iia"}]
    if "cvode" in types:
        adaptive += [{"type": "cvode"}, {"type": "cvode", "method": "bdf"}, {"type": "arkode"}, {"type": "arkode", "method": "dirk"}]
    return adaptive, fixed


def second_order():
    """Methods on M^ w'' = Q^, under coordinate_partitioning and recursive."""
    adaptive = [{"type": t} for t in ("rosenbrock_nystrom", "rosenbrock_nystrom_w2", "rodas43", "ros2", "sdirk4", "trapezoidal", "hht",
                                      "newmark", "generalized_alpha", "bdf", "radau_iia")]
    fixed = [{"type": t} for t in ("velocity_verlet", "leapfrog", "beeman", "yoshida4", "central_differences", "newmark", "hht",
                                   "generalized_alpha", "wilson_theta", "rosenbrock_nystrom", "sdirk4", "trapezoidal")]
    fixed += [{"type": "bdf", "order": 3, "control": "fixed"}]
    fixed += [{"type": "conditionally_explicit", "set": s} for s in ("balanced_4", "alpha_3_4", "central_differences", "stable_6")]
    fixed += [{"type": "conditionally_explicit", "weights": [0.75, 0.8333333333333333, 1], "differenced_jerk": True},
              {"type": "conditionally_explicit", "weights": [1.3333333333333333, 0.3333333333333333, 0.6666666666666666], "analytic_jerk": True}]
    return adaptive, fixed


def constrained(types):
    """Methods on the index-3 system itself."""
    adaptive = [{"type": t} for t in ("hht", "hht_i3", "generalized_alpha", "newmark", "radau_iia")] + ([{"type": "ida"}] if "ida" in types else [])
    fixed = [{"type": t} for t in ("rattle", "hht", "hht_i3", "generalized_alpha", "newmark")]
    fixed += [{"type": "conditionally_explicit", "set": s} for s in ("balanced_4", "alpha_3_4", "central_differences")]
    fixed += [{"type": "conditionally_explicit", "solver": "null_space"}, {"type": "conditionally_explicit", "newton_matrix": "iterate"},
              {"type": "conditionally_explicit", "weights": [0.75, 0.8333333333333333, 1], "differenced_jerk": True}]
    return adaptive, fixed


def combinations(types):
    """[(treatment or None, method, adaptive)] of everything."""
    out = []
    for formulations, (adaptive, fixed) in ((FORMULATIONS, first_order(types)), ([FORMULATIONS[3], FORMULATIONS[7]], second_order()), ([None], constrained(types))):
        for formulation in formulations:
            stepwise = formulation and "alpha_h" in formulation
            out += [(formulation, m, True) for m in adaptive if m["type"] in types and not (stepwise and m["type"] in ("cvode", "arkode"))]
            out += [(formulation, m, False) for m in fixed if m["type"] in types and (not stepwise or m["type"] in ("adams", "ampc", "mampc"))]
    return out


def sample(types, seed, count):
    """`count` different runs: (treatment, integrator with tolerances or steps per run, steps or None). Two thirds have error control."""
    rng = random.Random(f"methods {seed}")
    everything = combinations(types)
    adaptive = [c for c in everything if c[2]]
    fixed = [c for c in everything if not c[2]]
    chosen = rng.sample(adaptive, min(len(adaptive), (2 * count + 2) // 3))
    chosen += rng.sample(fixed, min(len(fixed), count - len(chosen)))
    chosen = [(f, dict(m, linear_solver=rng.choice(SOLVERS)) if rng.random() < 0.25 else m, controlled) for f, m, controlled in chosen]
    return [(f, m, rng.choice(TOLERANCES[:4] if m["type"] in SECOND else TOLERANCES) if controlled else None, None if controlled else rng.choice(STEPS)) for f, m, controlled in chosen]


def absolute(rtol, meta):
    """atol that fits the model's units."""
    return rtol * 1e-2 * min(1.0, meta["length"], meta["length"] / meta["time"])


def applied(document, combination, meta):
    """The document with a treatment and a method."""
    formulation, method, rtol, steps = combination
    document = dict(document)
    document.pop("formulation", None)
    if formulation:
        document["formulation"] = formulation
    integrator = dict(method)
    if "linear_solver" in integrator:
        document["analysis"] = dict(document["analysis"], solver=integrator.pop("linear_solver"))
    if rtol:
        integrator.update(rtol=rtol, atol=absolute(rtol, meta))
    else:
        integrator["step"] = document["analysis"]["duration"] / steps
    document["integrator"] = integrator
    return document


def label(combination):
    formulation, method, rtol, steps = combination
    extra = ",".join(f"{v}" for k, v in method.items() if k != "type")
    return f"{formulation['type'] if formulation else 'index3'}/{method['type']}{'(' + extra + ')' if extra else ''}/" + (f"{rtol:g}" if rtol else f"T/{steps}")


def references(document, meta, seed):
    """Two independent runs of bounded steps."""
    duration = document["analysis"]["duration"]
    bound = min(duration / 2000, meta["finest"])
    integrator = {"type": "dopri853", "rtol": 1e-13, "atol": absolute(1e-13, meta), "max_step": bound}
    second = random.Random(f"reference {seed}").choice([FORMULATIONS[3], FORMULATIONS[0], FORMULATIONS[1]])
    return [dict(document, formulation=FORMULATIONS[2], integrator=integrator), dict(document, formulation=second, integrator=integrator)]


def yardsticks(rtol):
    """Explicit runs whose median error is the conditioning at a tolerance."""
    return [(FORMULATIONS[2], {"type": "dopri5"}, rtol, None), (FORMULATIONS[2], {"type": "dopri853"}, rtol, None),
            (FORMULATIONS[0], {"type": "fehlberg45"}, rtol, None), (FORMULATIONS[1], {"type": "ddeabm"}, rtol, None),
            (FORMULATIONS[0], {"type": "dopri5"}, rtol, None)]
