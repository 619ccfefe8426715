// From expressions of the deck to formulas of the run file.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "expression.h"
#include "formula.h"
#include "units.h"

namespace trammel::adams_deck {

/// What a formula of the run file cannot say; the statement is lost then, with this reason.
struct NotCarried {
  std::string why;
};

/// Measures of markers (DX, VR, AZ, ...) as formulas of the variables that an element has, in SI units.
class Measures {
 public:
  /// The marker numbers are those of the call. Throws NotCarried.
  virtual Formula measure(const std::string& function, const std::vector<int>& markers) = 0;

 protected:
  ~Measures() = default;
};

/// None: functions of time.
class NoMeasures final : public Measures {
 public:
  Formula measure(const std::string& function, const std::vector<int>&) override {
    throw NotCarried{function + " in a function of time"};
  }
};

/// Whether the function measures markers, and the unit of its value in the deck (SI per deck unit).
bool is_measure(const std::string& function, const Units& units, double& unit);

class Translator {
 public:
  /// `variable`: the expression of VARIABLE/id; throws if there is none.
  using Variable = std::function<const Expression&(int id)>;

  Translator(const Units& units, Measures& measures, Variable variable)
      : units_(units), measures_(measures), variable_(std::move(variable)) {}

  /// In the deck's units, of time in SI. Throws NotCarried, or Error(input) with `place`: arguments that cannot be.
  Formula translate(const Expression& e, const sdk::ImportPlace& place);
  /// Times at which steps of TIME begin and end, s, ascending.
  const std::vector<double>& break_points() const { return break_points_; }

 private:
  Formula part(const Expression& e);
  Formula function(const Expression& e);
  Formula measured(const Expression& e, double unit);
  Formula ramp(const Formula& x, const Formula& x0, const Formula& x1);
  Formula step(const Formula& x, const Formula& x0, const Formula& h0, const Formula& x1, const Formula& h1,
               bool fifth);
  Formula impact(const std::vector<Formula>& a);
  Formula bistop(const std::vector<Formula>& a);
  Formula series(const std::string& name, const std::vector<Formula>& a);
  void breaks_at(const Formula& x, const Formula& bound);
  [[noreturn]] void refuse(const std::string& what) const { sdk::refuse_file(place_, what); }

  const Units& units_;
  Measures& measures_;
  Variable variable_;
  sdk::ImportPlace place_;
  std::vector<double> break_points_;
  int depth_ = 0;
};

}  // namespace trammel::adams_deck
