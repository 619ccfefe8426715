// The picture of a tyre: its road as far as the vehicle goes, and where it touches it.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "trammel/extensions/contact_sketch.h"
#include "trammel/function.h"
#include "trammel/sdk/elements/drawn.h"

namespace trammel::tyre_vertical {

class RoadPicture final : public Drawing {
 public:
  /// `vertical`: coordinate of heights, 2, planar 1.
  RoadPicture(FunctionRef road, double radius, int vertical) : road_(road), radius_(radius), vertical_(vertical) {}
  /// `centre`: the wheel's, global in the initial configuration (planar: x, height, 0).
  void place(const sdk::Drawn& drawn, const double* centre) {
    drawn_ = drawn;
    std::copy_n(centre, 3, centre_);
  }

  void draw(Sketch& sketch) const override {
    drawn_.draw(sketch);
    auto* contact = find_extension<ContactSketch>(sketch);
    if (contact == nullptr) return;
    double up[3] = {0, 0, 0}, start[3], end[3];
    up[vertical_] = 1;
    contact->push(-1, up, radius_);
    contact->course(0, start, end);
    const double travel = end[0] - start[0], margin = 6 * radius_ + 0.1 * std::abs(travel);
    draw_road(*contact, centre_[0] + std::min(travel, 0.0) - margin, centre_[0] + std::max(travel, 0.0) + margin);
  }

 private:
  struct Place {
    double x, height;
  };

  /// Straight pieces are drawn as such: of many places those stay that lie off the line between their neighbours.
  void draw_road(ContactSketch& contact, double from, double to) const {
    const std::vector<Place> places = sampled(from, to);
    const double fine = 1e-3 * radius_;
    std::size_t last = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const bool end = i == 0 || i + 1 == places.size();
      if (!end && !turns(places, last, i, fine)) continue;
      double point[3] = {places[i].x, centre_[1], centre_[2]};
      point[vertical_] = places[i].height;
      contact.still_point(point);
      last = i;
    }
  }

  /// Whether the line from `last` to the place behind i leaves a place between them by more than `fine`.
  static bool turns(const std::vector<Place>& places, std::size_t last, std::size_t i, double fine) {
    const Place a = places[last], b = places[i + 1];
    for (std::size_t k = last + 1; k <= i; ++k) {
      const double s = (places[k].x - a.x) / (b.x - a.x);
      if (std::abs(a.height + s * (b.height - a.height) - places[k].height) > fine) return true;
    }
    return false;
  }

  /// Where the road has a height.
  std::vector<Place> sampled(double from, double to) const {
    const int pieces = road_ == nullptr ? 1 : 1500;
    std::vector<Place> places;
    for (int k = 0; k <= pieces; ++k) {
      const double x = from + (to - from) * k / pieces;
      double height = 0;
      if (road_ != nullptr && !road_->evaluate(x, 0, &height)) continue;
      if (std::isfinite(height)) places.push_back({x, height});
    }
    return places;
  }

  FunctionRef road_;
  double radius_;
  int vertical_;
  double centre_[3] = {0, 0, 0};
  sdk::Drawn drawn_{Symbol::nothing};
};

}  // namespace trammel::tyre_vertical
