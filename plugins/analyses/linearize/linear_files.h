// Matrices of linearized models and frequency responses, and their files.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <string>
#include <vector>

namespace trammel::linearize {

using Names = std::vector<std::string>;

/// x' = A x + B u, y = C x + D u about the state at t, s.
struct System {
  double t = 0;
  Names states, inputs, outputs;
  Eigen::MatrixXd A, B, C, D;
  Eigen::VectorXcd eigenvalues;  ///< 1/s, by rising real part
};

/// G of every frequency: outputs x inputs.
struct Response {
  std::vector<double> frequencies;  ///< Hz
  Names inputs, outputs;
  std::vector<Eigen::MatrixXcd> G;

  /// Of one pair, rad: each phase is the one nearest to that of the frequency before.
  std::vector<double> phases(Eigen::Index output, Eigen::Index input) const;
};

/// A file of the results' folder: its name, and what it says.
struct File {
  std::string name, text;
};

/// A.csv, B.csv, C.csv and D.csv (A.1.csv, ... where there are several states), linear_system.json and linear_system.m.
std::vector<File> system_files(const std::vector<System>& systems);
/// frequency_response.csv
File response_table(const Response& response);
/// bode.svg: magnitudes and phases over the frequency.
File bode_picture(const Response& response);

/// The shortest text that is read back to the same number.
std::string number(double x);

}  // namespace trammel::linearize
