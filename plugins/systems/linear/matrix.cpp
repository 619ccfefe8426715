// Reading of matrices, strict about shape and numbers.
#include "matrix.h"

#include <charconv>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "trammel/error.h"

namespace trammel::linear {
namespace {

constexpr double symmetry_rounding = 1e-12;  // relative to the largest entry

/// The numbers of a comma-separated line.
std::vector<double> numbers_of(const std::string& line, const std::string& place, const std::string& key) {
  std::vector<double> row;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t comma = std::min(line.find(',', at), line.size());
    std::string cell = line.substr(at, comma - at);
    cell.erase(0, cell.find_first_not_of(" \t\r+"));
    cell.erase(cell.find_last_not_of(" \t\r") + 1);
    double value = 0;
    const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (read.ec != std::errc() || read.ptr != cell.data() + cell.size() || !std::isfinite(value)) {
      throw Error::parameter(key, place + ": '" + cell + "' is not a number");
    }
    row.push_back(value);
    at = comma + 1;
  }
  return row;
}

Eigen::MatrixXd read_file(const MatrixSource& source, Eigen::Index n) {
  const std::string name(source.file.view()), key = std::string(source.name) + "_file";
  std::ifstream in(name);
  if (!in) throw Error::parameter(key, "the file " + name + " cannot be read");
  Eigen::MatrixXd A(n, n);
  Eigen::Index rows = 0;
  int line_number = 0;
  for (std::string line; std::getline(in, line);) {
    ++line_number;
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#') continue;
    const std::string place = name + ":" + std::to_string(line_number);
    const std::vector<double> row = numbers_of(line, place, key);
    if (static_cast<Eigen::Index>(row.size()) != n || rows == n) {
      throw Error::parameter(key, place + ": row " + std::to_string(rows + 1) + " of " + std::to_string(row.size()) +
                                      " numbers; " + std::to_string(n) + " coordinates need as many rows and columns");
    }
    A.row(rows++) = Eigen::Map<const Eigen::RowVectorXd>(row.data(), n);
  }
  if (rows != n) {
    throw Error::parameter(
        key, name + ": has " + std::to_string(rows) + " rows; " + std::to_string(n) + " coordinates need as many");
  }
  return A;
}

/// Largest |a_ij - a_ji|, with i < j.
double asymmetry(const Eigen::MatrixXd& A, Eigen::Index& i, Eigen::Index& j) {
  const double largest = (A - A.transpose()).cwiseAbs().maxCoeff(&i, &j);
  if (i > j) std::swap(i, j);
  return largest;
}

}  // namespace

Eigen::MatrixXd read_matrix(const MatrixSource& source, Eigen::Index n) {
  if (source.numbers.size > 0 && source.file.given()) {
    throw Error::parameter(source.name,
                           std::string("\"") + source.name + "\" and \"" + source.name + "_file\" exclude each other");
  }
  if (source.file.given()) return read_file(source, n);
  const auto count = static_cast<Eigen::Index>(source.numbers.size);
  if (count == 0) return Eigen::MatrixXd::Zero(n, n);
  if (count == n) return Eigen::Map<const Eigen::VectorXd>(source.numbers.data, n).asDiagonal();
  if (count != n * n) {
    throw Error::parameter(source.name, "has " + std::to_string(count) + " numbers; " + std::to_string(n) +
                                            " coordinates need " + std::to_string(n) + " (a diagonal) or " +
                                            std::to_string(n * n) + " (row after row)");
  }
  return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(source.numbers.data, n, n);
}

bool symmetric(const Eigen::MatrixXd& A) {
  Eigen::Index i = 0, j = 0;
  return asymmetry(A, i, j) <= symmetry_rounding * A.cwiseAbs().maxCoeff();
}

void require_symmetric(const MatrixSource& source, const Eigen::MatrixXd& A) {
  Eigen::Index i = 0, j = 0;
  asymmetry(A, i, j);
  if (symmetric(A)) return;
  const auto entry = [&A](Eigen::Index row, Eigen::Index column) {
    std::string value(32, '\0');
    value.resize(
        static_cast<std::size_t>(std::to_chars(value.data(), value.data() + 32, A(row, column)).ptr - value.data()));
    return "(" + std::to_string(row + 1) + ", " + std::to_string(column + 1) + ") is " + value;
  };
  throw Error::parameter(source.file.given() ? std::string(source.name) + "_file" : source.name,
                         "is not symmetric: entry " + entry(i, j) + ", entry " + entry(j, i));
}

}  // namespace trammel::linear
