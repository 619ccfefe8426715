// ShownState: the state that a program sees between two steps.
#pragma once

#include <memory>
#include <utility>

#include "run/plant/state_buffer.h"
#include "trammel/parameters.h"

namespace trammel {

/// The end of the last step, or a time inside it where advance_to stopped. Its buffer also serves whoever looks into the
/// step meanwhile.
class ShownState {
 public:
  void make_room(StateBuffer&& state) { state_ = std::make_unique<StateBuffer>(std::move(state)); }
  bool inside() const { return given(t_); }
  double t() const { return t_; }
  void stop_at(double t) { t_ = t; }
  void show_end() { t_ = left_out(); }
  StateView& view() { return state_->view; }

 private:
  double t_ = left_out();
  std::unique_ptr<StateBuffer> state_;
};

}  // namespace trammel
