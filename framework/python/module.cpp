// trammel._kernel: Simulation for Python, with NumPy arrays (or memoryviews, without NumPy) that look into the kernel's
// memory. trammel/__init__.py makes the package of it.
#include <pybind11/eval.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <chrono>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <thread>

#include "threads.h"
#include "trammel/error.h"
#include "trammel/host/run_description.h"
#include "trammel/host/simulation.h"

namespace py = pybind11;

namespace {

using trammel::Simulation;

/// Whether NumPy is installed; asked once, when the module is imported.
bool have_numpy() {
  static const bool have = !py::module_::import("importlib.util").attr("find_spec")("numpy").is_none();
  return have;
}

/// A new array of NumPy, or of the standard library.
py::object new_column(const double* numbers, std::size_t count) {
  if (have_numpy()) return py::array_t<double>(static_cast<py::ssize_t>(count), numbers);
  const py::bytes bytes(reinterpret_cast<const char*>(numbers), count * sizeof(double));
  return py::module_::import("array").attr("array")("d", bytes);
}

/// What a memoryview looks through where there is no NumPy: it keeps the simulation alive.
struct Window {
  py::object owner;
  const double* numbers;
  py::ssize_t count;
};

/// Ctrl-C and the progress function. What Python raises waits until the kernel has returned.
class Progress final : public trammel::RunObserver {
 public:
  explicit Progress(py::object call) : call_(std::move(call)) {}

  bool step(double t, double t_end, double h, long steps) override {
    if (python_ends()) stay();
    const auto now = Clock::now();
    if (call_.is_none() && now - looked_ < std::chrono::milliseconds(50)) return true;
    looked_ = now;
    const Acquired acquired;
    return or_stay([&] { return ask(t, t_end, h, steps); });
  }

  void rethrow() const {
    if (raised_) std::rethrow_exception(raised_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool ask(double t, double t_end, double h, long steps) {
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (call_.is_none()) return true;
      const py::object answer = call_(t, t_end, h, steps);
      if (answer.is_none()) return true;
      py::detail::make_caster<bool> truth;
      if (truth.load(answer, true)) return static_cast<bool>(truth);
      throw py::type_error("progress returns True, False or None, not " + py::repr(answer).cast<std::string>());
    } catch (const abi::__forced_unwind&) {
      throw;
    } catch (...) {
      raised_ = std::current_exception();
    }
    return false;
  }

  py::object call_;
  Clock::time_point looked_ = Clock::now();
  std::exception_ptr raised_;
};

/// The history of some channels, as far as the run has come. May be read while another thread runs.
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
    const std::lock_guard<std::mutex> lock(mutex_);
    numbers_.push_back(t);
    numbers_.insert(numbers_.end(), values.data, values.data + values.size);
  }

  const std::vector<std::string>& names() const { return names_; }

  /// A row per sample: t and the channels.
  py::array_t<double> rows() const {
    const std::vector<double> numbers = copied();  // not under the lock: making an array may run any Python code
    const auto width = static_cast<py::ssize_t>(names_.size() + 1);
    const py::ssize_t count = static_cast<py::ssize_t>(numbers.size()) / width;
    py::array_t<double> all({count, width});
    std::copy(numbers.begin(), numbers.end(), all.mutable_data());
    return all;
  }

  /// Column 0 is t.
  py::object column(std::size_t index) const { return column(copied(), index); }

  py::list all_columns() const {
    const std::vector<double> numbers = copied();
    py::list all;
    for (std::size_t i = 0; i <= names_.size(); ++i) all.append(column(numbers, i));
    return all;
  }

 private:
  py::object column(const std::vector<double>& numbers, std::size_t index) const {
    std::vector<double> values;
    values.reserve(numbers.size() / (names_.size() + 1));
    for (std::size_t at = index; at < numbers.size(); at += names_.size() + 1) values.push_back(numbers[at]);
    return new_column(values.data(), values.size());
  }

  std::vector<double> copied() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return numbers_;
  }

  std::vector<std::string> names_;
  At kind_ = At::output;
  mutable std::mutex mutex_;
  std::vector<double> numbers_;
};

trammel::Error usage(const char* text) { return {trammel::ErrorKind::usage, text}; }

/// A simulation with what has to live as long.
struct Run {
  std::unique_ptr<Simulation> simulation;
  std::vector<std::shared_ptr<Recording>> recordings;
  std::thread::id user;  ///< the thread that is in a call on it, with Python's lock or waiting for it
  int calls = 0;         ///< of that thread, one inside the other

  /// pybind11 hands out memory without a constructor where Python's `__init__` has not been called: no simulation then.
  static void* operator new(std::size_t size) { return std::memset(::operator new(size), 0, size); }
  static void operator delete(void* memory) { ::operator delete(memory); }

  ~Run() {
    if (simulation == nullptr) return;
    if (!python_ends()) {
      in_kernel([this] { simulation.reset(); });
    } else if (kernel_mutex.try_lock()) {
      simulation.reset();
      kernel_mutex.unlock();
    } else {
      static_cast<void>(simulation.release());  // a daemon thread stays in the kernel for ever
    }
  }

  /// Multipliers are finished on demand; arrays that look at them are to see the finished ones.
  void settle() const { simulation->multipliers(); }

  void raise_if_failed() const {
    if (simulation->status() != trammel::RunStatus::failed) return;
    throw trammel::Error(simulation->failed_by_plugin() ? trammel::ErrorKind::plugin : trammel::ErrorKind::compute,
                         simulation->message());
  }
};

/// A call on a simulation, made and ended with Python's lock.
class Use {
 public:
  explicit Use(Run& run) : run_(run) {
    if (run.simulation == nullptr) throw usage("this simulation was not made yet: call super().__init__ first");
    if (run.calls > 0 && run.user != std::this_thread::get_id()) {
      throw usage(
          "this simulation is running in another thread; its progress function and its recordings show how far it is");
    }
    run.user = std::this_thread::get_id();
    ++run.calls;
  }
  ~Use() { --run_.calls; }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  Run& run_;
};

/// For calls that evaluate plugins.
template <class Call>
auto enter(Run& run, Call&& call) -> decltype(call(*run.simulation)) {
  const Use use(run);
  return in_kernel([&]() -> decltype(call(*run.simulation)) { return call(*run.simulation); });
}

/// For the others, which need not wait for another simulation's run.
template <class Call>
auto look(Run& run, Call&& call) {
  const Use use(run);
  return call(*run.simulation);
}

trammel::SimulationOptions options_of(const std::vector<std::string>& set,
                                      const std::vector<std::filesystem::path>& plugin_path, bool trust) {
  return {set, plugin_path, 1, trust};
}

/// Read only, without a copy; keeps the simulation alive.
template <trammel::ConstVectorView (Simulation::*member)() const>
py::object view(const py::object& self) {
  const auto get = [](const Simulation& simulation) { return (simulation.*member)(); };
  Run& run = self.cast<Run&>();
  const trammel::ConstVectorView values = member == &Simulation::multipliers ? enter(run, get) : look(run, get);
  if (!have_numpy()) {
    return py::memoryview(py::cast(Window{self, values.data, static_cast<py::ssize_t>(values.size)}));
  }
  py::array_t<double> array({static_cast<py::ssize_t>(values.size)}, {static_cast<py::ssize_t>(sizeof(double))},
                            values.data, self);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

const char* name_of(trammel::RunStatus status) {
  switch (status) {
    case trammel::RunStatus::completed: return "completed";
    case trammel::RunStatus::failed: return "failed";
    case trammel::RunStatus::interrupted: break;
  }
  return "interrupted";
}

bool step(Run& run) {
  const bool goes_on = enter(run, [&](Simulation& simulation) {
    const bool stepped = simulation.step();
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
  const bool reached = enter(run, [&](Simulation& simulation) {
    const bool there = simulation.advance_to(t, how, &observer);
    run.settle();
    return there;
  });
  observer.rethrow();
  run.raise_if_failed();
  return reached;
}

const char* run_to_end(Run& run, py::object progress) {
  Progress observer(std::move(progress));
  const trammel::RunStatus status = enter(run, [&](Simulation& simulation) {
    const trammel::RunStatus ended = simulation.run(&observer);
    run.settle();
    return ended;
  });
  observer.rethrow();
  run.raise_if_failed();
  return name_of(status);
}

std::shared_ptr<Recording> record(Run& run, const std::vector<std::string>& channels, const std::string& at,
                                  const std::vector<double>& times) {
  auto recording = std::make_shared<Recording>(channels, at);
  enter(run, [&](Simulation& simulation) { simulation.watch(channels, times, *recording); });
  run.recordings.push_back(recording);
  return recording;
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

  module.attr("has_numpy") = have_numpy();
  py::class_<Window>(module, "_Window", py::buffer_protocol()).def_buffer([](const Window& window) {
    return py::buffer_info(window.numbers, window.count);  // read only, as the pointer is
  });

  py::class_<Recording, std::shared_ptr<Recording>>(module, "Recording")
      .def_property_readonly("names", &Recording::names)
      .def("column", py::overload_cast<std::size_t>(&Recording::column, py::const_))
      .def("all_columns", &Recording::all_columns)
      .def("rows", &Recording::rows);

  py::class_<Run>(module, "Simulation")
      .def(py::init([](const std::filesystem::path& file, const std::vector<std::string>& set,
                       const std::vector<std::filesystem::path>& plugin_path, bool trust) {
        auto run = std::make_unique<Run>();
        run->simulation =
            in_kernel([&] { return std::make_unique<Simulation>(file, options_of(set, plugin_path, trust)); });
        return run;
      }))
      .def(py::init([](const std::string& text, const std::string& name, const std::vector<std::string>& set,
                       const std::vector<std::filesystem::path>& plugin_path, bool trust) {
        auto run = std::make_unique<Run>();
        run->simulation = in_kernel([&] {
          return std::make_unique<Simulation>(trammel::RunDescription::from_text(text, name),
                                              options_of(set, plugin_path, trust));
        });
        return run;
      }))
      .def("step", &step, "One accepted step. False: the run was over already, and nothing was done.")
      .def("advance_to", &advance_to)
      .def("run", &run_to_end)
      .def(
          "finish", [](Run& run) { enter(run, [](Simulation& simulation) { simulation.finish(); }); },
          "What `run` does at its end, after steps of one's own: closes results.csv, writes summary.json.\n\n"
          "Before the end of the run the status is 'interrupted' then; the run may go on and finish again.")
      .def(
          "write_results",
          [](Run& run, const std::filesystem::path& folder) {
            enter(run, [&](Simulation& simulation) { simulation.write_results(folder); });
          },
          py::arg("folder"), "results.csv and summary.json go to this folder; before the first step.")
      .def(
          "checkpoint_every",
          [](Run& run, double seconds) {
            enter(run, [&](Simulation& simulation) { simulation.checkpoint_every(seconds); });
          },
          py::arg("seconds"),
          "Writes checkpoint.json after every so many seconds of simulated time; after `write_results`.")
      .def(
          "restart",
          [](Run& run, const std::filesystem::path& file) {
            enter(run, [&](Simulation& simulation) { simulation.restart(file); });
          },
          py::arg("checkpoint"), "Goes on from a checkpoint of the same run; before `write_results`.")
      .def("record", &record)
      .def(
          "set_input",
          [](Run& run, const std::string& name, double value) {
            enter(run, [&](Simulation& simulation) { simulation.set_input(name, value); });
          },
          py::arg("name"), py::arg("value"),
          "Functions of type 'input' take this value from the end of the last step on.")
      .def(
          "input",
          [](Run& run, const std::string& name) {
            return look(run, [&](Simulation& simulation) { return simulation.input(name); });
          },
          py::arg("name"), "The value of an input now.")
      .def_property_readonly(
          "inputs", [](Run& run) { return look(run, [](Simulation& simulation) { return simulation.inputs(); }); },
          "Names of the inputs.")
      .def_property_readonly(
          "time", [](Run& run) { return look(run, [](Simulation& simulation) { return simulation.time(); }); },
          "Time of the state shown, s.")
      .def_property_readonly(
          "end_time", [](Run& run) { return look(run, [](Simulation& simulation) { return simulation.end_time(); }); },
          "Duration of the run, s; 0 where the analysis does not run over time.")
      .def_property_readonly(
          "status",
          [](Run& run) { return look(run, [](Simulation& simulation) { return name_of(simulation.status()); }); },
          "'completed' (so far), 'failed' or 'interrupted'.")
      .def_property_readonly(
          "message", [](Run& run) { return look(run, [](Simulation& simulation) { return simulation.message(); }); },
          "Why the run ended early, or an empty text.")
      .def_property_readonly(
          "warnings", [](Run& run) { return look(run, [](Simulation& simulation) { return simulation.warnings(); }); },
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
          "channels", [](Run& run) { return look(run, [](Simulation& simulation) { return simulation.channels(); }); },
          "Names of the selected output channels: the columns of results.csv without t.")
      .def(
          "channel_values",
          [](Run& run) {
            const std::vector<double> values =
                enter(run, [](Simulation& simulation) { return simulation.channel_values(); });
            return new_column(values.data(), values.size());
          },
          "The values of `channels` at the state shown, as a new array.")
      .def("summary_json",
           [](Run& run) { return enter(run, [](Simulation& simulation) { return simulation.summary_json(); }); })
      .def(
          "report", [](Run& run) { return enter(run, [](Simulation& simulation) { return simulation.report(); }); },
          "A few lines for people: how the run ended and what it cost.")
      .def(
          "mobility", [](Run& run) { return enter(run, [](Simulation& simulation) { return simulation.mobility(); }); },
          "Degrees of freedom and redundant constraints at the initial state, in a few lines; before the first step.");
}
