// Columns of a file.
#include "hdf5_reader.h"

#include <cmath>

namespace trammel {

void Hdf5Reader::open(const std::string& name) {
  const Quiet quiet;
  file_ = name;
  const Handle file = open_to_read(name.c_str());
  names_ = read_texts(file, "names");
  units_ = read_texts(file, "units");
  const Handle values(readable(H5Dopen2(file, "values", H5P_DEFAULT)), H5Dclose);
  const MatrixSize size = size_of_values(values);
  if (size.columns != names_.size() || units_.size() != names_.size() || names_.empty())
    throw Error(ErrorKind::input, "'names', 'units' and 'values' are not of the same columns");
  // Times are numbers: rows without one were not finished when the process was killed.
  std::vector<double> times(size.rows);
  read_values(values, 0, 1, 0, size.rows, times.data());
  while (!times.empty() && std::isnan(times.back())) times.pop_back();
  rows_ = static_cast<std::int64_t>(times.size());
}

void Hdf5Reader::read(Index column, std::int64_t first, std::int64_t count, double* values) const {
  const Quiet quiet;
  const Handle file = open_to_read(file_.c_str());
  const Handle set(readable(H5Dopen2(file, "values", H5P_DEFAULT)), H5Dclose);
  read_values(set, static_cast<hsize_t>(column), 1, static_cast<hsize_t>(first), static_cast<hsize_t>(count), values);
}

}  // namespace trammel
