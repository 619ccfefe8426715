// Optional abilities of integrators.
#pragma once

#include "trammel/integrator.h"
#include "trammel/refusal.h"

namespace trammel {

/// Methods whose parameters fit some problems only: numbers for each coordinate, a view that they need.
class IntegratorFit {
 public:
  static constexpr const char* id = "trammel.integrator_fit/1";

  /// [setup] Before the first `start`, at the same state. False, and why, where it does not fit.
  virtual bool fits(const Problem& problem, const ConstStateView& state, Refusal& refusal) const = 0;

 protected:
  ~IntegratorFit() = default;
};

/// Methods that move the state from which they go on: to the equilibrium behind a load that jumped. Others take it as it is.
class ChoosesStart {
 public:
  static constexpr const char* id = "trammel.chooses_start/1";

  /// [step] In front of every `start`, which is then called with the state as it was left here; the kernel shows and goes on
  /// from that. Its t stays. After a failure the run ends with the state that came in.
  virtual Status choose_start(const Problem& problem, const StateView& state, const Memory& memory) const = 0;

 protected:
  ~ChoosesStart() = default;
};

/// How a method with fixed steps treats the linear test equation y' = mu y.
class LinearStability {
 public:
  static constexpr const char* id = "trammel.linear_stability/1";

  /// [setup] Largest modulus of the roots of the method's characteristic polynomial (one-step methods: of the stability
  /// function) at h mu = re + i im; the method is stable there if it is at most 1.
  virtual double spectral_radius(double re, double im) const = 0;

 protected:
  ~LinearStability() = default;
};

/// Numbers about the last accepted step that a run may write beside its results.
class IntegratorChannels {
 public:
  static constexpr const char* id = "trammel.integrator_channels/1";

  /// [setup] Number of channels, and the snake_case name of 0 <= i < channel_count(). Names with a meaning for all
  /// integrators: "order", the order of the step; "local_error", its estimated error in the run's norm (1: just
  /// tolerated).
  virtual Index channel_count() const = 0;
  virtual const char* channel_name(Index i) const = 0;
  /// [step] Value of 0 <= i < channel_count() for the last accepted step.
  virtual double channel(Index i, const Memory& memory) const = 0;

 protected:
  ~IntegratorChannels() = default;
};

/// What the run's reader should know about how the integrator went about it.
class IntegratorNotes {
 public:
  static constexpr const char* id = "trammel.integrator_notes/1";

  /// [step] Writes one sentence, zero-terminated, of at most `capacity` characters, or "" if there is nothing to say.
  virtual void note(const Memory& memory, char* text, Index capacity) const = 0;

 protected:
  ~IntegratorNotes() = default;
};

/// Methods that notice when they are the wrong ones.
class IntegratorAdvice {
 public:
  static constexpr const char* id = "trammel.integrator_advice/1";

  /// [step] After an accepted step: what the run's reader should know, a string literal, or nullptr. The kernel adds
  /// the time at which a text appeared first and puts it into the warnings of summary.json.
  virtual const char* advice(const Memory& memory) const = 0;

 protected:
  ~IntegratorAdvice() = default;
};

/// Methods that choose their steps by a rule of their own, to which tolerances mean nothing: a run file that gives them
/// is refused.
class OwnStepRule {
 public:
  static constexpr const char* id = "trammel.own_step_rule/1";

  /// [setup] What the steps follow instead, for a message: "its \"frequency_limit\"", a literal.
  virtual const char* rule() const = 0;

 protected:
  ~OwnStepRule() = default;
};

/// Which methods are alike: two of one family may share what they cannot see, so `trammel verify` prefers a method of
/// another one. Without this extension the methods of a plugin are a family of their own.
class MethodFamily {
 public:
  static constexpr const char* id = "trammel.method_family/1";

  /// [setup] Name of the family as textbooks have it: "Adams", "Runge-Kutta", "implicit Runge-Kutta", "backward
  /// differentiation"; a literal.
  virtual const char* family() const = 0;

 protected:
  ~MethodFamily() = default;
};

/// Explicit methods that evaluate rates at the ends of their steps only, where states have the order of the method, as
/// multistep methods do. Stages inside a step violate constraints by h^2 or so whatever its ends hold, and a feedback that
/// grows with 1/h turns that into an error which shorter steps do not reduce.
class EvaluatesAtEnds {
 public:
  static constexpr const char* id = "trammel.evaluates_at_ends/1";

  /// [setup] False: not as it was made.
  virtual bool at_ends_only() const = 0;

 protected:
  ~EvaluatesAtEnds() = default;
};

/// Methods whose order rests on exact Jacobians.
class ExactJacobians {
 public:
  static constexpr const char* id = "trammel.exact_jacobians/1";

  /// [setup] Types of methods that accept differenced ones, for a message: "'a' or 'b'", a literal.
  virtual const char* otherwise() const = 0;

 protected:
  ~ExactJacobians() = default;
};

}  // namespace trammel
