"""What tests/papers/nightly.json keeps of nightly studies, and its judgement by today's expectations; for scripts/papers."""
import json
import re


def read_commented(path):
    """A study or run file: JSON with comments."""
    return json.loads(re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*', lambda found: found[1] or "", path.read_text()))


def kept(results):
    """Of one study.json: how its cases ended, their metrics, and the orders."""
    study = json.loads(results.read_text())
    cases = {case["name"]: {"status": case["status"], **case.get("metrics", {})} for case in study["cases"]}
    return {"cases": cases, "orders": study.get("orders", [])}


def merged(record, path, results):
    """The record with one study's results in place of those that it had; other studies stay."""
    return dict(sorted({**record, path: kept(results)}.items()))


def written(record):
    """The record as text, a case on each line."""
    studies = []
    for path, study in record.items():
        cases = ",\n".join(f"      {json.dumps(name)}: {json.dumps(case)}" for name, case in study["cases"].items())
        studies.append(f'    {json.dumps(path)}: {{\n    "orders": {json.dumps(study["orders"])},\n'
                       f'    "cases": {{\n{cases}\n    }} }}')
    return ('{\n  "about": "Metrics of the nightly studies as last run, which scripts/papers judges by their '
            'expectations.",\n  "studies": {\n' + ",\n".join(studies) + "\n  }\n}\n")


def metric_of(study, cases, name, metric):
    """A case's recorded metric; quotients of recorded ones are formed here, so that a study can gain some."""
    found = cases.get(name, {}).get(metric)
    definition = study["metrics"].get(metric, {})
    if found is not None or definition.get("type") != "ratio":
        return found
    if name not in definition.get("cases", cases):
        return None
    above, below = (cases.get(n, {}).get(definition["of"]) for n in (name, definition["to"]))
    return above / below if above is not None and below else None


def obtained_for(study, record, expectation):
    """(name, obtained figure or status) for each case that the expectation judges."""
    metric, case = expectation.get("metric"), expectation.get("case")
    if study["metrics"].get(metric, {}).get("type") == "order":
        return [(o["cases"], o["slope"]) for o in record.get("orders", [])
                if o["metric"] == metric and case in (None, o["cases"])] or [(case, None)]
    cases = record.get("cases", {})
    if "status" in expectation:
        return [(name, cases.get(name, {}).get("status")) for name in ([case] if case else cases)]
    if case:
        return [(case, metric_of(study, cases, case, metric))]
    found = [(name, metric_of(study, cases, name, metric)) for name in cases]
    return [pair for pair in found if pair[1] is not None] or [(None, None)]


def verdict_of(e, obtained):
    """As the study's own: within the tolerance of a value, or within bounds; a figure that no run has left is pending."""
    if obtained is None:
        return "pending"
    if "status" in e:
        return "holds" if obtained == e["status"] else "fails"
    if "value" in e:
        met = abs(obtained - e["value"]) <= max(e.get("abs", 0), e.get("rel", 0) * abs(e["value"]))
    elif "below" in e or "above" in e:
        met = e.get("above", float("-inf")) <= obtained <= e.get("below", float("inf"))
    else:
        return "shown"
    return "holds" if met else "fails"


def figures_of_record(path, study, record):
    """Figures of a nightly study, from its file and from what is recorded of its last run ({} before the first)."""
    figures = []
    for e in study["expect"]:
        row = e.get("row") or study.get("row")
        if not row:
            continue
        for name, obtained in obtained_for(study, record, e):
            figures.append({
                "row": row, "what": ": ".join(filter(None, [name, e.get("metric", "status")])),
                "printed": e.get("printed"), "obtained": obtained, "independent": e.get("value"),
                "tolerance": max(e.get("abs", 0), e.get("rel", 0) * abs(e.get("value", 0))), "timing": e.get("timing", False),
                "below": e.get("below"), "above": e.get("above"), "status": e.get("status"), "source": e.get("source", ""),
                "verdict": verdict_of(e, obtained), "by": path})
    return figures
