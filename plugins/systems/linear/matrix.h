// Square matrices of the plugin `linear`, from lists of the run file or from CSV files.
#pragma once

#include <Eigen/Core>

#include "trammel/parameters.h"

namespace trammel::linear {

/// One matrix as the run file gives it: `name` and `name`_file are its keys, of which at most one is given.
struct MatrixSource {
  const char* name;
  Numbers numbers;
  Text file;
  bool given() const { return numbers.size > 0 || file.given(); }
};

/// [setup] n x n: n numbers are a diagonal, n^2 its rows one after another; a file has n rows of n numbers, blank lines
/// and lines that begin with '#' aside. Zero if not given. Throws Error with key and reason for any other shape.
Eigen::MatrixXd read_matrix(const MatrixSource& source, Eigen::Index n);

/// [setup] The largest |a_ij - a_ji| beyond rounding is refused: throws Error that names both entries.
void require_symmetric(const MatrixSource& source, const Eigen::MatrixXd& A);
/// [setup] Up to rounding.
bool symmetric(const Eigen::MatrixXd& A);

}  // namespace trammel::linear
