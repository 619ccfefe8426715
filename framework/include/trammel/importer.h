// Importer: reads a model that was written for another program, and says it as a run file.
#pragma once

#include <cstdint>

#include "trammel/extension.h"
#include "trammel/linalg.h"
#include "trammel/refusal.h"

namespace trammel {

/// What an importer reads; owned by the kernel, valid during the call. Texts end with a zero.
struct ImportRequest {
  std::uint32_t struct_size;  ///< sizeof(ImportRequest) as the kernel sees it
  Index package_path_count;
  const char* file;                  ///< path of the file
  const char* loops;                 ///< path of a side file that says which frames coincide, "" for none
  const char* const* package_paths;  ///< folders in which packages are looked for, in this order
};

/// What became of a part of the file that is not in the run file as it was.
enum class ImportLoss : std::int32_t {
  none,         ///< worth knowing, and nothing is lost
  approximate,  ///< in the run file, but not exactly
  lost,         ///< not in the run file
  constraint  ///< not in the run file, so that the model may move where the file does not let it: refused unless asked for
};

/// One line for people: where it stands and what was done.
struct ImportNote {
  ImportLoss loss;
  std::int32_t line;  ///< from 1; 0: the file as a whole
  const char* file;   ///< path
  const char* tag;    ///< element or statement it is about, "" for none
  const char* text;   ///< what was done, one clause without a full stop
};

/// Where a part of the run file comes from.
struct ImportSource {
  const char* path;   ///< JSON pointer of the body, joint or element
  const char* file;   ///< path
  const char* tag;    ///< element or statement, "" for none
  std::int32_t line;  ///< from 1; 0: the file as a whole
};

/// Where a coordinate may be; ends that do not exist are infinite.
struct ImportRange {
  const char* channel;  ///< "elbow.angle", as output.channels of the run file takes it
  const char* joint;    ///< name in the file
  double lower, upper;  ///< rad or m
  ImportSource source;  ///< of the limits
};

/// The run file in the making; implemented by the kernel, which lays it out and writes it.
class ImportedFile {
 public:
  /// [setup] A value at a JSON pointer, "/system/bodies/arm"; objects on the way are made, keys keep the order in which
  /// they come. `json`: its JSON text, of one value. `comment`: lines above it, "" for none. A value at a place that
  /// has one already, or a text that is no JSON, fails the import.
  virtual void put(const char* path, const char* json, const char* comment) = 0;
  /// [setup] A part of the file that is not in the run file as it was.
  virtual void note(const ImportNote& note) = 0;
  /// [setup] Where a part comes from: what the kernel finds wrong with it later is told with this place.
  virtual void source(const ImportSource& source) = 0;
  /// [setup] A coordinate with limits. The kernel says so if the assembled model starts outside of them.
  virtual void range(const ImportRange& range) = 0;
  /// [setup] A file that belongs to the model beside the one of the request: included, a mesh, ... It is never overwritten.
  virtual void reads(const char* file) = 0;

 protected:
  ~ImportedFile() = default;
};

class Importer : public Extensible {
 public:
  static constexpr const char* kind_id = "trammel.importer/1";

  /// [setup] Endings of its files without the dot, in lower case, separated by blanks: "urdf xacro". A literal.
  virtual const char* file_endings() const = 0;
  /// [setup] Whether a file that begins with these bytes is one of its format; asked where its ending is that of several
  /// importers, or of none.
  virtual bool recognises(const char* beginning, std::int64_t size) const = 0;
  /// [setup] Reads the file, puts all parts of a run file but `trammel` ("system", "analysis", ...), and notes everything
  /// that is not in them as it was in the file. A file that cannot be read as a whole is refused (input), naming file,
  /// line and tag; then nothing of it is used.
  virtual bool read(const ImportRequest& request, ImportedFile& out, Refusal& refusal) const = 0;

 protected:
  ~Importer() = default;
};

}  // namespace trammel
