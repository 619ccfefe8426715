// What the page of a run says beside its rows: title, scene, parts of the model, what the run file asks for.
#pragma once

#include "report/report.h"

namespace trammel {

/// From the summary, or from the rows alone; the results' own units and model stand beside it, not in its summary.
ReportJson run_content(const RunResults& results);

/// A packed block's columns as the page reads them; `table`: what was packed.
ReportJson block_json(const ColumnBlock& block, const ResultTable& table);

}  // namespace trammel
