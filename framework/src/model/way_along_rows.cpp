// Ways along rows that hold for velocities only, by extrapolation.
#include "model/way_along_rows.h"

#include <cmath>
#include <vector>

#include "linalg/sizes.h"

namespace trammel {
namespace {

constexpr double way_accuracy = 1e-12;  // of the model's unit or rad, of one step of the extrapolation
constexpr Index most_columns = 10;      // of the extrapolation; with 2, 4, ..., 20 steps of the midpoint rule
constexpr Index most_pieces = 64;       // that the way is cut into
constexpr double onto_rows = 1e-13;     // of the last correction of positions

class WayAlongRows {
 public:
  WayAlongRows(ConstrainedModel& model, double t, ConstVectorView dq) : model_(model), t_(t), dq_(dq.map()) {}

  /// `reached`: whether every piece of the way came to the accuracy.
  Status go(Eigen::VectorXd& q, Index pieces, bool& reached) {
    Status status;
    reached = true;
    for (Index k = 0; status && reached && k < pieces; ++k) {
      status = extrapolate(q, 1.0 / static_cast<double>(pieces), reached);
    }
    return status;
  }

 private:
  Status rate(Eigen::VectorXd& q, Eigen::VectorXd& out) {
    std::vector<double> z = model_.point().z();
    out = dq_;
    Status status = model_.evaluate(t_, view(q), {}, view(z), evaluate_jacobian);
    if (status) status = model_.factorize(ProjectionWeights::identity);
    return status ? model_.project_tangent(view(out)) : status;
  }

  /// Modified midpoint rule with an even number of steps, without Gragg's smoothing: its error is even in the step.
  Status midpoint(const Eigen::VectorXd& from, double length, Index steps, Eigen::VectorXd& out) {
    const double h = length / static_cast<double>(steps);
    Eigen::VectorXd before = from, slope, next;
    Status status = rate(before, slope);
    out = from + h * slope;
    for (Index k = 1; status && k < steps; ++k) {
      status = rate(out, slope);
      next = before + 2 * h * slope;
      before = out, out = next;
    }
    return status;
  }

  // The diagonal of Aitken and Neville's scheme for h^2 -> 0.
  Status extrapolate(Eigen::VectorXd& q, double length, bool& reached) {
    std::vector<Eigen::VectorXd> row, last;
    for (Index j = 1; j <= most_columns; ++j) {
      row.assign(1, {});
      const Status status = midpoint(q, length, 2 * j, row[0]);
      if (!status) return status;
      for (Index k = 1; k < j; ++k) {
        const double finer = static_cast<double>(j) / static_cast<double>(j - k);
        const Eigen::VectorXd& now = row[count(k - 1)];
        row.push_back(now + (now - last[count(k - 1)]) / (finer * finer - 1));
      }
      if (j > 1) {
        Eigen::VectorXd change = row[count(j - 1)] - row[count(j - 2)];
        if (model_.unit().largest_coordinate(view(change)) <= way_accuracy) {
          q = row.back();
          return status;
        }
      }
      last = row;
    }
    reached = false;
    return Status::success();
  }

  ConstrainedModel& model_;
  double t_;
  Eigen::VectorXd dq_;
};

}  // namespace

Status move_along_rows(ConstrainedModel& model, double t, VectorView q, ConstVectorView dq) {
  if (model.assembly().velocity_rows() == 0) {
    q.map() += dq.map();
  } else {
    WayAlongRows way(model, t, dq);
    bool reached = false;
    for (Index pieces = 1; !reached; pieces *= 2) {
      if (pieces > most_pieces) return Status::failure(StatusCode::not_converged, "a way along rows for velocities");
      Eigen::VectorXd at = q.map();
      const Status status = way.go(at, pieces, reached);
      if (!status) return status;
      if (reached) q.map() = at;
    }
  }
  ProjectionReport projected;
  return model.project_positions(t, q, ProjectionWeights::identity, onto_rows, projected);
}

}  // namespace trammel
