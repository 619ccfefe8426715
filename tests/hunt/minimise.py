"""Makes a disagreement small: drops elements and bodies, simplifies numbers, shortens, while the disagreement stays."""
import copy
import time

import judge
import methods


def references_to(value, name):
    """Whether a JSON value names something."""
    if isinstance(value, str):
        return value == name
    if isinstance(value, list):
        return any(references_to(v, name) for v in value)
    if isinstance(value, dict):
        return any(references_to(v, name) for v in value.values())
    return False


def without(document, part, name):
    """The document without an element and all that refers to it."""
    document = copy.deepcopy(document)
    del document["system"][part][name]
    for other in ("constraints", "forces"):
        elements = document["system"].get(other, {})
        for element in elements.values():  # a list of bodies only gets shorter
            if element["type"] == "gravity" and len(element.get("bodies", [])) > 1 and name in element["bodies"]:
                element["bodies"].remove(name)
        for key in [k for k, e in elements.items() if references_to(e, name)]:
            document = without(document, other, key) if key in document["system"].get(other, {}) else document
            elements = document["system"].get(other, {})
        if other in document["system"] and not document["system"][other]:
            del document["system"][other]
    if "channels" in document["output"]:
        left = {**document["system"]["bodies"], **document["system"].get("constraints", {}), "energy": 0, "constraint": 0}
        document["output"]["channels"] = [c for c in document["output"]["channels"] if c.split(".")[0] in left]
    return document


def numbers(value, path=()):
    """Paths of all numbers in a JSON value."""
    if isinstance(value, dict):
        for key, v in value.items():
            yield from numbers(v, path + (key,))
    elif isinstance(value, list):
        for i, v in enumerate(value):
            yield from numbers(v, path + (i,))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, value


def replaced(document, path, value):
    document = copy.deepcopy(document)
    at = document
    for key in path[:-1]:
        at = at[key]
    if value is None:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return document


def candidates(document):
    """Smaller documents, the boldest first."""
    system = document["system"]
    for part in ("bodies", "forces", "constraints"):
        for name in list(system.get(part, {})):
            if part != "bodies" or len(system["bodies"]) > 1:
                yield without(document, part, name)
    if "gravity" in system:
        yield replaced(document, ("system", "gravity"), None)
    for name, body in system["bodies"].items():
        for key in ("velocity", "angular_velocity", "rotation", "angle"):
            if key in body:
                yield replaced(document, ("system", "bodies", name, key), None)
    for name, force in system.get("forces", {}).items():
        for key in ("damping", "friction", "point", "point_i", "point_j", "damper", "initial_force", "minimum", "maximum", "function", "wind", "law"):
            if key in force:
                yield replaced(document, ("system", "forces", name, key), None)
    shorter = copy.deepcopy(document)
    shorter["analysis"]["duration"] /= 2
    shorter["output"]["step"] /= 2
    yield shorter
    for path, value in list(numbers(system, ("system",))):
        for digits in (1, 2):
            rounded = float(f"%.{digits}g" % value)
            if rounded != value:
                yield replaced(document, path, int(rounded) if rounded == int(rounded) else rounded)
                break


def disagrees(document, meta, combination, trammel):
    """Whether the run of a document completes in silence with an error that its references do not have."""
    reference = judge.Reference(document, meta, trammel, limit=10)
    if reference.columns is None:
        return False
    outcome = trammel.run(methods.applied(document, combination, meta), limit=10)
    verdict = judge.Judge(document, meta, reference, trammel).classify(combination, outcome)[0]
    return verdict in (judge.SILENT, judge.LOOSE_RUN)


def smallest(document, meta, combination, trammel, seconds=60):
    """The smallest document found in a given time that still disagrees, with its method."""
    end = time.time() + seconds
    steps = combination[3]
    found = True
    while found and time.time() < end:
        found = False
        for candidate in candidates(document):
            if time.time() > end:
                break
            # A fixed step stays what it is when the run gets shorter.
            trial = combination
            if steps and candidate["analysis"]["duration"] != document["analysis"]["duration"]:
                trial = (*combination[:3], max(1, round(combination[3] * candidate["analysis"]["duration"] / document["analysis"]["duration"])))
            if disagrees(candidate, meta, trial, trammel):
                document, combination, found = candidate, trial, True
                break
    return methods.applied(document, combination, meta), meta
