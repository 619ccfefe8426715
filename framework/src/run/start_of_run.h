// The start of a run: what the run file asks of it, its refusal with the place in the file, and the choice of a method
// that rests on it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/analysis_run.h"
#include "config/run_file.h"
#include "run/methods.h"
#include "run/plant/model_start.h"
#include "trammel/error.h"

namespace trammel {

/// [setup] What the run file asks of the start, with the limit of corrections in force where it names none.
StartOptions start_options(const RunFile& run);

/// [setup] Throws what `make_start` threw, with its place and with what the analysis has to say about it.
[[noreturn]] void refuse_start(const Error& thrown, const RunFile& run, const AnalysisRun& analysis,
                               const Model& model);

/// [setup] Corrections of the start that nobody asked for, redundant rows, mechanisms that cannot move.
/// `asked`: for conditions or another start than the one given, so that corrections are no warning.
std::vector<std::string> remarks_on_start(const ModelStart& start, const ConstrainedModel& numbers, bool asked);

/// [setup] Puts the choice of a method into the run file. Where it took the model's start, that is returned, which is
/// then that of the run.
std::optional<ModelStart> choose_method(PluginHost& host, RunFile& run, Model& model, const AnalysisRun& analysis,
                                        Methods& methods);

}  // namespace trammel
