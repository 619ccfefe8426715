// What stands where in a file of rows: the matrix of values by columns, names and units, notes as attributes.
//
//   /values   double, columns x rows, in chunks of some columns and many rows; NaN where nothing was written
//   /names    text, one per column; the first is "t"
//   /units    text, one per column; "" where nobody declares it
//   /         attributes: the notes of the run, texts
#pragma once

#include <string>
#include <vector>

#include "handle.h"
#include "trammel/writer.h"

namespace trammel {

/// Of the matrix of values.
struct ChunkShape {
  hsize_t columns = 1;
  hsize_t rows = 1;

  hsize_t size() const { return columns * rows; }
};

/// Chunks of about 64 KiB; all those of the same rows together take at most 32 MiB of memory. `rows`: 0 to choose.
ChunkShape choose_chunks(hsize_t columns, hsize_t rows);

/// [setup] Access for files that stay readable while they are written. `after_kill`: also for one whose writer ended
/// without closing it.
Handle file_access(bool after_kill);

/// [setup] Creates or replaces it. Nothing in it tells when: the same run gives the same bytes. Throws Error(compute).
Handle create_file(const char* file);

/// [setup] While it is written or afterwards. Throws Error(input).
Handle open_to_read(const char* file);

/// [setup] Creates names, units and an empty matrix of values, which is returned. Throws Error(compute).
Handle create_layout(hid_t file, const WriterRun& run, ChunkShape chunk, int compression);

/// [setup] Attributes of the file; those that are there already get the new texts. Throws Error(compute).
void write_notes(hid_t file, const WriterNote* notes, Index count);

/// [setup] The texts of "names" or "units". Throws Error(input).
std::vector<std::string> read_texts(hid_t file, const char* dataset);

/// Columns and rows of the matrix of values. Throws Error(input).
struct MatrixSize {
  hsize_t columns = 0, rows = 0;
};
MatrixSize size_of_values(hid_t values);
/// [setup] `count` rows of some columns, from `row` on: column by column. Throws Error(input).
void read_values(hid_t values, hsize_t column, hsize_t columns, hsize_t row, hsize_t count, double* into);

}  // namespace trammel
