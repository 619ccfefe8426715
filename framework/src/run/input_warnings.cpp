// Looks through the run file, its functions and the initial state for what is hardly meant.
#include "run/input_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "config/parameter_use.h"
#include "model/constrained_model.h"
#include "model/named_function.h"
#include "trammel/math/two_pi.h"

namespace trammel {
namespace {

constexpr double loosest_rtol = 0.1;
constexpr double most_rows = 1e8;  // of results: some tens of gigabytes of text

/// More than a turn, and no multiple of a quarter turn as radians would be.
bool looks_like_degrees(const Node& node) {
  if (!node.is_number() || !node.expression.empty() || !(std::abs(node.number) > two_pi + 1e-3)) return false;
  const double quarters = node.number / (std::numbers::pi / 2);
  return std::abs(quarters - std::round(quarters)) > 1e-4 * std::abs(quarters);
}

class Inspection {
 public:
  Inspection(const RunFile& run, const Catalogue& catalogue) : run_(run), catalogue_(catalogue) {}

  void angles() {
    const Catalogue::Entry* system = catalogue_.find(ComponentKind::system, Host::any, run_.system.type);
    if (system == nullptr) return;
    const Host host = system->component->host;
    look_at(system->component->parameters, *run_.system.node, run_.system.path);
    for (const Section& body : run_.bodies) {
      look_at(system->component->body_parameters, *body.node, body.path);
      if (const Node* rotation = body.node->find("rotation"); rotation != nullptr && rotation->is_object()) {
        for (const char* key : {"angle", "zxz", "rpy"}) angle(rotation->find(key), body.path + "/rotation/" + key);
      }
    }
    for (const auto& [kind, sections] :
         {std::pair(ComponentKind::constraint, &run_.constraints), std::pair(ComponentKind::force, &run_.forces)}) {
      for (const Section& section : *sections) {
        const Catalogue::Entry* entry = catalogue_.find(kind, host, section.type);
        if (entry != nullptr) look_at(entry->component->parameters, *section.node, section.path);
      }
    }
  }

  void conditions() {
    const Node* analysis = run_.document->find("analysis");
    const Node* list = analysis != nullptr ? analysis->find("conditions") : nullptr;
    for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
      const Node *of = list->items[i].find("of"), *value = list->items[i].find("value");
      if (of == nullptr || !of->is_text()) continue;
      const std::string name = of->text.substr(of->text.rfind('.') + 1);
      if (name == "angle" || name == "second_angle" || name == "phi" || name == "roll" || name == "pitch" ||
          name == "yaw")
        angle(value, "/analysis/conditions/" + std::to_string(i) + "/value");
    }
  }

  /// Of one driver.
  void driven(const Section& driver) {
    for (const char* key : {"function", "rate"}) angle_or_function(driver.node->find(key), driver.path + "/" + key);
  }

  /// Tables over time of which the run sees nothing but what lies outside of them.
  void tables(const Model& model) {
    if (!given(run_.analysis.duration)) return;
    for (const NamedFunction* f : model.functions_of_time()) {
      const Node* node = run_.system.node;
      const std::string path = f->name();
      for (std::size_t at = 0; node != nullptr && at < path.size();) {
        const std::size_t slash = std::min(path.find('/', at), path.size());
        const std::string key = path.substr(at, slash - at);
        const bool index = node->is_array() && key.find_first_not_of("0123456789") == std::string::npos;
        const std::size_t i = index ? static_cast<std::size_t>(std::stoul(key)) : 0;
        node = index ? (i < node->items.size() ? &node->items[i] : nullptr) : node->find(key);
        at = slash + 1;
      }
      if (node != nullptr) table(*node, "/system/" + path);
    }
  }

  void output() {
    const double duration = run_.analysis.duration;
    if (given(duration) && !run_.output.at_steps && !(duration / run_.output.step <= most_rows)) {
      const Node* step = run_.document->find("output")->find("step");
      throw Error(
          ErrorKind::input,
          message_at(step->place, "/output/step",
                     fmt::format("a row every {:g} s in a run of {:g} s would be {:.2g} rows, more than {:g}; "
                                 "give a longer step, for example {:g}, or \"at\": \"steps\"",
                                 run_.output.step, duration, duration / run_.output.step, most_rows, duration / 1000)));
    }
    if (!given(duration) || run_.output.at_steps || !(run_.output.step > duration * (1 + 1e-9))) return;
    const Node* step = run_.document->find("output")->find("step");
    add(step->place, "/output/step",
        fmt::format("{:g} s is longer than the run, {:g} s: results hold its start and its end only", run_.output.step,
                    duration));
  }

  void steps(const StepControlOptions& control) {
    const Node& node = *run_.integrator.node;
    const std::string path = run_.integrator.path;
    const double duration = run_.analysis.duration;
    // Rows between the ends of fixed steps are interpolated; of interest to who chose the rows.
    const Node* output = run_.document->find("output");
    const bool chosen = output != nullptr && output->find("step") != nullptr && !run_.output.at_steps;
    if (given(control.step) && given(duration) && chosen && control.step > run_.output.step * (1 + 1e-9) &&
        control.step <= duration * (1 + 1e-9)) {
      add(node.find("step")->place, path + "/step",
          fmt::format("{:g} s is longer than the output step, {:g} s: rows between the ends of steps are interpolated, "
                      "and show nothing "
                      "that the steps do not",
                      control.step, run_.output.step));
    }
    if (given(control.step) && given(duration) && control.step > duration * (1 + 1e-9)) {
      throw Error(
          ErrorKind::input,
          message_at(
              node.find("step")->place, path + "/step",
              fmt::format("the fixed step of {:g} s is longer than the run, {:g} s; give a step that divides the "
                          "fastest motion of the model into some twenty parts",
                          control.step, duration)));
    }
    for (std::int32_t i = 0; i < control.rtol.size; ++i) {
      if (!(control.rtol.data[i] >= loosest_rtol)) continue;
      add(node.find("rtol")->place, path + "/rtol",
          fmt::format("a relative tolerance of {:g} leaves no digit right; 1e-6 is usual", control.rtol.data[i]));
      break;
    }
  }

  std::vector<std::string> warnings;

 private:
  void look_at(const std::vector<ParameterInfo>& table, const Node& node, const std::string& path) {
    for (const ParameterInfo& info : table) {
      const bool over_time = info.unit == "rad over s" && info.name != "function";  // of drivers: `driven`
      if (info.unit == "rad" || over_time) angle_or_function(node.find(info.name), path + "/" + info.name);
    }
  }

  void angle_or_function(const Node* node, const std::string& path) {
    if (node == nullptr) return;
    if (!node->is_object()) return angle(node, path);
    for (const char* key : {"value", "from", "to", "amplitude", "offset"}) angle(node->find(key), path + "/" + key);
    const Node* values = node->find("y");  // a table of more turns than one is not unusual, one of round degrees is
    const auto round = [](const Node& y) { return y.is_number() && y.expression.empty() && whole(y.number / 5); };
    if (values != nullptr && std::all_of(values->items.begin(), values->items.end(), round)) {
      const auto degrees = std::find_if(values->items.begin(), values->items.end(), looks_like_degrees);
      if (degrees != values->items.end()) angle(&*degrees, path + "/y");
    }
    if (const Node* parts = node->find("of"); parts != nullptr) {
      for (std::size_t i = 0; i < parts->items.size(); ++i)
        angle_or_function(&parts->items[i], path + "/of/" + std::to_string(i));
    }
  }

  void table(const Node& node, const std::string& path) {
    const Node *x = node.find("x"), *ends = node.find("ends"), *parts = node.find("of");
    for (std::size_t i = 0; parts != nullptr && i < parts->items.size(); ++i)
      table(parts->items[i], path + "/of/" + std::to_string(i));
    const bool periodic = ends != nullptr && ends->text == "periodic";
    if (periodic || x == nullptr || x->items.size() < 2 || node.find("outside") == nullptr) return;
    const double first = x->items.front().number, last = x->items.back().number;
    if (first < run_.analysis.duration && last > 0) return;
    add(x->place, path + "/x",
        fmt::format("the run, from 0 to {:g} s, lies outside of the table, from {:g} to {:g}: all that acts is how it "
                    "goes on",
                    run_.analysis.duration, first, last));
  }

  static bool whole(double x) { return std::abs(x - std::round(x)) < 1e-12; }

  void angle(const Node* node, const std::string& path) {
    if (node == nullptr) return;
    for (std::size_t i = 0; i < node->items.size(); ++i) angle(&node->items[i], path + "/" + std::to_string(i));
    if (!looks_like_degrees(*node)) return;
    add(node->place, path,
        fmt::format("{} rad is more than a turn; angles are in radians, {} degrees are written "
                    "\"={}*pi/180\"",
                    number_text(node->number), number_text(node->number), number_text(node->number)));
  }

  void add(const Place& place, const std::string& path, const std::string& text) {
    warnings.push_back(message_at(place, path, text));
  }

  const RunFile& run_;
  const Catalogue& catalogue_;
};

bool defined_at(const Function& f, double t) {
  double value[4] = {};
  return f.evaluate(t, 0, value).code != StatusCode::out_of_domain;
}

/// The last time up to `t_end` at which f is defined; f is defined at 0 and not at t_end.
double last_time(const Function& f, double t_end) {
  double inside = 0, outside = t_end;
  for (int i = 0; i < 60 && outside - inside > 1e-12 * t_end; ++i) {
    const double middle = (inside + outside) / 2;
    (defined_at(f, middle) ? inside : outside) = middle;
  }
  return inside;
}

/// Value of the channel of this name, or NaN.
double channel(const ElementSlot& slot, const std::vector<double>& values, const char* name) {
  for (Index i = 0; i < slot.channels->channel_count(); ++i) {
    if (std::strcmp(slot.channels->channel_name(i), name) == 0) return values[static_cast<std::size_t>(i)];
  }
  return left_out();
}

std::vector<double> channel_values(const ConstrainedModel& model, const ForceSlot& slot) {
  std::vector<double> values;
  if (slot.channels == nullptr) return values;
  values.assign(static_cast<std::size_t>(slot.channels->channel_count()), 0.0);
  const Status status =
      slot.channels->channel_values(model.point().element_state(slot), {values.data(), slot.channels->channel_count()});
  if (!status) values.clear();
  return values;
}

double gravity_of(const RunFile& run) {
  const Node* gravity = run.system.node->find("gravity");
  double square = 0;
  for (std::size_t i = 0; gravity != nullptr && i < gravity->items.size(); ++i) {
    square += gravity->items[i].number * gravity->items[i].number;
  }
  return std::sqrt(square);
}

bool starts_at_rest(const Assembly& assembly, Index body) {
  const Index width = assembly.table.width(body);
  std::vector<double> q(static_cast<std::size_t>(width)), v(q.size());
  assembly.system.initial(body, {q.data(), width}, {v.data(), width});
  return std::all_of(v.begin(), v.end(), [](double x) { return x == 0; });
}

void find_pressed_in(const RunFile& run, const ConstrainedModel& model, std::vector<std::string>& warnings) {
  // All weights and other forces may rest on one stop, through a lever on top of it; what presses harder is not at rest.
  constexpr double leverage = 3, touching = 1e-6;  // of the model's unit of length
  const Assembly& assembly = model.assembly();
  double weight = 0, others = 0;
  for (Index b = 0; b < assembly.bodies(); ++b) weight += assembly.system.mass(b) * gravity_of(run);
  struct Pressed {
    const ForceSlot* slot;
    double depth, force;
  };
  std::vector<Pressed> pressed;
  for (const ForceSlot& slot : assembly.forces) {
    const std::vector<double> values = channel_values(model, slot);
    if (values.empty()) continue;
    const double force = channel(slot, values, "force"), gap = channel(slot, values, "gap"),
                 deflection = channel(slot, values, "deflection"), depth = given(gap) ? -gap : deflection;
    if (!given(force) || !std::isfinite(force)) continue;
    if (!given(depth)) {
      others += std::abs(force);
    } else if (slot.events != nullptr && depth > 0 && force > 0) {
      pressed.push_back({&slot, depth, force});
    }
  }
  if (run.constraints.empty() && pressed.empty()) return;
  for (const Pressed& p : pressed) {
    const double explained = leverage * (weight + others);
    if (!(p.force > explained) || !(p.depth > touching * model.unit().length())) continue;
    warnings.push_back(fmt::format(
        "'{}' is pressed in by {:.3g} m at the start and pushes with {:.3g} N, {}; check the "
        "direction of its normal and the initial positions",
        p.slot->name, p.depth, p.force,
        explained > 0 ? fmt::format("{:.3g} times all weights and other forces together", p.force / (weight + others))
                      : std::string("and nothing presses against it")));
  }
}

void find_falling(const RunFile& run, const ConstrainedModel& model, std::vector<std::string>& warnings) {
  const Assembly& assembly = model.assembly();
  if (gravity_of(run) == 0 || run.constraints.empty()) return;
  std::vector<char> touched(static_cast<std::size_t>(assembly.bodies()), 0);
  const auto touch = [&](const ElementSlot& slot) {
    for (const Index body : slot.bodies) {
      if (body >= 0) touched[static_cast<std::size_t>(body)] = 1;
    }
  };
  for (const ConstraintSlot& slot : assembly.constraints) touch(slot);
  for (const ForceSlot& slot : assembly.forces) touch(slot);
  for (std::size_t b = 0; b < touched.size(); ++b) {
    if (touched[b] != 0 || !starts_at_rest(assembly, static_cast<Index>(b))) continue;
    warnings.push_back(
        message_at(run.bodies[b].place, run.bodies[b].path,
                   "no constraint and no force element acts on this body: it starts at rest and falls freely"));
  }
}

}  // namespace

std::string function_that_ends(const Model& model, double t, double t_end) {
  for (const Function* f : model.functions_of_time()) {
    if (defined_at(*f, t_end) || !defined_at(*f, 0)) continue;
    const double last = last_time(*f, t_end);
    if (last > t * (1 + 1e-6) + 1e-6 * t_end) continue;
    const NamedFunction* named = dynamic_cast<const NamedFunction*>(f);
    return fmt::format(
        "{} is defined up to t = {:.9g} only, the run lasts {:g} s",
        named != nullptr ? fmt::format("the function '{}'", named->name()) : std::string("a function of time"), last,
        t_end);
  }
  return "";
}

std::vector<std::string> input_warnings(const RunFile& run, const Catalogue& catalogue, const Model& model,
                                        const StepControlOptions* control) {
  Inspection inspection(run, catalogue);
  inspection.warnings = idle_parameter_warnings(run);
  inspection.angles();
  inspection.conditions();
  inspection.output();
  inspection.tables(model);
  if (control != nullptr) inspection.steps(*control);
  if (given(run.analysis.duration)) {
    const std::string ends = function_that_ends(model, run.analysis.duration, run.analysis.duration);
    if (!ends.empty()) inspection.warnings.push_back(ends + ": a longer table, 'outside', or a shorter run");
  }
  return inspection.warnings;
}

std::string given_in_degrees(const RunFile& run, const Catalogue& catalogue, const Model& model) {
  for (const NamedFunction* f : model.functions_of_time()) {
    const std::string path = f->name();
    if (path.compare(0, 12, "constraints/") != 0) continue;
    const std::string name = path.substr(12, path.find('/', 12) - 12);
    const auto driver =
        std::find_if(run.constraints.begin(), run.constraints.end(), [&](const Section& s) { return s.name == name; });
    if (driver == run.constraints.end()) continue;
    const std::vector<ConstraintSlot>& slots = model.assembly()->constraints;
    const auto slot = std::find_if(slots.begin(), slots.end(), [&](const ConstraintSlot& s) { return s.name == name; });
    if (slot == slots.end() || slot->effort == nullptr || drives_length(*slot)) continue;
    Inspection inspection(run, catalogue);
    inspection.driven(*driver);
    if (!inspection.warnings.empty()) return inspection.warnings.front();
    // "45*t", and a rate of 30: whole multiples of 5 that are more than a turn per second.
    double value[2] = {0, 0};
    if (!f->evaluate(0, 1, value)) continue;
    for (const double x : value) {
      const bool degrees = std::abs(x) > two_pi && std::abs(x / 5 - std::round(x / 5)) < 1e-12;
      if (!degrees) continue;
      return message_at(driver->place, driver->path,
                        fmt::format("it begins with {:g}, and angles are in radians: {:g} degrees are written "
                                    "\"={:g}*pi/180\"",
                                    x, x, x));
    }
  }
  Inspection drawing(run, catalogue);
  drawing.conditions();
  drawing.angles();
  return drawing.warnings.empty() ? "" : drawing.warnings.front();
}

std::vector<std::string> start_warnings(const RunFile& run, const ConstrainedModel& model) {
  std::vector<std::string> warnings;
  find_pressed_in(run, model, warnings);
  if (run.analysis.integrates_motion()) find_falling(run, model, warnings);
  return warnings;
}

}  // namespace trammel
