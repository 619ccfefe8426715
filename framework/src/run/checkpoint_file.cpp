// Checkpoint files: JSON, with every block of numbers as the hexadecimal digits of its doubles, so that all bits
// survive.
#include "run/checkpoint_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>

#include "config/content_hash.h"
#include "results/atomic_file.h"
#include "trammel/error.h"

namespace trammel {
namespace {

constexpr int format_version = 1;
constexpr std::size_t digits = 16;  // of one double, the sign first

std::string to_digits(const std::vector<double>& values) {
  std::string text;
  text.reserve(digits * values.size());
  for (const double value : values)
    fmt::format_to(std::back_inserter(text), "{:016x}", std::bit_cast<std::uint64_t>(value));
  return text;
}

std::vector<double> from_digits(const std::string& text) {
  if (text.size() % digits != 0) throw Error(ErrorKind::input, "a block of numbers is cut off");
  std::vector<double> values;
  for (std::size_t at = 0; at < text.size(); at += digits) {
    values.push_back(
        std::bit_cast<double>(static_cast<std::uint64_t>(std::stoull(text.substr(at, digits), nullptr, 16))));
  }
  return values;
}

/// What the checkpoint says against what is here, in words; "" if they agree.
std::string difference(const nlohmann::json& file, const CheckpointOwner& owner) {
  if (file.at("run_file") != owner.run_hash) {
    return "belongs to another run file, or to this one before it (or a file it names, or a --set) was changed";
  }
  if (file.at("kernel") != owner.kernel) return "was written by another build of Trammel";
  for (const auto& [id, build_id] : owner.plugins) {
    const auto& plugins = file.at("plugins");
    if (!plugins.contains(id)) return fmt::format("was written without the plugin '{}'", id);
    if (plugins.at(id) != build_id) return fmt::format("was written with another build of the plugin '{}'", id);
  }
  return "";
}

/// Of everything else in the file; the order of its parts does not count.
std::string checksum(nlohmann::json file) {
  file.erase("checksum");
  ContentHash hash;
  hash.add(file.dump());
  return hash.text();
}

}  // namespace

CheckpointOwner::CheckpointOwner(const RunFile& run, const std::vector<const PluginInfo*>& loaded)
    : kernel(kernel_build_id()) {
  ContentHash hash;
  hash.add(run);
  run_hash = hash.text();
  for (const PluginInfo* plugin : loaded) plugins.emplace_back(plugin->id, plugin->build_id);
  std::sort(plugins.begin(), plugins.end());
}

void write_checkpoint(const std::filesystem::path& file, const CheckpointOwner& owner, double t, Archive& archive) {
  nlohmann::ordered_json text;
  text["trammel_checkpoint"] = format_version;
  text["t"] = t;
  text["run_file"] = owner.run_hash;
  text["kernel"] = owner.kernel;
  text["plugins"] = nlohmann::ordered_json::object();
  for (const auto& [id, build_id] : owner.plugins) text["plugins"][id] = build_id;
  text["numbers"] = nlohmann::ordered_json::object();
  for (const auto& [name, values] : archive.numbers()) text["numbers"][name] = to_digits(values);
  text["texts"] = archive.texts();
  text["checksum"] = checksum(text);
  write_atomically(file, text.dump(1) + "\n");
}

Archive read_checkpoint(const std::filesystem::path& file, const CheckpointOwner& owner) {
  const auto refuse = [&](const std::string& why) {
    return Error(ErrorKind::input, fmt::format("{}: {}", file.string(), why));
  };
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw refuse("cannot be read");
  const nlohmann::json text = nlohmann::json::parse(stream, nullptr, false);
  if (!text.is_object() || !text.contains("trammel_checkpoint")) throw refuse("is no checkpoint of a run");
  try {
    if (text.at("trammel_checkpoint") != format_version) {
      throw refuse(fmt::format("has format {}; this version of Trammel reads format {}",
                               text.at("trammel_checkpoint").dump(), format_version));
    }
    if (const std::string what = difference(text, owner); !what.empty()) throw refuse("the checkpoint " + what);
    Archive archive(Archive::Direction::restore);
    for (const auto& [name, values] : text.at("numbers").items()) archive.numbers()[name] = from_digits(values);
    archive.texts() = text.at("texts").get<Archive::TextBlocks>();
    if (text.at("checksum") != checksum(text)) {
      throw refuse("is damaged: its checksum does not fit; take another checkpoint, or start the run again");
    }
    return archive;
  } catch (const nlohmann::json::exception&) {
    throw refuse(
        "is damaged: it lacks a part, or has one of another kind; take another checkpoint, or start the run again");
  } catch (const std::logic_error&) {  // digits that are none
    throw refuse("is damaged: a block of numbers cannot be read; take another checkpoint, or start the run again");
  }
}

}  // namespace trammel
