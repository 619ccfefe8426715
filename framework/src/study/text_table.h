// TextTable: rows of cells, aligned for a terminal or as Markdown.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace trammel {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) : rows_{std::move(header)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.size() == 1; }

  /// Columns two blanks apart, each line indented by two.
  std::string aligned() const {
    const std::vector<std::size_t> widths = column_widths();
    std::string text;
    for (const std::vector<std::string>& row : rows_) {
      std::string line = " ";
      for (std::size_t k = 0; k < row.size(); ++k) line += " " + padded(row[k], widths[k]) + " ";
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
  }

  std::string markdown() const {
    const std::vector<std::size_t> widths = column_widths();
    std::string text;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      text += "|";
      for (std::size_t k = 0; k < rows_[i].size(); ++k) text += " " + padded(escaped(rows_[i][k]), widths[k]) + " |";
      text += "\n";
      if (i > 0) continue;
      text += "|";
      for (const std::size_t width : widths) text += std::string(width + 2, '-') + "|";
      text += "\n";
    }
    return text;
  }

 private:
  std::vector<std::size_t> column_widths() const {
    std::vector<std::size_t> widths(rows_[0].size(), 1);
    for (const std::vector<std::string>& row : rows_) {
      for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
    }
    return widths;
  }
  static std::string padded(const std::string& text, std::size_t width) {
    return text + std::string(width > text.size() ? width - text.size() : 0, ' ');
  }
  static std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) out += c == '|' ? "\\|" : c == '\n' ? " " : std::string(1, c);
    return out;
  }

  std::vector<std::vector<std::string>> rows_;
};

}  // namespace trammel
