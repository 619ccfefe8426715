// Lookup and gradients of the coordinates that initial conditions name.
#include "model/start_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "trammel/error.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

constexpr std::array<const char*, 3> axis_names = {"x", "y", "z"};

Index axes_of(const ConstrainedModel& model) {
  return model.assembly().table.frame_columns() == PlanarBodyState::coordinates ? 2 : 3;
}

}  // namespace

StartRow::StartRow(ConstrainedModel& model, const std::string& name) {
  for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1)) {
    const std::string owner = name.substr(0, dot), what = name.substr(dot + 1);
    if (find_body(model, owner, what) || find_point(model, owner, what) || find_joint(model, owner, what)) return;
  }
  throw Error(ErrorKind::input, fmt::format("there is no coordinate '{}'{}", name, did_you_mean(name, choices(model))));
}

bool StartRow::find_body(ConstrainedModel& model, const std::string& owner, const std::string& what) {
  const Assembly& assembly = model.assembly();
  const BodySystem& system = assembly.system;
  for (Index b = 0; b < assembly.bodies(); ++b) {
    if (assembly.body_names[static_cast<std::size_t>(b)] != owner) continue;
    body_ = b;
    for (position_ = 0; position_ < assembly.table.width(b); ++position_) {
      if (what == system.coordinate_name(position_)) return true;
    }
    kind_ = Kind::velocity;  // what is a column and no coordinate
    const BodyShape& shape = assembly.table.shape(b);
    for (Index i = 0; i < shape.column_count; ++i) {
      position_ = shape.columns != nullptr ? shape.columns[i] : i;
      if (what == assembly.output.column_name(position_)) return !is_rate_of_a_coordinate(model);
    }
  }
  return false;
}

// Coordinates have their `rate` for that.
bool StartRow::is_rate_of_a_coordinate(ConstrainedModel& model) {
  double value = 0;
  std::vector<RowEntry> gradient;
  if (!evaluate(model, value, gradient)) return false;
  const auto entries =
      std::count_if(gradient.begin(), gradient.end(), [](const RowEntry& entry) { return entry.value != 0; });
  const bool unit =
      std::any_of(gradient.begin(), gradient.end(), [](const RowEntry& entry) { return entry.value == 1; });
  return entries == 1 && unit;
}

bool StartRow::find_point(const ConstrainedModel& model, const std::string& owner, const std::string& what) {
  kind_ = Kind::point;
  for (const PointSlot& point : model.assembly().points) {
    if (point.name != owner) continue;
    point_ = &point, body_ = point.body.index;
    for (position_ = 0; position_ < axes_of(model); ++position_) {
      if (what == axis_names[static_cast<std::size_t>(position_)]) return true;
    }
  }
  return false;
}

bool StartRow::find_joint(const ConstrainedModel& model, const std::string& owner, const std::string& what) {
  kind_ = Kind::joint;
  for (const ConstraintSlot& slot : model.assembly().constraints) {
    const JointCoordinates* offered = slot.name == owner ? find_extension<JointCoordinates>(*slot.constraint) : nullptr;
    for (Index i = 0; offered != nullptr && i < offered->coordinate_count(); ++i) {
      if (what != offered->coordinate_name(i)) continue;
      row_ = &offered->coordinate(i);
      angle_ = find_extension<CountedAngles>(*row_);
      begin_angle_reference();
      return true;
    }
  }
  return false;
}

std::vector<std::string> StartRow::choices(const ConstrainedModel& model) const {
  const Assembly& assembly = model.assembly();
  std::vector<std::string> names;
  for (Index i = 0; i < assembly.coordinates(); ++i) names.push_back(assembly.coordinate_name(i));
  for (const PointSlot& point : assembly.points) {
    for (Index k = 0; k < axes_of(model); ++k) {
      names.push_back(fmt::format("{}.{}", point.name, axis_names[static_cast<std::size_t>(k)]));
    }
  }
  for (const ConstraintSlot& slot : assembly.constraints) {
    const JointCoordinates* offered = find_extension<JointCoordinates>(*slot.constraint);
    for (Index i = 0; offered != nullptr && i < offered->coordinate_count(); ++i) {
      names.push_back(fmt::format("{}.{}", slot.name, offered->coordinate_name(i)));
    }
  }
  return names;
}

template <class Measure>
void StartRow::differentiate(ConstrainedModel& model, std::vector<RowEntry>& gradient, Measure&& measure) const {
  if (body_ < 0) return;
  const BodyTable& table = model.assembly().table;
  const std::vector<double> q = model.point().q(), v = model.point().v();
  std::vector<double> unit(v.size(), 0.0);
  for (Index k = 0; k < table.width(body_); ++k) {
    const Index column = table.first(body_) + k;
    unit[static_cast<std::size_t>(column)] = 1;
    model.point().move_states(q, unit);
    gradient.push_back({column, measure()});
    unit[static_cast<std::size_t>(column)] = 0;
  }
  model.point().move_states(q, v);
}

Status StartRow::evaluate(ConstrainedModel& model, double& value, std::vector<RowEntry>& gradient) {
  gradient.clear();
  const BodyOutput& output = model.assembly().output;
  switch (kind_) {
    case Kind::coordinate: {
      const Index column = model.assembly().table.first(body_) + position_;
      value = model.point().q()[static_cast<std::size_t>(column)];
      gradient.push_back({column, 1});
      return Status::success();
    }
    case Kind::velocity: {
      std::vector<double> columns(static_cast<std::size_t>(output.column_count()));
      const auto measure = [&] {
        output.column_values(model.point().body_state(body_), {columns.data(), output.column_count()});
        return columns[static_cast<std::size_t>(position_)];
      };
      value = measure();
      differentiate(model, gradient, measure);
      return Status::success();
    }
    case Kind::point: {
      double position[3], velocity[3];
      const auto measure = [&] {
        output.point(model.point().body_state(body_), point_->local, {}, position, velocity, nullptr);
        return velocity[position_];
      };
      measure();
      value = position[position_];
      differentiate(model, gradient, measure);
      return Status::success();
    }
    case Kind::joint: break;
  }
  return evaluate_joint(model, value, gradient);
}

Status StartRow::evaluate_joint(ConstrainedModel& model, double& value, std::vector<RowEntry>& gradient) {
  const Index c = model.assembly().body_coordinates(), bodies = row_->body_count();
  std::vector<const void*> states;
  std::vector<MatrixView> blocks;
  std::vector<double> numbers(static_cast<std::size_t>(bodies * c));
  for (Index i = 0; i < bodies; ++i) {
    const Index body = row_->body(i).index;
    states.push_back(model.point().body_state(body));
    blocks.push_back(body >= 0 ? MatrixView{numbers.data() + i * c, 1, c, 1} : MatrixView{});
  }
  ConstraintOutput out;
  out.Phi = {&value, 1};
  out.Phi_q = blocks.data();
  ElementState s;
  s.bodies = states.data(), s.angle_references = &reference_;
  const Status status = row_->evaluate(s, out);
  for (Index i = 0; i < bodies; ++i) {
    const Index body = row_->body(i).index;
    if (body < 0) continue;
    for (Index k = 0; k < model.assembly().table.width(body); ++k) {
      gradient.push_back({model.assembly().table.first(body) + k, numbers[static_cast<std::size_t>(i * c + k)]});
    }
  }
  return status;
}

void StartRow::begin_angle_reference() {
  if (angle_ != nullptr) angle_->initial_angles({&reference_, 1});
}

void StartRow::update_angle_reference(const ConstrainedModel& model) {
  if (angle_ == nullptr) return;
  std::vector<const void*> states;
  for (Index i = 0; i < row_->body_count(); ++i) states.push_back(model.point().body_state(row_->body(i).index));
  ElementState s;
  s.bodies = states.data(), s.angle_references = &reference_;
  double angle = reference_;
  angle_->angles(s, {&angle, 1});
  reference_ = angle;
}

}  // namespace trammel
