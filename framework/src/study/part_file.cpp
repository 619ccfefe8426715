// Lines of part files.
#include "study/part_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "trammel/error.h"

namespace trammel {
namespace {

std::filesystem::path parts_folder(const std::filesystem::path& folder) { return folder / "parts"; }

/// Calls `take` with the number and the text of each whole line; returns how far whole lines go.
template <class Take>
std::uintmax_t read_lines(const std::filesystem::path& file, Take&& take) {
  std::ifstream stream(file, std::ios::binary);
  std::string line;
  std::uintmax_t whole = 0;
  while (std::getline(stream, line)) {
    if (stream.eof()) break;  // without its line break
    const std::size_t blank = line.find(' ');
    const bool number =
        blank != std::string::npos && blank > 0 && blank < 10 && line.find_first_not_of("0123456789") == blank;
    StudyJson record = number ? StudyJson::parse(line.substr(blank + 1), nullptr, false) : StudyJson();
    if (record.is_object()) take(std::stoul(line), std::move(record));
    whole += line.size() + 1;
  }
  return whole;
}

}  // namespace

PartFile::PartFile(const std::filesystem::path& folder, const std::string& name)
    : file_(parts_folder(folder) / (name + ".jsonl")) {
  std::error_code code;
  std::filesystem::create_directories(parts_folder(folder), code);
  const std::uintmax_t whole = read_lines(file_, [](std::size_t, StudyJson&&) {});
  if (std::filesystem::exists(file_, code)) std::filesystem::resize_file(file_, whole, code);
  stream_.open(file_, std::ios::binary | std::ios::app);
  if (!stream_)
    throw Error(ErrorKind::compute, fmt::format("{}: cannot be written: {}", file_.string(), std::strerror(errno)));
}

void PartFile::add(std::size_t index, const StudyJson& record) { stream_ << index << ' ' << record.dump() << '\n'; }

void PartFile::flush() {
  stream_.flush();
  if (!stream_)
    throw Error(ErrorKind::compute, fmt::format("{}: cannot be written: {}", file_.string(), std::strerror(errno)));
}

void remove_parts(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::remove_all(parts_folder(folder), ignored);
  std::filesystem::remove(folder / "slurm" / "job", ignored);  // nothing is missing of it
}

PartRecords read_parts(const std::filesystem::path& folder) {
  PartRecords records;
  std::error_code code;
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::directory_entry& entry :
       std::filesystem::directory_iterator(parts_folder(folder), code)) {
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& file : files)
    read_lines(file, [&](std::size_t index, StudyJson&& record) {
      StudyJson& kept = records[{index, record.value("key", "")}];
      if (!kept.is_object() || !kept.value("finished", false)) kept = std::move(record);
    });
  return records;
}

}  // namespace trammel
