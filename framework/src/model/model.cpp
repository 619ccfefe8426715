// Builds a model from its run file: system, bodies, functions, constraints, forces, points.
#include "model/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "config/part_name.h"
#include "config/run_format.h"
#include "model/declared_sizes.h"
#include "model/rotation_probe.h"
#include "plugin/breadcrumb.h"
#include "trammel/extensions/coordinate_zeros.h"
#include "trammel/extensions/free_directions.h"
#include "trammel/extensions/implicit_twists.h"
#include "trammel/function.h"
#include "trammel/text/suggest.h"

namespace trammel {

/// Creates functions while the keys that hold them are bound.
class Model::ModelResolver final : public NameResolver {
 public:
  ModelResolver(Model& model, Problems& problems)
      : NameResolver(model.run_, model.host_kind_, problems), model_(model) {}

  std::optional<StartPlace> start(BodyRef body) const override {
    StartPlace start;
    if (body.is_ground()) return start;
    const void* state = model_.initial_state(body);
    if (state == nullptr) return std::nullopt;
    if (model_.host_kind_ == Host::planar) {
      const auto& b = *static_cast<const PlanarBodyState*>(state);
      start.r = {b.r[0], b.r[1], 0};
      start.A = {b.c, -b.s, 0, b.s, b.c, 0, 0, 0, 1};
    } else {
      const auto& b = *static_cast<const SpatialBodyState*>(state);
      std::copy(b.r, b.r + 3, start.r.begin());
      std::copy(b.A, b.A + 9, start.A.begin());
    }
    return start;
  }

  FunctionRef function(const Node& node, const std::string& path, Problems& problems) override {
    if (node.is_text()) return signal(node, path, problems);
    Section section;
    Node constant;
    section.path = path;
    section.place = node.place;
    section.node = &node;
    if (node.is_number()) {  // a plain number stands for the constant function
      constant.kind = Node::Kind::object;
      constant.place = node.place;
      constant.members.push_back({"type", node.place, Node::make_text("constant", node.place)});
      constant.members.push_back({"value", node.place, node});
      section.node = &constant;
      section.type = "constant";
    } else if (const Node* type = node.find("type"); type != nullptr && type->is_text()) {
      section.type = type->text;
    } else {
      problems.add(node.place, path, "a function is a number or an object with a \"type\", not " + describe(node));
      return nullptr;
    }
    ++depth_;
    try {
      model_.function_components_.push_back(std::make_unique<Component>(
          make_component(model_.host_, model_.run_, section, ComponentKind::function, model_, this)));
      if (auto* input = find_extension<HostInput>(model_.function_components_.back()->as<Function>()))
        model_.add_input(*input);
    } catch (const Error& error) {
      --depth_;
      problems.add(error.key().empty() ? error : locate(error, *section.node, path));
      return nullptr;
    }
    model_.functions_.push_back(std::make_unique<NamedFunction>(*model_.function_components_.back(), path));
    const NamedFunction* created = model_.functions_.back().get();
    if (--depth_ == 0) model_.functions_of_time_.push_back(created);  // those inside others speak through them
    return created;
  }

 private:
  /// A signal by its name. The plugin gets one that depends on time alone as it gets other functions.
  FunctionRef signal(const Node& node, const std::string& path, Problems& problems) {
    const ModelSignals* signals = model_.signals_.get();
    const Index found = signals != nullptr ? signals->graph().find(node.text) : -1;
    const auto refuse = [&](const std::string& text) {
      problems.add(node.place, path, text);
      return nullptr;
    };
    if (signals == nullptr) return refuse("functions inside of signals name no signals; their 'argument' does");
    if (found < 0)
      return refuse("there is no signal '" + node.text + "'" + did_you_mean(node.text, signals->graph().names()));
    if (depth_ > 0) return refuse("inside of another function no signal can stand; write a signal of both");
    try {
      const Function& own = signals->use(found);
      if (!signals->of_time(found)) return &own;
      model_.functions_.push_back(std::make_unique<NamedFunction>(own, path, "signal '" + node.text + "'"));
      model_.functions_of_time_.push_back(model_.functions_.back().get());
      return model_.functions_.back().get();
    } catch (const Error& error) {
      return refuse(error.what());
    }
  }

  Model& model_;
  int depth_ = 0;
};

Model::Model(const RunFile& run, PluginHost& host, Index threads) : run_(run), host_(host) {
  const LoadedComponent loaded = [&] {
    try {
      return host.find(ComponentKind::system, Host::any, run.system.type);
    } catch (const Error& error) {
      const Node* type = run.system.node->find("type");
      throw Error(error.kind(), message_at(type->place, run.system.path + "/type", error.what()));
    }
  }();
  host_kind_ = loaded.record->host;
  Problems problems;
  resolver_ = std::make_unique<ModelResolver>(*this, problems);
  services_ = std::make_unique<HostServices>(resolver_.get());
  services_->allow_threads(threads);
  problems.raise();
  if (!run.signals.empty()) create_signals();

  for (const Section& body : run.bodies) {
    bodies_.push_back(bind_component(loaded.record->body_parameters, loaded.info->body_parameters, *body.node,
                                     bind_context(run, body, host_kind_, resolver_.get())));
  }
  BoundParameters own = bind_component(loaded.record->parameters, loaded.info->parameters, *run.system.node,
                                       bind_context(run, run.system, host_kind_, resolver_.get()));
  system_ = Component(loaded, std::move(own), *this, "", *run.system.node, run.system.path);

  if (system().bodies() == nullptr) {
    if (system().ode() == nullptr && system().second_order() == nullptr) {
      throw Error(ErrorKind::plugin,
                  fmt::format("plugin '{}': system '{}' offers no view", loaded.plugin->id, run.system.type));
    }
    return;
  }
  require_body_sizes(*system().bodies(), host_kind_, run.system.type, loaded.plugin->id);
  std::vector<std::string> names;
  for (const Section& body : run_.bodies) names.push_back(body.name);
  assembly_ = std::make_unique<Assembly>(*system().bodies(), system_.plugin_id(), std::move(names));
  initial_states();
  add_frames();
  create_elements();
}

void Model::initial_states() {
  const BodySystem& system = *this->system().bodies();
  const BodyTable& table = assembly_->table;
  const Index bodies = body_count(), n = table.coordinates();
  q0_.assign(static_cast<std::size_t>(n), 0.0);
  v0_ = q0_;
  guarded(system_.plugin_id(), "", "initial state", [&] {
    for (Index b = 0; b < bodies; ++b) {
      const Index first = table.first(b), width = table.width(b);
      system.initial(b, {q0_.data() + first, width}, {v0_.data() + first, width});
    }
  });
  state_doubles_ = static_cast<std::size_t>(system.state_bytes() + 7) / 8;
  states_.assign(static_cast<std::size_t>(bodies + 1) * state_doubles_, 0.0);
  assembly_->motion.kinematics({q0_.data(), n}, {v0_.data(), n}, states_.data());
  system.ground_state(states_.data() + static_cast<std::size_t>(bodies) * state_doubles_);
}

void Model::add_frames() {
  frames_ = std::make_unique<ModelFrames>(*assembly_, find_extension<BodyFrames>(system()));
  const auto& points = static_cast<const ModelResolver&>(*resolver_).points();
  for (std::size_t i = 0; i < run_.points.size() && i < points.size(); ++i)
    frames_->add(run_.points[i].name, points[i].body, points[i].local, initial_state(points[i].body));
}

void Model::require_body(Index body) const {
  if (body < body_count()) return;
  throw Error(
      ErrorKind::input,
      fmt::format("'{}' is a frame of '{}', which deforms, and has neither mass nor parameters of its own; this "
                  "type needs a body",
                  frames_->frame({body}).name, body_name(frames_->frame({body}).body)));
}

namespace {

/// The same for all runs of a format.
class FormatService final : public RunFormat {
 public:
  explicit FormatService(Index format) : format_(format) {}
  Index run_format() const override { return format_; }

 private:
  Index format_;
};

const FormatService* format_service(const RunFile& run) {
  static const FormatService one(1), two(2);
  return format_of(run) == 1 ? &one : &two;
}

}  // namespace

// What the system says of its bodies counts as a service for linear solvers.
const void* Model::extension(const char* id) const {
  if (std::strcmp(id, RunFormat::id) == 0) return static_cast<const RunFormat*>(format_service(run_));
  if (std::strcmp(id, SignalFunctions::id) == 0) return static_cast<const SignalFunctions*>(signals_.get());
  if (const void* found = services_->find(id)) return found;
  const bool of_bodies = std::strcmp(id, TwistForm::id) == 0 || std::strcmp(id, ImplicitTwists::id) == 0;
  return of_bodies && assembly_ != nullptr ? system().extension(id) : nullptr;
}

const char* Model::body_name(Index body) const {
  if (frames_ != nullptr && frames_->is_frame({body})) return frames_->frame({body}).name.c_str();
  return run_.bodies[static_cast<std::size_t>(body)].name.c_str();
}

const void* Model::initial_state(BodyRef body) const {
  if (frames_ != nullptr && frames_->is_frame(body)) return frames_->start(body);
  if (states_.empty() || body.index < -1 || body.index >= body_count()) return nullptr;
  const Index position = body.is_ground() ? body_count() : body.index;
  return states_.data() + static_cast<std::size_t>(position) * state_doubles_;
}

const void* Model::body_parameters(Index body) const {
  require_body(body);
  const auto index = static_cast<std::size_t>(body);
  if (index < shared_bodies_.size()) shared_bodies_[index] = 1;
  return bodies_[index].data();
}

double Model::body_mass(Index body) const {
  require_body(body);
  shared_bodies_[static_cast<std::size_t>(body)] = 1;
  return system().bodies()->mass(body);
}

const Constraint* Model::constraint(ElementRef element) const {
  const auto index = static_cast<std::size_t>(element.index);
  if (element.index >= 0 && index < shared_constraints_.size()) shared_constraints_[index] = 1;
  return element.index >= 0 && index < constraints_.size() ? &constraints_[index].as<Constraint>() : nullptr;
}

void Model::create_elements() {
  const RotationProbe probe(*this, q0_, v0_);
  shared_bodies_.assign(run_.bodies.size(), 0);  // from now on: the system itself has read them all
  shared_constraints_.assign(run_.constraints.size(), 0);
  const auto place = [](const Section& section, const Component& component, auto&& insert) {
    try {
      insert(component);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      // The kernel's own words speak of "bodies", which types on one body call "body".
      const bool of_one = error.key() == "bodies" && section.node->find("bodies") == nullptr;
      throw locate(of_one ? Error::parameter("body", error.what()) : error, *section.node, section.path);
    }
  };
  constraints_.reserve(run_.constraints.size());
  for (const Section& section : run_.constraints) {
    constraints_.push_back(make_component(host_, run_, section, ComponentKind::constraint, *this, resolver_.get()));
    place(section, constraints_.back(), [&](const Component& component) {
      assembly_->add(section.name, section.type, component.plugin_id(),
                     frames_->led_on(component.as<Constraint>(), section.name, section.type));
      refuse_signals_of_state(component.as<Constraint>());
      refuse_rotation(probe, *assembly_, assembly_->constraints.back());
      refuse_points_beside(component.loaded(), section, *assembly_, assembly_->constraints.back());
    });
  }
  forces_.reserve(run_.forces.size());
  for (const Section& section : run_.forces) forces_.push_back(make_force(section));
  for (std::size_t i = 0; i < run_.forces.size(); ++i) {  // signals follow channels of any of them
    const Section& section = run_.forces[i];
    place(section, forces_[i], [&](const Component& component) {
      assembly_->add(section.name, section.type, component.plugin_id(), element_of(component, section));
      refuse_rotation(probe, *assembly_, assembly_->forces.back());
      refuse_points_beside(component.loaded(), section, *assembly_, assembly_->forces.back());
    });
  }
  for (const std::vector<Component>* list : {&constraints_, &forces_}) {
    for (const Component& component : *list) {
      const Extensible& element =
          list == &forces_ ? static_cast<const Extensible&>(component.as<ForceElement>()) : component.as<Constraint>();
      forget_state_functions(element);
    }
  }
  const auto& points = static_cast<const ModelResolver&>(*resolver_).points();
  for (std::size_t i = 0; i < run_.points.size(); ++i) {
    PointSlot slot{run_.points[i].name, points[i].body, {}};
    for (int k = 0; k < 3; ++k) slot.local[k] = points[i].local[k];
    require_place(slot, run_.points[i]);
    assembly_->add(slot);
  }
  if (signals_ != nullptr) carry_signals();
}

void Model::create_signals() {
  auto created = std::make_unique<ModelSignals>(run_, host_kind_, *resolver_);
  signals_ = std::move(created);
  std::erase_if(functions_of_time_, [&](const Function* f) { return signals_->is_part(f); });
  for (std::unique_ptr<NamedFunction>& function : signals_->functions_of_time(run_.analysis.duration)) {
    functions_of_time_.push_back(function.get());
    functions_.push_back(std::move(function));
  }
}

ChannelOwners Model::channel_owners() const {
  ChannelOwners owners;
  owners.host = host_kind_;
  owners.body = [this](const std::string& name) -> std::optional<BodyRef> {
    const std::optional<std::int32_t> index = resolver_->body(name);
    if (!index || *index >= body_count()) return std::nullopt;
    return BodyRef{*index};
  };
  owners.point = [this](const std::string& name) { return resolver_->point(name); };
  owners.constraint = [this](const std::string& name) -> const Constraint* {
    const std::optional<std::int32_t> index = resolver_->element(name);
    return index && static_cast<std::size_t>(*index) < constraints_.size()
               ? &constraints_[static_cast<std::size_t>(*index)].as<Constraint>()
               : nullptr;
  };
  owners.force = [this](const std::string& name) { return signals_->source(name); };
  owners.start = [this](BodyRef body) { return initial_state(body); };
  for (const Section& section : run_.bodies) owners.bodies.push_back(section.name);
  for (const Section& section : run_.points) owners.points.push_back(section.name);
  for (const Section& section : run_.constraints) owners.constraints.push_back(section.name);
  for (const Section& section : run_.forces) owners.forces.push_back(section.name);
  return owners;
}

Component Model::make_force(const Section& section) {
  if (signals_ != nullptr) signals_->begin_force();
  Component made = make_component(host_, run_, section, ComponentKind::force, *this, resolver_.get());
  if (signals_ != nullptr) signals_->end_force(section.name, made.plugin_id(), made.as<ForceElement>());
  return made;
}

const ForceElement& Model::element_of(const Component& force, const Section& section) {
  const auto& own = force.as<ForceElement>();
  if (signals_ == nullptr) return frames_->led_on(own, section.name, section.type);
  refuse_signals_of_state(own);
  const ForceElement& with = signals_->with_signals(section.name, channel_owners());
  if (&with != &own && assembly_->body_coordinates() != assembly_->table.frame_columns()) {
    throw Error(ErrorKind::input,
                fmt::format("'{}' reads a signal of the motion and cannot stand in a model with bodies "
                            "that deform",
                            section.name));
  }
  return frames_->led_on(with, section.name, section.type);
}

void Model::carry_signals() {
  const ForceElement* carrier = signals_->carrier(channel_owners());
  if (carrier == nullptr) return;
  if (assembly_->body_coordinates() != assembly_->table.frame_columns())
    throw Error(ErrorKind::input, "signals with states cannot stand in a model with bodies that deform");
  assembly_->add("signals", "signals", "trammel", *carrier);
}

void Model::refuse_signals_of_state(const Extensible& element) const {
  const auto* of_state = signals_ != nullptr ? find_extension<StateFunctions>(element) : nullptr;
  for (Index i = 0; of_state != nullptr && i < of_state->state_function_count(); ++i) {
    const Function* f = of_state->state_function(i);
    const bool named = std::any_of(functions_.begin(), functions_.end(),
                                   [&](const auto& own) { return own.get() == f && own->is_signal(); });
    if (f == nullptr || !(named || signals_->is_signal(f))) continue;
    throw Error(ErrorKind::input,
                "a signal stands where the type expects a function of a length, a rate or a position, and a signal has "
                "no argument; use the type's formula ('law'), or a function");
  }
}

void Model::require_place(const PointSlot& point, const Section& section) const {
  const Index body = point.body.index;
  if (body < 0 || assembly_->table.shape(body).kind != BodyKind::point_mass) return;
  for (const char* key : {"rotation", "angle"}) {
    if (section.node->find(key) == nullptr) continue;
    throw locate(
        Error::parameter(key, fmt::format("'{}' is a point mass and has no axes to turn them against: leave '{}' "
                                          "out, or give '{}' an 'inertia' and the type 'rigid'",
                                          body_name(body), key, body_name(body))),
        *section.node, section.path);
  }
  if (std::all_of(point.local, point.local + 3, [](double x) { return x == 0; })) return;
  throw locate(
      Error::parameter("point", fmt::format("'{}' is a point mass and has no points beside its own place: leave "
                                            "'point' at zero, or give '{}' an 'inertia' and the type 'rigid'",
                                            body_name(body), body_name(body))),
      *section.node, section.path);
}

const LoadedComponent& Model::component(const ElementSlot& slot) const {
  for (std::size_t i = 0; i < assembly_->constraints.size(); ++i) {
    if (&assembly_->constraints[i] == &slot) return constraints_[i].loaded();
  }
  const auto at = static_cast<const ForceSlot*>(&slot) - assembly_->forces.data();
  return forces_[static_cast<std::size_t>(at)].loaded();
}

void Model::forget_state_functions(const Extensible& element) {
  const StateFunctions* others = find_extension<StateFunctions>(element);
  for (Index i = 0; others != nullptr && i < others->state_function_count(); ++i) {
    std::erase_if(functions_of_time_, [&](const Function* f) { return f == others->state_function(i); });
  }
}

void Model::add_input(HostInput& function) {
  for (InputSlot& slot : inputs_) {
    if (slot.name != function.name()) continue;
    if (function.value() != slot.initial) {
      throw Error::parameter("value", fmt::format("the input '{}' starts with {:g} elsewhere and with {:g} here",
                                                  slot.name, slot.initial, function.value()));
    }
    function.set(slot.value);  // of a force made anew by an event, too
    slot.functions.push_back(&function);
    return;
  }
  inputs_.push_back({function.name(), function.value(), function.value(), {&function}});
}

void Model::set_input(std::size_t i, double value) {
  inputs_[i].value = value;
  for (HostInput* function : inputs_[i].functions) function->set(value);
}

void Model::change_force(const Setting& setting) {
  const ForceKey first = split_force_key(setting.path);
  const auto [name, key] = owner_and_key(first.force + "." + first.key, run_.forces);
  const ForceKey target{name, key};
  for (std::size_t i = 0; i < run_.forces.size(); ++i) {
    if (run_.forces[i].name != target.force) continue;
    Section section = run_.forces[i];
    const Node*& now = sections_now_[section.name];
    changed_sections_.push_back(now != nullptr ? *now : *section.node);
    apply_setting(changed_sections_.back(), {target.key, setting.value});
    now = section.node = &changed_sections_.back();
    Component made = make_force(section);
    assembly_->replace(static_cast<Index>(i), element_of(made, section));
    refuse_rotation(RotationProbe(*this, q0_, v0_), *assembly_, assembly_->forces[i]);
    forget_state_functions(made.as<ForceElement>());
    replaced_.push_back(std::move(forces_[i]));
    forces_[i] = std::move(made);
  }
}

}  // namespace trammel
