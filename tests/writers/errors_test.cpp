// Writers in a run file: what is refused, with path and words; what earlier runs left in the folder.
#include <doctest/doctest.h>

#include <fstream>

#include "refusal.h"
#include "trammel/error.h"
#include "written_run.h"

using namespace trammel;

namespace {

std::string refusal_of(const std::string& set) {
  try {
    Simulation simulation(shipped_run("slider_crank"), {{set}, {built_plugins}});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void require_words(const std::string& set, const char* words) {
  const std::string text = refusal_of(set);
  CAPTURE(text);
  CAPTURE(words);
  CHECK(text.find(words) != std::string::npos);
}

}  // namespace

TEST_CASE("wrong writers are refused before the run, with the place and what would be right") {
  require_words(R"(output.writers=["csf"])", "/output/writers/0: there is no writer type 'csf'; did you mean 'csv'?");
  require_words(R"(output.writers=[{"type":"csf"}])",
                "/output/writers/0/type: there is no writer type 'csf'; did you mean");
  require_words(R"(output.writers=["dopri5"])",
                "/output/writers/0: there is no writer type 'dopri5'; it is an integrator");
  require_words(R"(output.writers=[{"type":"csv","digits":3}])",
                "/output/writers/0/digits: unknown key for type 'csv'");
  require_words(R"(output.writers=["csv","csv"])", "/output/writers/1: a second writer of type 'csv'");
  require_words(R"(output.writers=[])", "/output/writers: must be an array of at least one type of writer");
  require_words(R"(output.writers="csv")", "/output/writers: must be an array of at least one type of writer");
  require_words(R"(output.writers=[3])", "/output/writers/0: must be a type of writer, or an object with one, not 3");
  require_words(R"(output.writers=[{"compression":1}])",
                "/output/writers/0: missing key 'type': the type of the writer");
  require_words(R"(output.writer=["csv"])", "/output/writer: unknown key for the output; did you mean 'writers'?");
}

TEST_CASE("files of rows that an earlier run left are removed, others stay") {
  const TemporaryFolder folder;
  for (const char* name : {"results.h5", "results.parquet", "results.png", "notes.txt"})
    std::ofstream(folder.path() / name) << "old";
  std::ofstream(folder.path() / "summary.json") << R"({"files": ["results.parquet", "../notes.txt", "notes.txt"]})";
  Simulation simulation(shipped_run("slider_crank"), {{}, {built_plugins}});
  simulation.write_results(folder.path());
  CHECK(std::filesystem::exists(folder.path() / "results.csv"));
  CHECK_FALSE(std::filesystem::exists(folder.path() / "results.h5"));
  CHECK_FALSE(std::filesystem::exists(folder.path() / "results.parquet"));
  CHECK(text_of(folder.path() / "results.png") == "old");
  CHECK(text_of(folder.path() / "notes.txt") == "old");
}
