// Everything wrong with an input file, collected so that one run of `validate` shows it all.
#pragma once

#include <string>
#include <vector>

#include "config/node.h"
#include "trammel/error.h"

namespace trammel {

/// "file.json:41: /json/path: message", the one shape of every message about an input file.
std::string message_at(const Place& place, const std::string& path, const std::string& message);

class Problems {
 public:
  void add(const Place& place, const std::string& path, const std::string& message, ErrorKind kind = ErrorKind::input);
  /// The same, unless this message was added for another place.
  void add_once(const Place& place, const std::string& path, const std::string& message, ErrorKind kind);
  /// An error that carries its place already.
  void add(const Error& error);

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }

  /// One message per entry, in the order of the file's lines.
  std::vector<std::string> lines() const;
  /// `input` if anything but missing types is wrong, else `plugin`.
  ErrorKind kind() const;
  /// Throws Error with all lines (the first twenty, and the number of others); does nothing if there are none.
  void raise() const;

 private:
  struct Entry {
    int line;
    ErrorKind kind;
    std::string text;
  };
  std::vector<Entry> entries_;
};

/// What a component's `create` threw, with file, line and JSON path of the key it complains about: `node` is the
/// component's object and `path` its JSON path. Error::key() may go deeper ("points/3/0"). Errors without a key get the
/// place of the object itself.
Error locate(const Error& error, const Node& node, const std::string& path);

}  // namespace trammel
