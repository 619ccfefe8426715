// Writer: a file with the rows of a run, in a format of its own. A run may have several.
#pragma once

#include <cstdint>

#include "trammel/extension.h"
#include "trammel/linalg.h"
#include "trammel/refusal.h"

namespace trammel {

/// One column of the file. Texts end with a zero.
struct WriterColumn {
  const char* name;  ///< "t", "crank.x"; unique in the file
  const char* unit;  ///< SI unit, "1" without one, "" where nobody declares it
};

/// One text about the run. Keys are snake_case; new ones may come, so that a writer keeps or drops what it gets.
struct WriterNote {
  const char* key;
  const char* text;
};

/// What a file is of; owned by the kernel, valid during the call.
struct WriterRun {
  std::uint32_t struct_size;  ///< sizeof(WriterRun) as the kernel sees it
  Index column_count;         ///< at least 1
  Index note_count;
  const char* file;             ///< path of the file
  const WriterColumn* columns;  ///< the first is "t", s
  /// "program" (name and version), "title", "run" (the resolved run file, JSON), "plugins" (JSON) and "status": "running".
  const WriterNote* notes;
};

/// Calls come in this order: `begin` or `resume`, `row` and `sync` any number of times, `close`; then perhaps `resume`
/// again. Finite numbers are kept bit by bit. A call that returns false has failed, and `refusal` says why in one sentence that
/// does not name the file; its kind is `compute` where the file cannot be written (disk full), `input` where the file is
/// not the one to go on with. After a failure the kernel calls nothing but `destroy`, and what `sync` promised before
/// still holds. `destroy` without `close` keeps all rows if it can, and says nothing.
///
/// What must be readable after the process was killed: everything up to the last `sync`, as whole rows; more may be.
class Writer : public Extensible {
 public:
  static constexpr const char* kind_id = "trammel.writer/1";

  /// [setup] Ending of the file's name without the dot, letters and digits: "csv" for results.csv. A literal.
  virtual const char* file_extension() const = 0;
  /// [setup] Creates or replaces the file. Room for rows is made here.
  virtual bool begin(const WriterRun& run, Refusal& refusal) = 0;
  /// [setup] Goes on with a file of the same columns behind the place that `sync` gave as `mark`, maybe in another
  /// process, maybe after the one that wrote it was killed. Rows behind it are removed, but not before new ones take
  /// their place on the disk, so that a run that dies before loses none. Refuses (input) a file that has other columns or
  /// ends before the mark.
  virtual bool resume(const WriterRun& run, std::int64_t mark, Refusal& refusal) = 0;
  /// [step] Appends a row of as many numbers as there are columns; any of them may be infinite or NaN. Rows may wait in
  /// memory. Allocates nothing of its own; a library that it hands whole blocks to may.
  virtual bool row(ConstVectorView values, Refusal& refusal) = 0;
  /// [step] Hands all rows to the operating system. `mark`, from 0 to 2^53, stands for this place.
  virtual bool sync(std::int64_t& mark, Refusal& refusal) = 0;
  /// [step] Writes what is left and ends the file, also if it fails. `notes`: "status" (completed, failed, interrupted),
  /// "message", and "summary", the content of summary.json.
  virtual bool close(const WriterNote* notes, Index note_count, Refusal& refusal) = 0;

 protected:
  ~Writer() = default;
};

/// Writers that read their files as well: whole rows only, also of a run that was killed. With it, `trammel check` holds
/// what was written against what was given.
class RowReader {
 public:
  static constexpr const char* id = "trammel.row_reader/1";

  /// [setup] Another file than the one that is being written. The calls below are about the file that was opened last.
  virtual bool open(const char* file, Refusal& refusal) = 0;
  /// [setup] Of the file.
  virtual Index column_count() const = 0;
  virtual std::int64_t row_count() const = 0;
  /// [setup] Name and unit of 0 <= column < column_count(), valid until the next `open`; unit "" where the format has
  /// none.
  virtual WriterColumn column(Index column) const = 0;
  /// [setup] `count` numbers of a column, from row `first` on; all of them exist.
  virtual bool read(Index column, std::int64_t first, std::int64_t count, double* values, Refusal& refusal) = 0;

 protected:
  ~RowReader() = default;
};

}  // namespace trammel
