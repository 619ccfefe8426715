// Which element of a model is to blame, in words.
#include "model/element_report.h"

#include <fmt/format.h>

#include <vector>

#include "linalg/sizes.h"
#include "model/model_point.h"
#include "plugin/breadcrumb.h"

namespace trammel {

std::string failed_element(const ModelPoint& point) {
  const ElementSlot* failed = point.failed();
  if (failed == nullptr) return "";
  if (*point.failed_in() == '\0') return fmt::format("'{}' (type '{}')", failed->name, failed->type);
  return fmt::format("'{}' (type '{}', plugin '{}') in {}()", failed->name, failed->type, failed->plugin,
                     point.failed_in());
}

std::string failed_element_key(const ModelPoint& point) {
  const ElementSlot* failed = point.failed();
  if (failed == nullptr) return "";
  for (const ForceSlot& slot : point.assembly().forces) {
    if (&slot == failed) return "forces/" + slot.name;
  }
  return "constraints/" + failed->name;
}

std::string find_not_finite(const ModelPoint& point) {
  if (*point.failed_in() != '\0') return failed_element(point) + " returned a number that is not finite";
  const auto finite = [](const std::vector<double>& x) {
    return ConstVectorView{x.data(), static_cast<Index>(x.size())}.map().allFinite();
  };
  if (!finite(point.q()) || !finite(point.v()) || !finite(point.z())) return "";
  const auto culprit = [](const ElementSlot& slot, const char* what) {
    return fmt::format("{} '{}' (type '{}', plugin '{}') returned a number that is not finite", what, slot.name,
                       slot.type, slot.plugin);
  };
  for (const ConstraintSlot& slot : point.assembly().constraints) {
    const auto in_rows = [&](ConstVectorView x) { return x.segment(slot.first_row, slot.rows).map().allFinite(); };
    bool good = in_rows(point.Phi()) && in_rows(point.nu()) && in_rows(point.gamma());
    for (std::size_t k = 0; k < slot.bodies.size(); ++k) {
      const MatrixView& block = point.jacobian_block(slot, static_cast<Index>(k));
      if (block) good = good && block.map().allFinite();
    }
    if (!good) return culprit(slot, "constraint");
  }
  const Index c = point.assembly().body_coordinates();
  std::vector<double> Q(count(point.assembly().bodies() * c));
  for (const ForceSlot& slot : point.assembly().forces) {
    bool good = true;
    std::vector<VectorView> local;
    for (Index body : slot.bodies) local.push_back(body >= 0 ? view(Q).segment(body * c, c) : VectorView{});
    for (const VectorView& part : local) {
      if (part.data != nullptr) part.map().setZero();
    }
    const ElementMark mark(slot.plugin.c_str(), slot.name.c_str());
    slot.force->force(point.element_state(slot), local.data());
    for (const VectorView& part : local) {
      if (part.data != nullptr) good = good && part.map().allFinite();
    }
    if (!good) return culprit(slot, "force");
  }
  return "";
}

}  // namespace trammel
