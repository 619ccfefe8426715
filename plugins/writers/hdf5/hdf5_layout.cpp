// Creating and reading the parts of a file.
#include "hdf5_layout.h"

#include <algorithm>
#include <limits>

namespace trammel {
namespace {

constexpr hsize_t chunk_numbers = 64 * 1024 / sizeof(double);
constexpr hsize_t block_numbers = 32 * 1024 * 1024 / sizeof(double);

/// UTF-8 of any length.
Handle text_type() {
  Handle type(written(H5Tcopy(H5T_C_S1)), H5Tclose);
  written(H5Tset_size(type, H5T_VARIABLE));
  written(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

Handle creation_of(hid_t kind) {
  Handle creation(written(H5Pcreate(kind)), H5Pclose);
  written(H5Pset_obj_track_times(creation, false));
  return creation;
}

void write_texts(hid_t file, const char* name, const std::vector<const char*>& texts) {
  const Handle type = text_type();
  const hsize_t size = texts.size();
  const Handle space(written(H5Screate_simple(1, &size, nullptr)), H5Sclose);
  const Handle set(
      written(H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation_of(H5P_DATASET_CREATE), H5P_DEFAULT)),
      H5Dclose);
  written(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()));
}

}  // namespace

ChunkShape choose_chunks(hsize_t columns, hsize_t rows) {
  ChunkShape chunk;
  if (rows == 0) {
    rows = 1024;
    while (rows > 16 && rows * columns > block_numbers) rows /= 2;
  }
  chunk.rows = rows;
  chunk.columns = std::clamp<hsize_t>(chunk_numbers / rows, 1, columns);
  return chunk;
}

Handle file_access(bool after_kill) {
  Handle access(written(H5Pcreate(H5P_FILE_ACCESS)), H5Pclose);
  written(H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110));
  hbool_t yes = 1;  // what the tool h5clear sets
  if (after_kill) {
    written(H5Pset(access, "clear_status_flags", &yes));
    written(H5Pset(access, "skip_eof_check", &yes));
  }
  return access;
}

Handle create_file(const char* file) {
  return {written(H5Fcreate(file, H5F_ACC_TRUNC, creation_of(H5P_FILE_CREATE), file_access(false))), H5Fclose};
}

Handle open_to_read(const char* file) {
  return {readable(H5Fopen(file, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, file_access(false))), H5Fclose};
}

Handle create_layout(hid_t file, const WriterRun& run, ChunkShape chunk, int compression) {
  std::vector<const char*> names, units;
  for (Index i = 0; i < run.column_count; ++i) {
    names.push_back(run.columns[i].name);
    units.push_back(run.columns[i].unit);
  }
  write_texts(file, "names", names);
  write_texts(file, "units", units);

  const auto columns = static_cast<hsize_t>(run.column_count);
  const hsize_t size[2] = {columns, 0}, most[2] = {columns, H5S_UNLIMITED}, part[2] = {chunk.columns, chunk.rows};
  const Handle space(written(H5Screate_simple(2, size, most)), H5Sclose);
  const Handle creation = creation_of(H5P_DATASET_CREATE);
  written(H5Pset_chunk(creation, 2, part));
  const double none = std::numeric_limits<double>::quiet_NaN();
  written(H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, &none));
  if (compression > 0) {
    written(H5Pset_shuffle(creation));
    written(H5Pset_deflate(creation, static_cast<unsigned>(compression)));
  }
  return {written(H5Dcreate2(file, "values", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT)), H5Dclose};
}

void write_notes(hid_t file, const WriterNote* notes, Index count) {
  const Handle type = text_type();
  const Handle space(written(H5Screate(H5S_SCALAR)), H5Sclose);
  for (Index i = 0; i < count; ++i) {
    if (written(H5Aexists(file, notes[i].key)) > 0) written(H5Adelete(file, notes[i].key));
    const Handle note(written(H5Acreate2(file, notes[i].key, type, space, H5P_DEFAULT, H5P_DEFAULT)), H5Aclose);
    written(H5Awrite(note, type, &notes[i].text));
  }
}

std::vector<std::string> read_texts(hid_t file, const char* dataset) {
  const Handle set(readable(H5Dopen2(file, dataset, H5P_DEFAULT)), H5Dclose);
  const Handle space(readable(H5Dget_space(set)), H5Sclose);
  const Handle type = text_type();
  std::vector<char*> texts(static_cast<std::size_t>(readable(H5Sget_simple_extent_npoints(space))));
  readable(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()));
  std::vector<std::string> copies;
  for (const char* text : texts) copies.emplace_back(text == nullptr ? "" : text);
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts.data());
  return copies;
}

MatrixSize size_of_values(hid_t values) {
  const Handle space(readable(H5Dget_space(values)), H5Sclose);
  hsize_t size[2] = {0, 0};
  if (readable(H5Sget_simple_extent_ndims(space)) != 2)
    throw Error(ErrorKind::input, "'values' is no matrix of columns and rows");
  readable(H5Sget_simple_extent_dims(space, size, nullptr));
  return {size[0], size[1]};
}

void read_values(hid_t values, hsize_t column, hsize_t columns, hsize_t row, hsize_t count, double* into) {
  if (count == 0 || columns == 0) return;
  const hsize_t from[2] = {column, row}, size[2] = {columns, count};
  const Handle there(readable(H5Dget_space(values)), H5Sclose);
  readable(H5Sselect_hyperslab(there, H5S_SELECT_SET, from, nullptr, size, nullptr));
  const Handle here(readable(H5Screate_simple(2, size, nullptr)), H5Sclose);
  readable(H5Dread(values, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, into));
}

}  // namespace trammel
