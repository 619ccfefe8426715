// Writers as run files create them, and calls of theirs that have to succeed.
#pragma once

#include <unistd.h>

#include "check/cases.h"
#include "config/json_source.h"
#include "plugin/create.h"
#include "trammel/writer.h"

namespace trammel::conformance {

inline constexpr const char* writer_bench_system =
    R"({ "type": "planar", "bodies": { "one": { "mass": 1, "inertia": 1 } } })";

/// A writer as a run file creates it.
class CreatedWriter {
 public:
  CreatedWriter(PluginHost& host, const std::string& json)
      : run_(load_run_file(write_run_file("{ \"trammel\": 2, \"system\": " + std::string(writer_bench_system) +
                                          ",\n\"analysis\": { \"type\": \"assembly\" },\n\"output\": { \"writers\": [" +
                                          json + "] } }\n"))),
        model_(run_, host),
        component_(
            make_component(host, run_, run_.output.writers.at(0), ComponentKind::writer, model_, &model_.resolver())) {}
  Writer& operator*() const { return component_.as<Writer>(); }
  Writer* operator->() const { return &component_.as<Writer>(); }

 private:
  RunFile run_;
  Model model_;
  Component component_;
};

/// Distinct sections of the cases with this writer; at least one, {"type": ...}.
inline std::vector<std::string> writer_sections(const Subject& subject) {
  std::vector<std::string> sections;
  for (const std::filesystem::path& file : subject.cases) {
    const RunFile run = load_run_file(file);
    for (const Section& section : run.output.writers) {
      if (section.type == subject.component->type) sections.push_back(to_json(*section.node));
    }
  }
  if (sections.empty()) sections.push_back("{ \"type\": " + json_quoted(subject.component->type) + " }");
  std::sort(sections.begin(), sections.end());
  sections.erase(std::unique(sections.begin(), sections.end()), sections.end());
  return sections;
}

inline std::filesystem::path own_file(const CreatedWriter& writer, const char* name) {
  return check_folder() / (std::to_string(::getpid()) + "_" + name + "." + writer->file_extension());
}

/// Runs a call that has to succeed.
template <class Call>
void demand(const char* what, const Call& call) {
  RefusalBuffer refusal;
  if (!call(refusal.refusal())) fail("{} fails: {}", what, refusal.refusal().text);
}

inline std::int64_t mark_of_sync(const CreatedWriter& writer) {
  std::int64_t mark = -1;
  demand("sync", [&](Refusal& refusal) { return writer->sync(mark, refusal); });
  require(mark >= 0 && mark <= (std::int64_t{1} << 53), "sync gives the mark {}; from 0 to 2^53 was expected", mark);
  return mark;
}

inline void close_file(const CreatedWriter& writer) {
  const WriterNote notes[] = {{"status", "completed"}, {"message", ""}, {"summary", "{}"}};
  demand("close", [&](Refusal& refusal) { return writer->close(notes, 3, refusal); });
}

inline RowReader* reader_of(const CreatedWriter& writer) { return find_extension<RowReader>(*writer); }

}  // namespace trammel::conformance
