// The places of a model's bodies, row by row of its results.
#pragma once

#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "report/result_table.h"
#include "report/scene.h"

namespace trammel {

/// Columns of a body's place, as results.csv calls them.
std::vector<std::string> place_columns(const SceneBody& body, const Scene& scene);

struct BodyPlace {
  Eigen::Vector3d r = Eigen::Vector3d::Zero();
  Eigen::Quaterniond p = Eigen::Quaterniond::Identity();  ///< of length 1

  Eigen::Vector3d point(const Eigen::Vector3d& local) const { return r + p * local; }
};

class BodyMotion {
 public:
  /// Keeps references to both.
  BodyMotion(const Scene& scene, const ResultTable& table);

  bool has(int body) const { return body == ground || !columns_[static_cast<std::size_t>(body)].empty(); }
  /// The ground's place is the origin.
  BodyPlace place(int body, std::size_t row) const;
  /// Names of the columns that are not there.
  const std::vector<std::string>& missing() const { return missing_; }

 private:
  const ResultTable& table_;
  const bool planar_;
  std::vector<std::vector<std::size_t>> columns_;  ///< per body; empty: not all there
  std::vector<std::string> missing_;
};

}  // namespace trammel
