// Elements evaluated with rotations that their bodies do not have.
#include "model/rotation_probe.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <random>

#include "model/model.h"
#include "model/named_function.h"
#include "plugin/breadcrumb.h"
#include "trammel/body_state.h"
#include "trammel/error.h"
#include "trammel/extensions/contact.h"

namespace trammel {
namespace {

constexpr int probe_places = 12;         // one-sided elements act at some of them
constexpr double probe_range = 0.3;      // of the model's size; rad
constexpr double probe_accuracy = 1e-9;  // of the largest number: points drawn at a point mass miss it by rounding
constexpr double probe_turn = 1.1;       // rad

using ProbeRandom = std::minstd_rand;

double random_amount(ProbeRandom& random) { return std::uniform_real_distribution<double>(-1, 1)(random); }

void turn_state(PlanarBodyState& b, ProbeRandom& random) {
  b.phi = probe_turn * (1 + 0.3 * random_amount(random)), b.omega = 1 + random_amount(random);
  b.c = std::cos(b.phi), b.s = std::sin(b.phi);
}

void turn_state(SpatialBodyState& b, ProbeRandom& random) {
  const Eigen::Vector3d axis =
      Eigen::Vector3d(random_amount(random), random_amount(random), 2 + random_amount(random)).normalized();
  const Eigen::Quaterniond p(Eigen::AngleAxisd(probe_turn, axis));
  Eigen::Map<Eigen::Vector4d>(b.p) = Eigen::Vector4d(p.w(), p.x(), p.y(), p.z());
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(b.A) = p.toRotationMatrix();
  const Eigen::Vector4d rate(random_amount(random), random_amount(random), random_amount(random),
                             random_amount(random));
  Eigen::Map<Eigen::Vector4d> along(b.p);
  Eigen::Map<Eigen::Vector4d>(b.pdot) = rate - rate.dot(along) * along;
}

bool numbers_differ(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max({largest, std::abs(a[i]), std::abs(b[i])});
    difference = std::max(difference, std::abs(a[i] - b[i]));
  }
  return difference > probe_accuracy * largest;
}

bool all_finite(const std::vector<double>& x) {
  return std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); });
}

std::vector<double> start_angles(const ElementSlot& slot) {
  std::vector<double> angles(static_cast<std::size_t>(slot.angles != nullptr ? slot.angles->angle_count() : 0));
  if (!angles.empty()) slot.angles->initial_angles({angles.data(), static_cast<Index>(angles.size())});
  return angles;
}

/// Inputs at 1 for as long as it lives.
class InputsAtOne {
 public:
  InputsAtOne(Model& model, bool moved) : model_(model), moved_(moved) {
    for (std::size_t i = 0; moved_ && i < model.inputs().size(); ++i) {
      before_.push_back(model.inputs()[i].value);
      model.set_input(i, 1);
    }
  }
  InputsAtOne(const InputsAtOne&) = delete;
  InputsAtOne& operator=(const InputsAtOne&) = delete;
  ~InputsAtOne() {
    for (std::size_t i = 0; i < before_.size(); ++i) model_.set_input(i, before_[i]);
  }

 private:
  Model& model_;
  bool moved_;
  std::vector<double> before_;
};

}  // namespace

RotationProbe::RotationProbe(Model& model, const std::vector<double>& q, const std::vector<double>& v)
    : model_(model),
      assembly_(*model.assembly()),
      stride_(static_cast<std::size_t>(assembly_.system.state_bytes() + 7) / 8) {
  const Assembly& assembly = assembly_;
  if (!assembly.table.mixed()) return;
  const BodyTable& table = assembly.table;
  const auto bodies = static_cast<std::size_t>(table.bodies()), n = q.size();
  double size = 0;
  for (std::size_t i = 0; i < n; ++i)
    size = table.displaces(static_cast<Index>(i)) ? std::max(size, std::abs(q[i])) : size;
  if (!(size > 0)) size = 1;
  ProbeRandom random(1);
  for (int k = 0; k < probe_places; ++k) {
    std::vector<double> at = q, rate = v;
    for (std::size_t i = 0; i < n; ++i) {
      const double scale = table.displaces(static_cast<Index>(i)) ? size : 1;
      at[i] += probe_range * scale * random_amount(random), rate[i] += scale * random_amount(random);
    }
    for (Index b = 0; b < table.bodies(); ++b) {
      if (table.width(b) < SpatialBodyState::coordinates) continue;
      const auto first = static_cast<std::size_t>(table.first(b));
      Eigen::Map<Eigen::Vector4d> p(at.data() + first + 3), p_rate(rate.data() + first + 3);
      p.normalize();
      p_rate -= p.dot(p_rate) * Eigen::Vector4d(p);
    }
    Place& place = places_.emplace_back();
    place.plain.assign((bodies + 1) * stride_, 0.0);
    const auto count = static_cast<Index>(n);
    assembly.motion.kinematics({at.data(), count}, {rate.data(), count}, place.plain.data());
    assembly.system.ground_state(place.plain.data() + bodies * stride_);
    place.turned = place.plain;
    for (std::size_t b = 0; b < bodies; ++b) {
      void* state = place.turned.data() + b * stride_;
      if (has_rotation(static_cast<Index>(b))) continue;
      if (table.frame_columns() == PlanarBodyState::coordinates)
        turn_state(*static_cast<PlanarBodyState*>(state), random);
      else
        turn_state(*static_cast<SpatialBodyState*>(state), random);
    }
  }
}

std::vector<const void*> RotationProbe::attached(const ElementSlot& slot, const Place& place, Index only,
                                                 bool turned) const {
  std::vector<const void*> states;
  for (const Index body : slot.bodies) {
    const std::size_t number = static_cast<std::size_t>(body >= 0 ? body : assembly_.bodies());
    const bool other = turned && (only < 0 || body == only);
    states.push_back((other ? place.turned : place.plain).data() + number * stride_);
  }
  return states;
}

// Between break points, on both sides of them, and all over the run.
std::vector<double> RotationProbe::times() const {
  std::vector<double> points = {0}, result;
  for (const NamedFunction* f : model_.functions_of_time()) {
    std::vector<double> own(static_cast<std::size_t>(f->break_points(nullptr, 0)));
    f->break_points(own.data(), static_cast<Index>(own.size()));
    for (const double t : own) {
      if (std::isfinite(t) && t > 0) points.push_back(t);
    }
  }
  std::sort(points.begin(), points.end());
  for (std::size_t i = 0; i + 1 < points.size(); ++i) result.push_back(0.5 * (points[i] + points[i + 1]));
  result.push_back(points.back() + 1);
  const double duration = model_.run().analysis.duration;
  for (int k = 0; k < probe_places; ++k) {
    result.push_back(0.1 * k);
    if (std::isfinite(duration)) result.push_back(duration * (k + 0.5) / probe_places);
  }
  return result;
}

// All bodies without rotation at once; which one it is only where something differs.
template <class Evaluate>
Index RotationProbe::find(const ElementSlot& slot, StartMemory& memory, const Evaluate& evaluate) const {
  if (std::all_of(slot.bodies.begin(), slot.bodies.end(), [&](Index b) { return has_rotation(b); })) return -1;
  std::vector<double> angles = start_angles(slot);
  double t = 0;
  const auto values = [&](const Place& place, Index only, bool turned, Numbers& out) {
    const std::vector<const void*> states = attached(slot, place, only, turned);
    ElementState s;
    s.t = t, s.bodies = states.data(), s.angle_references = angles.data();
    return memory.give(s).ok() && evaluate(s, turned, out) && all_finite(out);
  };
  Numbers plain, turned;
  const std::vector<double> all_times = places_.empty() ? std::vector<double>() : times();
  for (std::size_t k = 0; k < 2 * all_times.size(); ++k) {
    // The same place and time without inputs and with them.
    const Place& place = places_[(k / 2) % places_.size()];
    t = all_times[k / 2];
    const InputsAtOne moved(model_, k % 2 == 1);
    if (!values(place, -1, false, plain) || !values(place, -1, true, turned) || !numbers_differ(plain, turned))
      continue;
    Index last = -1;
    for (const Index body : slot.bodies) {
      if (has_rotation(body)) continue;
      last = body;
      if (values(place, body, true, turned) && numbers_differ(plain, turned)) return body;
    }
    return last;
  }
  return -1;
}

Index RotationProbe::find(const ConstraintSlot& slot) const {
  const auto* contact = find_extension<UnilateralContact>(*slot.constraint);
  const Constraint& rows = contact != nullptr ? contact->gap() : *slot.constraint;
  const auto m = static_cast<std::size_t>(rows.rows());
  const std::size_t c = static_cast<std::size_t>(assembly_.table.local()), k = slot.bodies.size();
  StartMemory memory(assembly_, slot);
  return find(slot, memory, [&](const ElementState& s, bool, Numbers& out) {
    std::vector<double> numbers(m * (2 + k * c), 0.0);
    std::vector<MatrixView> blocks;
    const auto rows_of = static_cast<Index>(m);
    for (std::size_t b = 0; b < k; ++b) {
      const bool ground = slot.bodies[b] < 0;
      blocks.push_back(ground ? MatrixView{}
                              : MatrixView{numbers.data() + m * (2 + b * c), rows_of, static_cast<Index>(c), rows_of});
    }
    ConstraintOutput wanted;
    wanted.Phi = {numbers.data(), rows_of}, wanted.gamma = {numbers.data() + m, rows_of};
    wanted.Phi_q = blocks.data();
    if (!rows.evaluate(s, wanted)) return false;
    // Columns of coordinates that a body does not have say nothing that the residual does not say.
    for (std::size_t b = 0; b < k; ++b) {
      if (has_rotation(slot.bodies[b])) continue;
      const auto width = static_cast<std::size_t>(assembly_.table.width(slot.bodies[b]));
      std::fill_n(numbers.begin() + static_cast<std::ptrdiff_t>(m * (2 + b * c + width)), m * (c - width), 0.0);
    }
    out = std::move(numbers);
    return true;
  });
}

Index RotationProbe::find(const ForceSlot& slot) const {
  const std::size_t c = static_cast<std::size_t>(assembly_.table.local()), k = slot.bodies.size();
  const auto nz = slot.states;
  std::vector<double> z(static_cast<std::size_t>(nz), 0.0);
  if (nz > 0) slot.force->initial_internal_states({z.data(), nz});
  StartMemory memory(assembly_, slot);
  return find(slot, memory, [&](const ElementState& given, bool turned, Numbers& out) {
    ElementState s = given;
    s.z = z.data();
    std::vector<double> numbers(k * c + z.size(), 0.0);
    std::vector<VectorView> blocks;
    for (std::size_t b = 0; b < k; ++b) {
      blocks.push_back(slot.bodies[b] < 0 ? VectorView{} : VectorView{numbers.data() + b * c, static_cast<Index>(c)});
    }
    const ElementMark mark(slot.plugin.c_str(), slot.name.c_str());
    if (!slot.force->force(s, blocks.data())) return false;
    // What turns a body without rotation may be the same whatever that is: its sign makes it differ.
    for (std::size_t b = 0; turned && b < k; ++b) {
      if (has_rotation(slot.bodies[b])) continue;
      for (auto i = static_cast<std::size_t>(assembly_.table.width(slot.bodies[b])); i < c; ++i)
        numbers[b * c + i] *= -1;
    }
    if (nz > 0 && !slot.force->internal_rate(s, {numbers.data() + k * c, nz})) return false;
    out = std::move(numbers);
    return true;
  });
}

namespace {

void refuse_body(const Assembly& assembly, const ElementSlot& slot, Index body, const std::string& key = "bodies") {
  if (body < 0) return;
  const std::string& name = assembly.body_names[static_cast<std::size_t>(body)];
  throw Error::parameter(
      key, fmt::format("'{}' (type '{}') needs the rotation of '{}', a point mass, which has none: attach it at the "
                       "place of the point mass, take a type that needs no rotation there (spherical, distance, "
                       "tsda, ...), or give '{}' an 'inertia' and the type 'rigid'",
                       slot.name, slot.type, name, name));
}

}  // namespace

void refuse_rotation(const RotationProbe& probe, const Assembly& assembly, const ConstraintSlot& slot) {
  refuse_body(assembly, slot, probe.find(slot));
}

void refuse_rotation(const RotationProbe& probe, const Assembly& assembly, const ForceSlot& slot) {
  refuse_body(assembly, slot, probe.find(slot));
}

void refuse_points_beside(const LoadedComponent& loaded, const Section& section, const Assembly& assembly,
                          const ElementSlot& slot) {
  constexpr double drawn = 1e-12;  // m: expressions miss zero by rounding
  for (const ParameterInfo& p : loaded.info->parameters) {
    if (p.type != ParameterType::body_point) continue;
    const auto which = static_cast<std::size_t>(p.count_min);
    const Node* given = section.node->find(p.name);
    if (given == nullptr || which >= slot.bodies.size()) continue;
    const Index body = slot.bodies[which];
    if (body < 0 || assembly.table.turns(body)) continue;
    const bool beside = std::any_of(given->items.begin(), given->items.end(),
                                    [](const Node& item) { return item.is_number() && std::abs(item.number) > drawn; });
    if (beside) refuse_body(assembly, slot, body, p.name);
  }
}

}  // namespace trammel
