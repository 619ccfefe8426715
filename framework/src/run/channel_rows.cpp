// Columns by name.
#include "run/channel_rows.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace trammel {
namespace {

class Rows {
 public:
  Rows(std::function<Columns()> make, std::function<Sample()> now) : make_(std::move(make)), now_(std::move(now)) {}

  std::vector<double> row(const std::vector<std::string>& names) {
    if (names != names_) select(names);
    columns_->row(now_(), {values_.data(), static_cast<Index>(values_.size())});
    std::vector<double> values;
    for (const std::size_t place : places_) values.push_back(values_[place]);
    return values;
  }

 private:
  void select(const std::vector<std::string>& names) {
    if (columns_ == nullptr) columns_ = std::make_unique<Columns>(make_());
    columns_->select(names, false);
    names_ = names, places_.clear();
    const std::vector<std::string>& selected = columns_->names();
    for (const std::string& name : names) {
      const auto found = std::find(selected.begin(), selected.end(), name);
      places_.push_back(static_cast<std::size_t>(found - selected.begin()));
    }
    values_.resize(selected.size());
  }

  std::function<Columns()> make_;
  std::unique_ptr<Columns> columns_;
  std::function<Sample()> now_;
  std::vector<std::string> names_;
  std::vector<std::size_t> places_;  // of the names among the selected columns
  std::vector<double> values_;
};

}  // namespace

std::function<std::vector<double>(const std::vector<std::string>&)> channel_rows(std::function<Columns()> make,
                                                                                 std::function<Sample()> now) {
  auto rows = std::make_shared<Rows>(std::move(make), std::move(now));
  return [rows](const std::vector<std::string>& names) { return rows->row(names); };
}

}  // namespace trammel
