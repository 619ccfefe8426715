"""Figures of printed works in what studies and tests leave; for scripts/papers and tests/papers."""
import json


def figures_of_study(path, results):
    """The figures of one study.json, and the cases that ended as expected."""
    study = json.loads(results.read_text())
    figures = []
    for e in study["expectations"]:
        if not e.get("row"):
            continue
        figures.append({
            "row": e["row"], "what": ": ".join(filter(None, [e["case"], e.get("metric", "status")])),
            "printed": e.get("printed"), "obtained": e["obtained"], "independent": e.get("value"),
            "tolerance": max(e.get("abs", 0), e.get("rel", 0) * abs(e.get("value", 0))), "timing": e.get("timing", False),
            "below": e.get("below"), "above": e.get("above"), "status": e.get("status"), "source": e.get("source", ""),
            "verdict": {"met": "holds", "missed": "fails"}.get(e["verdict"], "shown"), "by": path})
    return figures


def figures_of_test(text):
    figures = []
    for line in text.splitlines():
        if not line.startswith("paper_row "):
            continue
        e = json.loads(line[len("paper_row "):])
        figures.append({"row": e["row"], "what": e["what"], "printed": e.get("printed"), "obtained": e["obtained"],
                        "independent": e.get("independent"), "tolerance": e["tolerance"],
                        "verdict": "holds" if e["ok"] else "fails", "by": e["test"]})
    return figures
