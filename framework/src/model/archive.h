// Archive: everything a run has to remember, by name, written into a checkpoint or read back in one and the same order.
#pragma once

#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "trammel/error.h"

namespace trammel {

/// Owners have one function `remember(Archive&)` that names their parts; it fills or reads by the archive's direction.
class Archive {
 public:
  enum class Direction { save, restore };
  Archive() = default;
  explicit Archive(Direction direction) : direction_(direction) {}

  bool restores() const { return direction_ == Direction::restore; }
  void restore_from_here() { direction_ = Direction::restore; }

  /// A block whose size is part of the model's structure. Throws Error(input) if it has another one here.
  void block(const std::string& name, std::vector<double>& values) {
    if (!restores())
      numbers_[name] = values;
    else if (const auto& kept = find(numbers_, name); kept.size() == values.size())
      values = kept;
    else
      throw Error(ErrorKind::input, "'" + name + "' has another size");
  }
  /// A list of any length.
  void list(const std::string& name, std::vector<double>& values) {
    if (restores())
      values = find(numbers_, name);
    else
      numbers_[name] = values;
  }
  void list(const std::string& name, std::vector<std::string>& texts) {
    if (restores())
      texts = find(texts_, name);
    else
      texts_[name] = texts;
  }
  /// Integers up to 2^53 and flags are kept as doubles.
  template <class... Numbers>
  void values(const std::string& name, Numbers&... numbers) {
    std::vector<double> all{static_cast<double>(numbers)...};
    block(name, all);
    if (!restores()) return;
    std::size_t i = 0;
    ((numbers = static_cast<std::remove_reference_t<Numbers>>(all[i++])), ...);
  }

  using NumberBlocks = std::map<std::string, std::vector<double>>;
  using TextBlocks = std::map<std::string, std::vector<std::string>>;
  NumberBlocks& numbers() { return numbers_; }
  TextBlocks& texts() { return texts_; }

 private:
  template <class Map>
  static const typename Map::mapped_type& find(const Map& map, const std::string& name) {
    const auto found = map.find(name);
    if (found == map.end()) throw Error(ErrorKind::input, "'" + name + "' is missing");
    return found->second;
  }

  Direction direction_ = Direction::save;
  NumberBlocks numbers_;
  TextBlocks texts_;
};

}  // namespace trammel
