// The C interface: Simulation and RunDescription behind handles, exceptions as status codes.
#include "trammel/host/c_api.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "trammel/error.h"
#include "trammel/host/run_description.h"
#include "trammel/host/simulation.h"
#include "trammel/text/suggest.h"
#include "version.h"

struct trammel_simulation {
  std::unique_ptr<trammel::Simulation> run;
  std::string error, summary;
};

struct trammel_description {
  trammel::RunDescription run;
  std::string text;
};

namespace {

using trammel::Error;
using trammel::ErrorKind;

thread_local std::string error_without_handle;

Error usage(const std::string& text) { return {ErrorKind::usage, text}; }

/// Runs `call`; what it throws becomes a status and the text in `error`.
template <class Call>
trammel_status guarded_call(std::string& error, Call&& call) {
  try {
    error.clear();
    return call();
  } catch (const Error& thrown) {
    error = thrown.what();
    return static_cast<trammel_status>(thrown.kind());
  } catch (const std::exception& thrown) {  // std::bad_alloc, std::filesystem::filesystem_error
    error = thrown.what();
  } catch (...) {
    error = "an unknown exception";
  }
  return TRAMMEL_COMPUTE;
}

template <class Handle>
void require(const Handle* pointer, const char* what) {
  if (pointer == nullptr) throw usage(std::string(what) + " is NULL");
}

template <class Call>
trammel_status on(trammel_simulation* simulation, Call&& call) {
  std::string& error = simulation != nullptr ? simulation->error : error_without_handle;
  return guarded_call(error, [&] {
    require(simulation, "the simulation");
    return call(*simulation->run);
  });
}

template <class Description, class Call>
trammel_status on_description(Description* description, Call&& call) {
  return guarded_call(error_without_handle, [&] {
    require(description, "the description");
    call(*description);
    return TRAMMEL_OK;
  });
}

trammel::SimulationOptions options_of(const trammel_options* options) {
  trammel::SimulationOptions all;
  if (options == nullptr) return all;
  if (options->set_count > 0) require(options->set, "options.set");
  if (options->plugin_path_count > 0) require(options->plugin_path, "options.plugin_path");
  for (std::size_t i = 0; i < options->set_count; ++i) {
    require(options->set[i], "an entry of options.set");
    all.set.emplace_back(options->set[i]);
  }
  for (std::size_t i = 0; i < options->plugin_path_count; ++i) {
    require(options->plugin_path[i], "an entry of options.plugin_path");
    all.plugin_path.emplace_back(options->plugin_path[i]);
  }
  all.trust = options->trust != 0;
  return all;
}

/// `make` gives what Simulation is made of.
template <class Make>
trammel_status load(const trammel_options* options, trammel_simulation** out, Make&& make) {
  if (out != nullptr) *out = nullptr;
  return guarded_call(error_without_handle, [&] {
    require(out, "the place for the simulation");
    *out = new trammel_simulation{std::make_unique<trammel::Simulation>(make(), options_of(options)), {}, {}};
    return TRAMMEL_OK;
  });
}

template <class Make>
trammel_status describe(trammel_description** out, Make&& make) {
  if (out != nullptr) *out = nullptr;
  return guarded_call(error_without_handle, [&] {
    require(out, "the place for the description");
    *out = new trammel_description{make(), {}};
    return TRAMMEL_OK;
  });
}

const char* name_or_default(const char* name) { return name != nullptr ? name : "description"; }

trammel_status outcome(trammel::Simulation& run, std::string& error) {
  if (run.status() == trammel::RunStatus::completed) return TRAMMEL_OK;
  error = run.message();
  if (run.status() == trammel::RunStatus::interrupted) return TRAMMEL_INTERRUPTED;
  return run.failed_by_plugin() ? TRAMMEL_PLUGIN : TRAMMEL_COMPUTE;
}

trammel::ConstVectorView view_of(const trammel::Simulation& run, trammel_quantity quantity) {
  switch (quantity) {
    case TRAMMEL_POSITIONS: return run.positions();
    case TRAMMEL_VELOCITIES: return run.velocities();
    case TRAMMEL_ACCELERATIONS: return run.accelerations();
    case TRAMMEL_MULTIPLIERS: return run.multipliers();
    case TRAMMEL_ANY_QUANTITY: break;
  }
  throw usage("there is no such quantity");
}

void copy_out(const double* data, std::size_t count, double* buffer, std::size_t capacity, std::size_t* size) {
  require(size, "the place for the size");
  *size = count;
  if (buffer == nullptr && capacity == 0) return;
  require(buffer, "the buffer");
  if (capacity < count) {
    throw usage("there are " + std::to_string(count) + " values; the buffer holds " + std::to_string(capacity));
  }
  std::copy(data, data + count, buffer);
}

class Progress final : public trammel::RunObserver {
 public:
  Progress(trammel_progress call, void* user) : call_(call), user_(user) {}
  bool step(double t, double t_end, double h, long steps) override { return call_(t, t_end, h, steps, user_) != 0; }

 private:
  trammel_progress call_;
  void* user_;
};

}  // namespace

extern "C" {

const char* trammel_version_text(void) { return trammel::version(); }

const char* trammel_error_text(const trammel_simulation* simulation) {
  return simulation != nullptr ? simulation->error.c_str() : error_without_handle.c_str();
}

trammel_status trammel_load_file(const char* run_file, const trammel_options* options, trammel_simulation** out) {
  return load(options, out, [&] {
    require(run_file, "the run file's name");
    return std::filesystem::path(run_file);
  });
}

trammel_status trammel_load_text(const char* json, const char* name, const trammel_options* options,
                                 trammel_simulation** out) {
  return load(options, out, [&] {
    require(json, "the text");
    return trammel::RunDescription::from_text(json, name_or_default(name));
  });
}

trammel_status trammel_load_description(const trammel_description* description, const trammel_options* options,
                                        trammel_simulation** out) {
  return load(options, out, [&]() -> const trammel::RunDescription& {
    require(description, "the description");
    return description->run;
  });
}

void trammel_free(trammel_simulation* simulation) { delete simulation; }

trammel_status trammel_description_new(const char* name, trammel_description** out) {
  return describe(out, [&] { return trammel::RunDescription(name_or_default(name)); });
}

trammel_status trammel_description_from_text(const char* json, const char* name, trammel_description** out) {
  return describe(out, [&] {
    require(json, "the text");
    return trammel::RunDescription::from_text(json, name_or_default(name));
  });
}

trammel_status trammel_description_from_file(const char* run_file, trammel_description** out) {
  return describe(out, [&] {
    require(run_file, "the run file's name");
    return trammel::RunDescription::from_file(run_file);
  });
}

trammel_status trammel_description_set_number(trammel_description* description, const char* path, double value) {
  return on_description(description, [&](trammel_description& d) {
    require(path, "the path");
    d.run.set(path, value);
  });
}

trammel_status trammel_description_set_numbers(trammel_description* description, const char* path, const double* values,
                                               size_t count) {
  return on_description(description, [&](trammel_description& d) {
    require(path, "the path");
    if (count > 0) require(values, "the array of values");
    d.run.set(path, count > 0 ? std::vector<double>(values, values + count) : std::vector<double>());
  });
}

trammel_status trammel_description_set_text(trammel_description* description, const char* path, const char* text) {
  return on_description(description, [&](trammel_description& d) {
    require(path, "the path");
    require(text, "the text");
    d.run.set(path, text);
  });
}

trammel_status trammel_description_set_json(trammel_description* description, const char* path, const char* json) {
  return on_description(description, [&](trammel_description& d) {
    require(path, "the path");
    require(json, "the text");
    d.run.set(path, trammel::Value::json(json));
  });
}

trammel_status trammel_description_get(trammel_description* description, const char* path, const char** out) {
  return on_description(description, [&](trammel_description& d) {
    require(path, "the path");
    require(out, "the place for the text");
    d.text = d.run.get(path);
    *out = d.text.c_str();
  });
}

trammel_status trammel_description_save(const trammel_description* description, const char* file) {
  return on_description(description, [&](const trammel_description& d) {
    require(file, "the file's name");
    d.run.save(file);
  });
}

void trammel_description_free(trammel_description* description) { delete description; }

trammel_status trammel_write_results(trammel_simulation* simulation, const char* folder) {
  return on(simulation, [&](trammel::Simulation& run) {
    require(folder, "the folder's name");
    run.write_results(folder);
    return TRAMMEL_OK;
  });
}

trammel_status trammel_step(trammel_simulation* simulation, int* goes_on) {
  return on(simulation, [&](trammel::Simulation& run) {
    require(goes_on, "the place for the answer");
    *goes_on = run.step() ? 1 : 0;
    return outcome(run, simulation->error);
  });
}

trammel_status trammel_advance_to(trammel_simulation* simulation, double t, trammel_landing landing, int* reached) {
  return on(simulation, [&](trammel::Simulation& run) {
    require(reached, "the place for the answer");
    if (landing != TRAMMEL_DENSE_OUTPUT && landing != TRAMMEL_STEP_END) throw usage("there is no such landing");
    *reached =
        run.advance_to(t, landing == TRAMMEL_STEP_END ? trammel::Landing::step_end : trammel::Landing::dense_output);
    return outcome(run, simulation->error);
  });
}

trammel_status trammel_run(trammel_simulation* simulation, trammel_progress progress, void* user) {
  return on(simulation, [&](trammel::Simulation& run) {
    Progress observer(progress, user);
    run.run(progress != nullptr ? &observer : nullptr);
    return outcome(run, simulation->error);
  });
}

trammel_status trammel_finish(trammel_simulation* simulation) {
  return on(simulation, [&](trammel::Simulation& run) {
    run.finish();
    return outcome(run, simulation->error);
  });
}

trammel_status trammel_set_input(trammel_simulation* simulation, const char* name, double value) {
  return on(simulation, [&](trammel::Simulation& run) {
    require(name, "the input's name");
    run.set_input(name, value);
    return TRAMMEL_OK;
  });
}

double trammel_time(const trammel_simulation* simulation) {
  return simulation != nullptr ? simulation->run->time() : std::nan("");
}

double trammel_end_time(const trammel_simulation* simulation) {
  return simulation != nullptr ? simulation->run->end_time() : std::nan("");
}

trammel_status trammel_view(trammel_simulation* simulation, trammel_quantity quantity, const double** data,
                            size_t* size) {
  return on(simulation, [&](trammel::Simulation& run) {
    require(data, "the place for the address");
    require(size, "the place for the size");
    const trammel::ConstVectorView view = view_of(run, quantity);
    *data = view.data;
    *size = static_cast<std::size_t>(view.size);
    return TRAMMEL_OK;
  });
}

trammel_status trammel_copy(trammel_simulation* simulation, trammel_quantity quantity, double* buffer, size_t capacity,
                            size_t* size) {
  return on(simulation, [&](trammel::Simulation& run) {
    const trammel::ConstVectorView view = view_of(run, quantity);
    copy_out(view.data, static_cast<std::size_t>(view.size), buffer, capacity, size);
    return TRAMMEL_OK;
  });
}

size_t trammel_channel_count(const trammel_simulation* simulation) {
  return simulation != nullptr ? simulation->run->channels().size() : 0;
}

const char* trammel_channel_name(const trammel_simulation* simulation, size_t index) {
  return index < trammel_channel_count(simulation) ? simulation->run->channels()[index].c_str() : nullptr;
}

trammel_status trammel_channel_index(trammel_simulation* simulation, const char* name, size_t* index) {
  return on(simulation, [&](trammel::Simulation& run) {
    require(name, "the channel's name");
    require(index, "the place for the index");
    const std::vector<std::string>& names = run.channels();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      throw Error(ErrorKind::input,
                  "there is no channel '" + std::string(name) + "'" + trammel::did_you_mean(name, names));
    }
    *index = static_cast<std::size_t>(found - names.begin());
    return TRAMMEL_OK;
  });
}

trammel_status trammel_channel_values(trammel_simulation* simulation, double* buffer, size_t capacity, size_t* size) {
  return on(simulation, [&](trammel::Simulation& run) {
    const std::vector<double> values = run.channel_values();
    copy_out(values.data(), values.size(), buffer, capacity, size);
    return TRAMMEL_OK;
  });
}

size_t trammel_warning_count(const trammel_simulation* simulation) {
  return simulation != nullptr ? simulation->run->warnings().size() : 0;
}

const char* trammel_warning(const trammel_simulation* simulation, size_t index) {
  return index < trammel_warning_count(simulation) ? simulation->run->warnings()[index].c_str() : nullptr;
}

const char* trammel_message(const trammel_simulation* simulation) {
  return simulation != nullptr ? simulation->run->message().c_str() : "";
}

trammel_status trammel_summary(trammel_simulation* simulation, const char** json) {
  return on(simulation, [&](trammel::Simulation& run) {
    require(json, "the place for the text");
    simulation->summary = run.summary_json();
    *json = simulation->summary.c_str();
    return TRAMMEL_OK;
  });
}

}  // extern "C"
