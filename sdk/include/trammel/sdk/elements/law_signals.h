// LawSignals: the signals that a formula of a force names beside its own variables.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "trammel/error.h"
#include "trammel/extensions/function_bounds.h"
#include "trammel/extensions/signal_functions.h"
#include "trammel/function.h"
#include "trammel/math/interval.h"
#include "trammel/model_info.h"
#include "trammel/sdk/math/dual.h"
#include "trammel/text/expression.h"

namespace trammel::sdk {

/// A force's formula `F(own variables, signals)`. Signals are functions of time to the force: their values stand behind the
/// own variables, and their rates belong to the derivative by t.
class LawSignals {
 public:
  static constexpr std::size_t most = 16;

  LawSignals() = default;

  /// [setup] Compiles the formula; its variables are the own ones, then the signals that it names. Throws Error::parameter
  /// with this key.
  Expression compile(const char* key, std::string_view text, std::vector<std::string> own, const ModelInfo& model) {
    try {
      const auto* offered = find_extension<SignalFunctions>(model);
      const Index count = offered != nullptr ? offered->signal_count() : 0;
      std::vector<std::string> all = own;
      for (Index i = 0; i < count; ++i) all.emplace_back(offered->signal_name(i));
      const Expression whole = Expression::compile(text, all);
      std::vector<Index> used;
      for (std::size_t k = 0; k < own.size(); ++k) {
        const bool twice =
            std::find(all.begin() + static_cast<std::ptrdiff_t>(own.size()), all.end(), own[k]) != all.end();
        if (twice && uses_name(text, own[k])) {
          throw Error(ErrorKind::input, "'" + own[k] +
                                            "' is a variable of this formula and the name of a signal; give "
                                            "the signal another name");
        }
      }
      for (Index i = 0; i < count; ++i) {
        if (whole.uses(own.size() + static_cast<std::size_t>(i))) used.push_back(i);
      }
      if (used.size() > most) throw Error(ErrorKind::input, "names more than 16 signals; make one signal of several");
      for (const Index i : used) {
        own.emplace_back(offered->signal_name(i));
        char reason[512] = "";
        char no_key[2] = "";
        Refusal refusal{sizeof(Refusal), ErrorKind::input, no_key, sizeof(no_key), sizeof(reason), reason};
        const Function* signal = offered->use_signal(i, &refusal);
        if (signal == nullptr) throw Error(ErrorKind::input, reason);
        signals_.push_back(signal);
      }
      return Expression::compile(text, own);
    } catch (const Error& error) {
      throw Error::parameter(key, error.what());
    }
  }

  std::size_t size() const { return signals_.size(); }
  bool any() const { return !signals_.empty(); }

  /// [hot] Their values at t, whose derivatives they take on.
  template <class T>
  Status values(const T& t, T* out) const {
    constexpr bool plain = std::is_same_v<T, double>;
    const double now = base_value(t);
    Status status;
    for (std::size_t k = 0; status && k < signals_.size(); ++k) {
      double value[2] = {0, 0};
      status = signals_[k]->evaluate(now, plain ? 0 : 1, value);
      out[k] = T(value[0]);
      if constexpr (!plain) out[k] = out[k] + T(value[1]) * (t - T(now));
    }
    return status;
  }
  /// [step] Between which values they stay; everything, of those that do not depend on time alone.
  void ranges(const Interval& t, Interval* out) const {
    for (std::size_t k = 0; k < signals_.size(); ++k) {
      const auto* bounds = find_extension<FunctionBounds>(*signals_[k]);
      double range[2];
      out[k] = bounds != nullptr && bounds->bounds(t.low, t.high, range) ? Interval(range[0], range[1])
                                                                         : Interval::everything();
    }
  }

 private:
  /// Whether the formula has this word in it.
  static bool uses_name(std::string_view text, std::string_view name) {
    const auto inside = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    };
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      if ((at == 0 || !inside(text[at - 1])) && (end == text.size() || !inside(text[end]))) return true;
    }
    return false;
  }

  std::vector<const Function*> signals_;
};

}  // namespace trammel::sdk
