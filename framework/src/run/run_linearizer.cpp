// Small motions of a run's model about states of the run.
#include "run/run_linearizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>

#include "analysis/one_sided.h"
#include "config/remade_run.h"
#include "linear/linear_axes.h"
#include "plugin/breadcrumb.h"
#include "trammel/error.h"

namespace trammel {
namespace {

/// What the model does, without what a run tells of itself.
bool tells_of_the_run(const std::string& name) {
  return name == "step" || name.starts_with("energy.") || name.starts_with("constraint.");
}

std::vector<std::string> strings_of(const Texts& texts) {
  std::vector<std::string> all;
  for (std::int64_t i = 0; i < texts.size; ++i) all.emplace_back(texts[i].view());
  return all;
}

void put(const std::string& text, char* buffer, std::uint32_t capacity) {
  if (capacity == 0) return;
  const std::size_t size = std::min<std::size_t>(text.size(), capacity - 1);
  std::memcpy(buffer, text.data(), size);
  buffer[size] = 0;
}

}  // namespace

RunLinearizer::RunLinearizer(const RunFile& run, const SimulationOptions& options, Plant& plant, RunRemarks& remarks)
    : model_(remade(run, {}), options), plant_(plant), remarks_(remarks) {}

bool RunLinearizer::choose(const LinearSystemRequest& request, Refusal& refusal) {
  const char* key = "turning";
  try {
    const bool spatial = model_.numbers().assembly().table.frame_columns() == SpatialBodyState::coordinates;
    if (!spatial && (request.turning[0] != 0 || request.turning[1] != 0))
      throw Error(ErrorKind::input, "axes of a planar model turn in its plane: give one number");
    order_.turning = {request.turning[0], request.turning[1], request.turning[2]};
    key = "inputs";
    order_.inputs = request.all_inputs ? model_.made->inputs->names() : strings_of(request.inputs);
    model_.linear_inputs(order_.inputs);
    key = "outputs";
    if (request.all_outputs) {
      order_.outputs = model_.made->columns->names();
      std::erase_if(order_.outputs, tells_of_the_run);
    } else {
      const std::vector<std::string> outputs = strings_of(request.outputs);
      if (outputs.empty()) order_.outputs.clear();
      if (!outputs.empty()) order_.outputs = model_.columns_of(outputs).names();
    }
    return true;
  } catch (const std::exception& error) {
    const auto* known = dynamic_cast<const Error*>(&error);
    refusal.kind = known != nullptr ? known->kind() : ErrorKind::compute;
    put(key, refusal.key, refusal.key_capacity);
    put(error.what(), refusal.text, refusal.text_capacity);
    return false;
  }
}

const std::vector<std::string>& RunLinearizer::names(Names of) const {
  switch (of) {
    case Names::states: return system_.states;
    case Names::inputs: return system_.inputs;
    case Names::outputs: break;
  }
  return system_.outputs;
}

ConstVectorView RunLinearizer::matrix(Matrix which) const {
  const std::vector<double>& all = which == Matrix::A   ? system_.A
                                   : which == Matrix::B ? system_.B
                                   : which == Matrix::C ? system_.C
                                                        : system_.D;
  return model_.view(all);
}

template <class Work>
Status RunLinearizer::attempt(const Work& work) {
  reason_.clear();
  try {
    work();
    return Status::success();
  } catch (const std::exception& error) {
    reason_ = error.what();
  } catch (...) {
    reason_ = "something that is no exception was thrown";
  }
  return Status::failure(StatusCode::failed, "the linearization");
}

void RunLinearizer::go_to_plant() {
  const Observation& now = plant_.observation();
  const auto values = [](ConstVectorView x) { return std::vector<double>(x.data, x.data + x.size); };
  model_.t = now.t, model_.q = values(now.q), model_.v = values(now.v), model_.z = values(now.z);
  ModelPoint& of_run = plant_.model()->point();
  const VectorView counted = of_run.angle_references();
  const VectorView angles = model_.numbers().point().angle_references();
  if (angles.size == counted.size) std::copy_n(counted.data, counted.size, angles.data);
  model_.numbers().point().invalidate();
  model_.observe();
}

// The matrices are those of one side there.
void RunLinearizer::warn_of_kink() {
  if (model_.numbers_point().memory().sees_last_step()) return;
  LinearModel linear;
  const std::vector<double> q = model_.q, v = model_.v;
  std::string text;
  blamed([&] {
    const Status known = linearize_model(model_.numbers(), model_.t, model_.view(q), model_.view(v), linear);
    model_.observe();
    if (known) text = find_one_sided(*model_.made->plant, linear);
  });
  if (!text.empty()) remarks_.warn(fmt::format("at t = {:.6g} {}", model_.t, text));
}

Status RunLinearizer::take() {
  return attempt([this] {
    go_to_plant();
    warn_of_kink();
    system_ = model_.linearize(order_);
  });
}

Status RunLinearizer::change_along_motion(double rate, double& change) {
  change = 0;
  if (model_.numbers_point().memory().sees_last_step()) return Status::success();
  return attempt([&] {
    const std::vector<double> q = model_.q, v = model_.v, z = model_.z;
    const LinearPlace place{model_.t, model_.view(q), model_.view(v), model_.view(z)};
    blamed(
        [&] { model_.require(trammel::change_along_motion(model_.numbers(), place, order_.turning, rate, change)); });
    model_.observe();
  });
}

}  // namespace trammel
