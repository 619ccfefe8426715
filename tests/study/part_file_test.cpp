// Parts of array jobs: which of several records of a case counts.
#include "study/part_file.h"

#include <doctest/doctest.h>

#include <fstream>

#include "process.h"

using namespace trammel;

namespace {

StudyJson record(const std::string& key, bool finished, const std::string& message) {
  return {{"key", key}, {"finished", finished}, {"message", message}};
}

}  // namespace

TEST_CASE("a finished record counts whichever part has it") {
  const TemporaryFolder folder;
  PartFile(folder.path(), "chunk-0").add(7, record("a", true, "of the first job"));
  PartFile(folder.path(), "chunk-5").add(7, record("a", false, "interrupted in the second"));
  PartFile(folder.path(), "chunk-6").add(7, record("a", true, "twice"));
  PartRecords records = read_parts(folder.path());
  REQUIRE(records.size() == 1);
  CHECK(records.at({7, "a"}).at("message") == "of the first job");
}

TEST_CASE("of records that are not finished the last one counts") {
  const TemporaryFolder folder;
  PartFile(folder.path(), "chunk-1").add(0, record("a", false, "first"));
  PartFile(folder.path(), "chunk-2").add(0, record("a", false, "last"));
  CHECK(read_parts(folder.path()).at({0, "a"}).at("message") == "last");
}

TEST_CASE("records of another version of a case do not hide its own") {
  const TemporaryFolder folder;
  PartFile(folder.path(), "chunk-1").add(3, record("new", true, "new"));
  PartFile(folder.path(), "chunk-2").add(3, record("old", true, "old"));
  const PartRecords records = read_parts(folder.path());
  CHECK(records.at({3, "new"}).at("message") == "new");
  CHECK(records.at({3, "old"}).at("message") == "old");
}

TEST_CASE("a line that was cut off counts as none, and the next goes behind the whole ones") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "parts" / "chunk-1.jsonl";
  PartFile(folder.path(), "chunk-1").add(0, record("a", true, "whole"));
  std::ofstream(file, std::ios::app) << "1 {\"key\": \"b\", \"finis";
  CHECK(read_parts(folder.path()).size() == 1);
  PartFile(folder.path(), "chunk-1").add(1, record("b", true, "again"));
  const PartRecords records = read_parts(folder.path());
  CHECK(records.at({0, "a"}).at("message") == "whole");
  CHECK(records.at({1, "b"}).at("message") == "again");
}
