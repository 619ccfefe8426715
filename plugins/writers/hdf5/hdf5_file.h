// Hdf5File: rows gathered into blocks, blocks written column by column into a file that stays readable meanwhile.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "hdf5_layout.h"

namespace trammel {

/// The file is written in the library's mode for one writer and many readers (SWMR), in which its metadata reach the
/// system in an order that leaves a readable file at any moment. All members but the destructor throw Error.
class Hdf5File {
 public:
  struct Options {
    std::int64_t compression;  ///< 0 to 9
    double flush_interval;     ///< s of real time; 0: whole blocks only
    std::int64_t block_rows;   ///< 0: chosen
  };

  explicit Hdf5File(const Options& options) : options_(options) {}
  ~Hdf5File();
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  /// [setup] Creates or replaces the file.
  void begin(const WriterRun& run);
  /// [setup] Goes on behind the first `rows` rows of a file with the same columns. It changes with the first rows that
  /// are written.
  void resume(const WriterRun& run, std::int64_t rows);
  /// [step]
  void row(ConstVectorView values);
  /// [step] Hands everything to the system; returns the number of rows in the file.
  std::int64_t sync();
  /// Writes what is left, and the notes.
  void close(const WriterNote* notes, Index count);

 private:
  using Clock = std::chrono::steady_clock;

  void make_room(hsize_t columns, ChunkShape chunk);
  /// Opens the file of an earlier run for writing, and cuts off what is behind `first_ + written_`.
  void open_again();
  /// From here on readers may come.
  void let_readers_in();
  void write_block();
  void write_chunk(hsize_t column, hsize_t columns);
  /// Throws Error if the disk has no room for the block: found out before the library is in the middle of it.
  void require_space() const;

  Options options_;
  std::string path_;
  Handle file_, values_;
  ChunkShape chunk_;
  hsize_t columns_ = 0;
  hsize_t first_ = 0;                 ///< row where the block begins, a multiple of its rows
  hsize_t waiting_ = 0;               ///< rows in the block
  hsize_t written_ = 0;               ///< of them, those in the file
  std::vector<double> block_, part_;  ///< row by row; one chunk, column by column
  std::vector<WriterNote> notes_;
  std::vector<std::string> note_texts_;
  bool failed_ = false;
  Clock::time_point last_;
};

}  // namespace trammel
