// A deck as statements with their arguments and lines, before anything of it has a meaning.
#pragma once

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "trammel/sdk/import/notes.h"

namespace trammel::adams_deck {

/// KEY=VALUE[, VALUE ...], or a word alone: then there are no values.
struct Argument {
  std::string key;  ///< upper case
  std::vector<std::string> values;
  int line = 0;
  bool open = false;  ///< written with '=': values behind commas belong to it
  mutable bool read = false;
};

/// KEYWORD/id, argument, ... Whatever is asked for counts as read; `report_unread` tells the rest.
class Statement {
 public:
  std::string keyword;  ///< upper case, in full
  int id = 0;
  bool has_id = false;
  std::string name;  ///< of Adams View, from the comment above, or ""
  std::string file;
  int line = 0;
  std::vector<Argument> arguments;

  sdk::ImportPlace place() const { return {file, line, id_text()}; }
  std::string id_text() const { return keyword + (has_id ? "/" + std::to_string(id) : ""); }
  /// The name of Adams View, or "KEYWORD/id".
  std::string words() const { return name.empty() ? id_text() : "'" + name + "' (" + id_text() + ")"; }
  /// The name of Adams View, or "keyword_id".
  std::string own_name() const;
  [[noreturn]] void refuse(const std::string& message) const { sdk::refuse_file(place(), message); }

  /// The argument of this name; arguments may be cut short in the file, to two letters or more.
  const Argument* find(const char* key) const;
  /// Whether an argument of exactly this name stands in the statement.
  bool has(const char* key) const;
  /// Whether the word stands in the statement.
  bool flag(const char* key) const;
  /// A number; an angle if it ends in D, then in radians. Refuses what is none.
  double number(const char* key, double otherwise) const;
  /// So many numbers, or none if the argument is absent.
  std::vector<double> numbers(const char* key, std::size_t least, std::size_t most) const;
  Eigen::Vector3d vector(const char* key) const;
  /// The id of a marker, joint, ...; 0 if absent.
  int reference(const char* key) const;
  int need_reference(const char* key) const;
  /// The text of an expression, "" if absent.
  std::string expression(const char* key) const;
  std::string text(const char* key) const;
  void ignore() const;
  void ignore(std::initializer_list<const char*> keys) const;
  void report_unread(sdk::ImportNotes& notes) const;
};

struct Deck {
  std::string file;
  std::string title;
  int behind_end = 0;  ///< line of the first statement behind END, 0 if there is none
  std::vector<Statement> statements;
};

/// Throws Error(input) with file, line and statement: it cannot be read, holds what is no statement, or has no END.
Deck read_deck(const std::string& file);

/// Whether a text that may be cut off looks like a deck.
bool looks_like_deck(const std::string& beginning);

/// A number as decks write it; false if the text is none.
bool read_number(const std::string& text, double& value);

std::string upper_case(std::string text);

}  // namespace trammel::adams_deck
