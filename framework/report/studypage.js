// The page of a study: verdicts, diagrams in log-log, tables.
import { card, el, table } from "./dom.js";
import { number } from "./format.js";
import { CaseTable } from "./casetable.js";
import { Explorer } from "./explorer.js";
import { HeatMap } from "./heatmap.js";
import { sortable } from "./sorting.js";
import { pill } from "./summary.js";

function expected(e) {
  if (e.status !== undefined) return e.status;
  if (e.value !== undefined) {
    const bands = [e.abs !== undefined ? number(e.abs) : null, e.rel !== undefined ? `${number(100 * e.rel)} %`
      : null].filter(Boolean);
    return `${number(e.value)} ± ${bands.join(" or ")}`;
  }
  return [e.above !== undefined ? `≥ ${number(e.above)}` : null, e.below !== undefined ? `≤ ${number(e.below)}`
    : null].filter(Boolean).join(", ");
}

function verdictTable(expectations) {
  const rows = expectations.map((e) => {
    const row = [e.case ?? "", e.metric ?? "status", e.printed === undefined ? "" : number(e.printed), expected(e),
      typeof e.obtained === "string" ? e.obtained : number(e.obtained), e.verdict + (e.timing ? " (timing)" : ""),
        e.source ?? ""];
    row.state = e.verdict === "missed" ? "failed" : "";
    return row;
  });
  return sortable(table(["case", "metric", "printed", "expected", "obtained", "verdict", "source"], rows,
    { label: "Expectations" }));
}

function orderTable(orders) {
  return sortable(table(["order", "cases", "slope"], orders.map((order) => [order.metric, order.cases, number(order.slope, 4)]),
    { label: "Orders" }));
}

function estimateTable(estimates) {
  const several = new Set(estimates.map((one) => one.cases)).size > 1;
  return sortable(table(["estimate", ...(several ? ["cases"] : []), "value", "from", "to"], estimates.map((one) =>
    [one.metric, ...(several ? [one.cases] : []), ...[one.value, one.low, one.high].map((value) => number(value, 5))]),
  { label: "Estimates" }));
}

export function studyPage(content, app) {
  const { study } = content;
  const met = study.expectations.filter((e) => e.verdict === "met").length;
  const missed = study.expectations.filter((e) => e.verdict === "missed").length;
  const explorer = new Explorer(study);
  const caseTable = new CaseTable(explorer.cases, study);
  const heat = HeatMap.fits(explorer.cases) ? new HeatMap(explorer.cases) : null;
  const messages = study.cases.filter((one) => one.message).map((one) => [one.name, one.message]);
  app.append(
    el("header.title", {}, el("div", {}, el("h1", {}, content.title),
      el("p", {}, [study.source, `${study.cases.length} cases`,
        study.expectations.length > 0 ? `${met} expectations met, ${missed} missed` : null].filter(Boolean).join(" · "))),
    pill(study.status)),
    el("main.one", {}, explorer.element),
    el("div.below", {},
      card("Cases", caseTable.element),
      heat?.element ?? null,
      study.estimates?.length > 0 ? card("Estimates", estimateTable(study.estimates)) : null,
      study.orders.length > 0 ? card("Orders", orderTable(study.orders)) : null,
      study.expectations.length > 0 ? card("Expectations", verdictTable(study.expectations)) : null,
      messages.length > 0 ? card("Messages", table(["case", "message"], messages, { label: "Messages" })) : null),
    el("footer", {}, `Written by ${content.generator}; everything is in this one file.`));
  explorer.start();
  return { explorer, caseTable, heat };
}
