// Model: a run file's system with all its components created and, where it has bodies, its assembly.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/assembly.h"
#include "model/component.h"
#include "model/host_services.h"
#include "model/model_frames.h"
#include "model/model_signals.h"
#include "model/named_function.h"
#include "trammel/host/host_input.h"

namespace trammel {

/// Lives as long as the run. `run` and `host` must outlive it.
class Model final : public ModelInfo {
 public:
  /// The functions of one name that the program around the run feeds.
  struct InputSlot {
    std::string name;
    double initial = 0, value = 0;
    std::vector<HostInput*> functions;
  };

  /// [setup] `threads`: how many components may use. Throws Error: types not found, wrong keys, impossible geometry.
  Model(const RunFile& run, PluginHost& host, Index threads = 1);

  System& system() const { return system_.as<System>(); }
  const std::string& system_plugin() const { return system_.plugin_id(); }
  /// nullptr for problems without bodies.
  const Assembly* assembly() const { return assembly_.get(); }
  /// Start values of all coordinates as the run file gives them.
  const std::vector<double>& q0() const { return q0_; }
  const std::vector<double>& v0() const { return v0_; }
  /// Whether an element was made with numbers of this body, or with this constraint: weights that forces ask for, joints
  /// that others build on. Such numbers act in more than one place.
  bool numbers_are_shared(BodyRef body) const { return shared_bodies_[static_cast<std::size_t>(body.index)] != 0; }
  bool numbers_are_shared(ElementRef constraint) const {
    return shared_constraints_[static_cast<std::size_t>(constraint.index)] != 0;
  }
  /// What made an element of the assembly.
  const LoadedComponent& component(const ElementSlot& slot) const;
  /// For the components created later: formulation, integrator, metrics.
  Resolver& resolver() const { return *resolver_; }
  const RunFile& run() const { return run_; }
  PluginHost& plugins() const { return host_; }

  const void* extension(const char* id) const override;
  HostServices& services() { return *services_; }
  const HostServices& services() const { return *services_; }
  Host host() const override { return host_kind_; }
  Index body_count() const override { return static_cast<Index>(run_.bodies.size()); }
  const char* body_name(Index body) const override;
  const void* body_parameters(Index body) const override;
  double body_mass(Index body) const override;
  const void* initial_state(BodyRef body) const override;
  const Constraint* constraint(ElementRef element) const override;

  /// Functions whose break points are times, in the order of their creation; each speaks for those inside it.
  const std::vector<const NamedFunction*>& functions_of_time() const { return functions_of_time_; }

  /// nullptr: the run file has none.
  const ModelSignals* signals() const { return signals_.get(); }

  const std::vector<InputSlot>& inputs() const { return inputs_; }
  /// [step] Whatever was computed with the old value is void.
  void set_input(std::size_t i, double value);

  /// [step] Makes a force anew with one key of its section changed ("forces.spring.stiffness"); the element before
  /// stays alive. Throws Error: what the type says about its new keys.
  void change_force(const Setting& setting);

 private:
  class ModelResolver;
  void create_elements();
  /// [setup] Signals, and what they do in time.
  void create_signals();
  ChannelOwners channel_owners() const;
  /// [setup] The component of a force, which `signals_` then knows.
  Component make_force(const Section& section);
  /// [setup] The element of a force's component, with the signals that it reads. Throws Error(input).
  const ForceElement& element_of(const Component& force, const Section& section);
  /// [setup] The states of signals that no force reads.
  void carry_signals();
  /// [setup] Throws Error(input) if functions of one name start with different values.
  void add_input(HostInput& function);
  void initial_states();
  /// [setup] Frames at the named points of bodies that deform; called for all systems of bodies.
  void add_frames();
  /// [setup] Throws Error(input) for a frame, which has neither mass nor parameters.
  void require_body(Index body) const;
  /// [setup] Throws Error(input) for a point beside a point mass.
  void require_place(const PointSlot& point, const Section& section) const;
  /// Their arguments are no times.
  void forget_state_functions(const Extensible& element);
  /// [setup] Throws Error(input) if one of them is a signal, which has no other argument than time.
  void refuse_signals_of_state(const Extensible& element) const;

  const RunFile& run_;
  PluginHost& host_;
  Host host_kind_ = Host::any;
  std::unique_ptr<Resolver> resolver_;
  std::unique_ptr<HostServices> services_;
  std::vector<std::unique_ptr<Component>> function_components_;
  std::vector<std::unique_ptr<NamedFunction>> functions_;  ///< of these components, as elements get them
  std::vector<const NamedFunction*> functions_of_time_;
  std::unique_ptr<ModelSignals> signals_;
  std::vector<InputSlot> inputs_;
  std::vector<BoundParameters> bodies_;
  mutable std::vector<unsigned char> shared_bodies_, shared_constraints_;  // asked for by elements
  Component system_;
  std::vector<Component> constraints_, forces_;
  std::deque<Node> changed_sections_;  // of forces that events changed, all versions
  std::map<std::string, const Node*> sections_now_;
  std::deque<Component> replaced_;
  std::unique_ptr<Assembly> assembly_;
  std::unique_ptr<ModelFrames> frames_;
  std::vector<double> q0_, v0_, states_;
  std::size_t state_doubles_ = 0;
};

}  // namespace trammel
