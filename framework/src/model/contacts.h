// Contacts: the one-sided contacts of a model, their gaps, and the velocity jump where bodies meet.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "model/constrained_model.h"
#include "trammel/extensions/contact.h"

namespace trammel {

/// What a jump of the velocities did to the energy, J.
struct Impact {
  double dissipated = 0;  ///< taken out by restitution, and by impulses that make inconsistent velocities consistent
  double work = 0;        ///< put in by drivers that went on moving
};

class Contacts {
 public:
  /// [setup] Of all constraints that offer UnilateralContact. Throws Error(input): a contact that has rows.
  explicit Contacts(const Assembly& assembly);

  Index count() const { return static_cast<Index>(contacts_.size()); }
  const ConstraintSlot& slot(Index i) const { return *contacts_[static_cast<std::size_t>(i)].slot; }
  double rest_speed(Index i) const { return contacts_[static_cast<std::size_t>(i)].contact->rest_speed(); }

  /// [step] The gaps at the model's last evaluation point.
  Status gaps(const ConstrainedModel& model, VectorView out) const;
  /// [step] Changes v at (t, q, z) by impulses of all constraints and of those contacts that touch: the ones in
  /// `met`, and any other whose gap has closed. `approach` gets the speed at which each met, 0 for those that did not.
  Status collide(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView z, const std::vector<char>& met,
                 VectorView v, std::vector<double>& approach, Impact& impact);
  /// [step] Time until a contact that parts at v with acceleration a closes again; infinite if none does. At the
  /// model's last evaluation point.
  Status time_of_flight(const ConstrainedModel& model, ConstVectorView v, ConstVectorView a, double& time) const;

 private:
  struct Contact {
    const ConstraintSlot* slot;
    const UnilateralContact* contact;
  };
  /// Gap, and if wanted its gradient as a vector over all coordinates, and gamma of its row.
  Status row(const ConstrainedModel& model, const Contact& contact, double& gap, double* gradient, double* gamma) const;
  void solve_impulses(Index active);

  std::vector<Contact> contacts_;
  Index coordinates_, body_coordinates_;
  std::vector<double> blocks_, zero_n_, zero_m_, work_m_, lambda_, momentum_;
  std::vector<Index> touching_;
  Eigen::MatrixXd G_, X_, A_;  // gradients of the touching gaps, velocities by unit impulses, and G^T X
  Eigen::VectorXd rate_, wanted_, impulse_;
};

}  // namespace trammel
