// LinearizedPlace: where a model was linearized, and of what, so that somebody can go back for its gradients.
#pragma once

#include <vector>

#include "model/model_point.h"

namespace trammel {

struct LinearizedPlace {
  double t = 0;
  std::vector<double> q, v, z, a, lambda;
  long moves = -1;

  /// [step]
  void note(const ModelPoint& point, ConstVectorView of_a, ConstVectorView of_lambda) {
    t = point.t(), q = point.q(), v = point.v(), z = point.z(), moves = point.moves();
    a.assign(of_a.data, of_a.data + of_a.size), lambda.assign(of_lambda.data, of_lambda.data + of_lambda.size);
  }
  /// [step] work() at this place: where the point has moved on, it goes back, and then to where it was, so that nobody sees
  /// the way.
  template <class Work>
  Status visit(ModelPoint& point, const Work& work) const {
    if (moves == point.moves() && v == point.v()) return work();
    const auto view = [](const std::vector<double>& x) {
      return ConstVectorView{x.data(), static_cast<Index>(x.size())};
    };
    const LinearizedPlace now{point.t(), point.q(), point.v(), point.z(), {}, {}, 0};
    const unsigned parts = point.invalidate(0);
    Status status = point.evaluate(t, view(q), view(v), view(z), 0);
    if (status) status = work();
    const Status back = point.evaluate(now.t, view(now.q), view(now.v), view(now.z), parts);
    return status ? back : status;
  }
};

}  // namespace trammel
