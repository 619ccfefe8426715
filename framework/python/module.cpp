// trammel._kernel: Simulation for Python, with NumPy arrays that look into the kernel's memory. trammel/__init__.py makes the
// package of it.
#include <pybind11/eval.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <chrono>
#include <exception>
#include <mutex>
#include <optional>

#include "trammel/error.h"
#include "trammel/run_description.h"
#include "trammel/simulation.h"

namespace py = pybind11;

namespace {

using trammel::Simulation;

/// One thread at a time may be inside the kernel. Recursive: a progress function may use another simulation.
std::recursive_mutex kernel_mutex;

/// Runs `call` inside the kernel without Python's lock.
template <class Call>
auto in_kernel(Call&& call) {
  py::gil_scoped_release released;
  const std::lock_guard<std::recursive_mutex> lock(kernel_mutex);
  return call();
}

/// Ctrl-C and the progress function. What Python raises waits until the kernel has returned.
class Progress final : public trammel::RunObserver {
 public:
  explicit Progress(py::object call) : call_(std::move(call)) {}

  bool step(double t, double t_end, double h, long steps) override {
    const auto now = Clock::now();
    const bool has_call = !call_.is_none();
    if (!has_call && now - looked_ < std::chrono::milliseconds(50)) return true;
    looked_ = now;
    const py::gil_scoped_acquire acquired;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!has_call) return true;
      const py::object answer = call_(t, t_end, h, steps);
      return answer.is_none() || answer.cast<bool>();
    } catch (...) {
      raised_ = std::current_exception();
    }
    return false;
  }

  void rethrow() const {
    if (raised_) std::rethrow_exception(raised_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  py::object call_;
  Clock::time_point looked_ = Clock::now();
  std::exception_ptr raised_;
};

/// The history of some channels, as far as the run has come.
class Recording final : public trammel::ChannelObserver {
 public:
  Recording(std::vector<std::string> names, const std::string& at) : names_(std::move(names)) {
    if (at == "output")
      kind_ = At::output;
    else if (at == "steps")
      kind_ = At::step;
    else if (at == "times")
      kind_ = At::time;
    else
      throw py::value_error("at is one of 'output', 'steps', 'times', not '" + at + "'");
  }

  void sample(At at, double t, double, trammel::ConstVectorView values) override {
    // The start is a time of its own only where times were asked for.
    const bool start = at == At::start && kind_ != At::time;
    if (at != kind_ && !start) return;
    numbers_.push_back(t);
    numbers_.insert(numbers_.end(), values.data, values.data + values.size);
  }

  const std::vector<std::string>& names() const { return names_; }

  /// A row per sample: t and the channels.
  py::array_t<double> rows() const {
    const auto width = static_cast<py::ssize_t>(names_.size() + 1);
    const py::ssize_t count = static_cast<py::ssize_t>(numbers_.size()) / width;
    py::array_t<double> all({count, width});
    std::copy(numbers_.begin(), numbers_.end(), all.mutable_data());
    return all;
  }

 private:
  std::vector<std::string> names_;
  At kind_ = At::output;
  std::vector<double> numbers_;
};

/// A simulation with what has to live as long.
struct Run {
  std::unique_ptr<Simulation> simulation;
  std::shared_ptr<Recording> recording;

  ~Run() {
    if (simulation != nullptr) in_kernel([this] { simulation.reset(); });
  }

  /// Multipliers are finished on demand; arrays that look at them are to see the finished ones.
  void settle() const { simulation->multipliers(); }

  void raise_if_failed() const {
    if (simulation->status() != trammel::RunStatus::failed) return;
    throw trammel::Error(simulation->failed_by_plugin() ? trammel::ErrorKind::plugin : trammel::ErrorKind::compute,
                         simulation->message());
  }
};

trammel::SimulationOptions options_of(const std::vector<std::string>& set,
                                      const std::vector<std::filesystem::path>& plugin_path) {
  return {set, plugin_path};
}

/// Read only, without a copy; keeps the simulation alive.
template <trammel::ConstVectorView (Simulation::*member)() const>
py::array_t<double> view(const py::object& self) {
  const trammel::ConstVectorView values = (self.cast<Run&>().simulation.get()->*member)();
  py::array_t<double> array({static_cast<py::ssize_t>(values.size)}, {static_cast<py::ssize_t>(sizeof(double))},
                            values.data, self);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

const char* name_of(trammel::RunStatus status) {
  switch (status) {
    case trammel::RunStatus::completed:
      return "completed";
    case trammel::RunStatus::failed:
      return "failed";
    case trammel::RunStatus::interrupted:
      break;
  }
  return "interrupted";
}

bool step(Run& run) {
  const bool goes_on = in_kernel([&] {
    const bool stepped = run.simulation->step();
    run.settle();
    return stepped;
  });
  run.raise_if_failed();
  return goes_on;
}

bool advance_to(Run& run, double t, const std::string& landing, py::object progress) {
  if (landing != "dense_output" && landing != "step_end") {
    throw py::value_error("landing is 'dense_output' or 'step_end', not '" + landing + "'");
  }
  Progress observer(std::move(progress));
  const auto how = landing == "step_end" ? trammel::Landing::step_end : trammel::Landing::dense_output;
  const bool reached = in_kernel([&] {
    const bool there = run.simulation->advance_to(t, how, &observer);
    run.settle();
    return there;
  });
  observer.rethrow();
  run.raise_if_failed();
  return reached;
}

const char* run_to_end(Run& run, py::object progress) {
  Progress observer(std::move(progress));
  in_kernel([&] {
    run.simulation->run(&observer);
    run.settle();
  });
  observer.rethrow();
  run.raise_if_failed();
  return name_of(run.simulation->status());
}

std::shared_ptr<Recording> record(Run& run, const std::vector<std::string>& channels, const std::string& at,
                                  const std::vector<double>& times) {
  auto recording = std::make_shared<Recording>(channels, at);
  in_kernel([&] { run.simulation->watch(channels, times, *recording); });
  return run.recording = recording;
}

void translate_errors(const py::module_& module) {
  static PyObject* error_type = module.attr("Error").cast<py::object>().release().ptr();  // lives as long as Python
  py::register_exception_translator([](std::exception_ptr raised) {
    try {
      if (raised) std::rethrow_exception(raised);
    } catch (const trammel::Error& error) {
      const py::object made = py::handle(error_type)(py::str(error.what()), static_cast<int>(error.kind()));
      PyErr_SetObject(error_type, made.ptr());
    }
  });
}

}  // namespace

PYBIND11_MODULE(_kernel, module) {
  module.doc() = "The kernel of the package trammel; use the package.";
  py::exec(R"(
class Error(Exception):
    """Wrong input, a plugin that cannot be had, or a computation that failed.

    exit_code is what the command line would end with, category its name: 1 usage, 2 input, 3 plugin, 4 compute.
    """
    def __init__(self, message, exit_code=4):
        super().__init__(message)
        self.exit_code = exit_code
        self.category = {1: "usage", 2: "input", 3: "plugin"}.get(exit_code, "compute")
)",
           module.attr("__dict__"));
  module.attr("Error").attr("__module__") = "trammel";
  translate_errors(module);

  py::class_<Recording, std::shared_ptr<Recording>>(module, "Recording")
      .def_property_readonly("names", &Recording::names)
      .def("rows", &Recording::rows);

  py::class_<Run>(module, "Simulation")
      .def(py::init([](const std::filesystem::path& file, const std::vector<std::string>& set,
                       const std::vector<std::filesystem::path>& plugin_path) {
        auto run = std::make_unique<Run>();
        run->simulation = in_kernel([&] { return std::make_unique<Simulation>(file, options_of(set, plugin_path)); });
        return run;
      }))
      .def(py::init([](const std::string& text, const std::string& name, const std::vector<std::string>& set,
                       const std::vector<std::filesystem::path>& plugin_path) {
        auto run = std::make_unique<Run>();
        run->simulation = in_kernel([&] {
          return std::make_unique<Simulation>(trammel::RunDescription::from_text(text, name),
                                              options_of(set, plugin_path));
        });
        return run;
      }))
      .def("step", &step, "One accepted step. False: the run was over already, and nothing was done.")
      .def("advance_to", &advance_to)
      .def("run", &run_to_end)
      .def(
          "finish", [](Run& run) { in_kernel([&] { run.simulation->finish(); }); },
          "What `run` does at its end, after steps of one's own: closes results.csv, writes summary.json.")
      .def(
          "write_results",
          [](Run& run, const std::filesystem::path& folder) {
            in_kernel([&] { run.simulation->write_results(folder); });
          },
          py::arg("folder"), "results.csv and summary.json go to this folder; before the first step.")
      .def(
          "checkpoint_every", [](Run& run, double seconds) { run.simulation->checkpoint_every(seconds); },
          py::arg("seconds"),
          "Writes checkpoint.json after every so many seconds of simulated time; after `write_results`.")
      .def(
          "restart",
          [](Run& run, const std::filesystem::path& file) { in_kernel([&] { run.simulation->restart(file); }); },
          py::arg("checkpoint"), "Goes on from a checkpoint of the same run; before `write_results`.")
      .def("record", &record)
      .def(
          "set_input", [](Run& run, const std::string& name, double value) { run.simulation->set_input(name, value); },
          py::arg("name"), py::arg("value"),
          "Functions of type 'input' take this value from the end of the last step on.")
      .def(
          "input", [](Run& run, const std::string& name) { return run.simulation->input(name); }, py::arg("name"),
          "The value of an input now.")
      .def_property_readonly(
          "inputs", [](const Run& run) { return run.simulation->inputs(); }, "Names of the inputs.")
      .def_property_readonly(
          "time", [](const Run& run) { return run.simulation->time(); }, "Time of the state shown, s.")
      .def_property_readonly(
          "end_time", [](const Run& run) { return run.simulation->end_time(); },
          "Duration of the run, s; 0 where the analysis does not run over time.")
      .def_property_readonly(
          "status", [](const Run& run) { return name_of(run.simulation->status()); },
          "'completed' (so far), 'failed' or 'interrupted'.")
      .def_property_readonly(
          "message", [](const Run& run) { return run.simulation->message(); },
          "Why the run ended early, or an empty text.")
      .def_property_readonly(
          "warnings", [](const Run& run) { return run.simulation->warnings(); },
          "What the reader of the results should know.")
      .def_property_readonly(
          "positions", &view<&Simulation::positions>,
          "q of all bodies (problems without bodies: x). A read-only view: it shows new numbers after each step.")
      .def_property_readonly("velocities", &view<&Simulation::velocities>,
                             "v = dq/dt. A read-only view: it shows new numbers after each step.")
      .def_property_readonly("accelerations", &view<&Simulation::accelerations>,
                             "dv/dt. A read-only view: it shows new numbers after each step.")
      .def_property_readonly("multipliers", &view<&Simulation::multipliers>,
                             "Lagrange multipliers. A read-only view: it shows new numbers after each step.")
      .def_property_readonly(
          "channels", [](const Run& run) { return run.simulation->channels(); },
          "Names of the selected output channels: the columns of results.csv without t.")
      .def(
          "channel_values",
          [](Run& run) {
            const std::vector<double> values = in_kernel([&] { return run.simulation->channel_values(); });
            return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
          },
          "The values of `channels` at the state shown, as a new array.")
      .def("summary_json", [](Run& run) { return in_kernel([&] { return run.simulation->summary_json(); }); })
      .def(
          "report", [](Run& run) { return in_kernel([&] { return run.simulation->report(); }); },
          "A few lines for people: how the run ended and what it cost.")
      .def(
          "mobility", [](Run& run) { return in_kernel([&] { return run.simulation->mobility(); }); },
          "Degrees of freedom and redundant constraints at the initial state, in a few lines; before the first step.");
}
