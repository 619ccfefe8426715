// Lines to statements: comments, names, continuations, arguments.
#include "deck.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

#include "trammel/sdk/import/numbers.h"
#include "trammel/sdk/import/utf8.h"

namespace trammel::adams_deck {
namespace {

constexpr std::int64_t largest_file = std::int64_t{256} << 20;  // bytes
constexpr char continuation = '\1';  // a comma in the first place of a line: a blank or a comma, as the text wants it

const char* const keywords[] = {
    "ACCGRAV",  "ADAMS",   "ARRAY",      "BEAM",     "BUSHING",    "CONTACT",    "CONTROL",     "COUPLER",
    "CURVE",    "CVCV",    "CVSF",       "DEBUG",    "DIFF",       "DMIG",       "END",         "EQUILIBRIUM",
    "EXTERNAL", "FIELD",   "FLEX_BODY",  "FRICTION", "GCON",       "GEAR",       "GFORCE",      "GRAPHICS",
    "GSE",      "IC",      "INTEGRATOR", "JOINT",    "JPRIM",      "KINEMATICS", "LINEAR",      "LIST",
    "LSE",      "LSOLVER", "MARKER",     "MATERIAL", "MATRIX",     "MFORCE",     "MOTION",      "NFORCE",
    "OUTPUT",   "PART",    "PINPUT",     "PLANT",    "POINT_MASS", "POUTPUT",    "PREFERENCES", "PTCV",
    "PTSF",     "REQUEST", "RESULTS",    "SENSOR",   "SFORCE",     "SFSF",       "SPLINE",      "SPRINGDAMPER",
    "STRING",   "SURFACE", "TFSISO",     "TIRE",     "TITLE",      "UCON",       "UNITS",       "USEXP",
    "VARIABLE", "VFORCE",  "VTORQUE",    "WHEEL"};

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == continuation; }
bool word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string trimmed(const std::string& text) {
  std::size_t from = 0, to = text.size();
  while (from < to && blank(text[from])) ++from;
  while (to > from && blank(text[to - 1])) --to;
  return text.substr(from, to - from);
}

/// Those that the word is, or is short for.
std::vector<std::string> possible_keywords(const std::string& word) {
  std::vector<std::string> found;
  for (const char* keyword : keywords) {
    if (word == keyword) return {word};
    if (word.size() >= 2 && std::string(keyword).rfind(word, 0) == 0) found.push_back(keyword);
  }
  return found;
}

/// In full, by exact match or as the beginning of one keyword only; "" if it is none.
std::string full_keyword(const std::string& word) {
  const std::vector<std::string> found = possible_keywords(word);
  return found.size() == 1 ? found[0] : "";
}

bool takes_expression(const std::string& key) {
  static const char* const keys[] = {"FUNCTION", "FX", "FY", "FZ", "TX", "TY", "TZ", "FXYZ", "TXYZ"};
  for (const char* name : keys) {
    if (key == name || (key.size() >= 2 && std::string(name).rfind(key, 0) == 0)) return true;
  }
  return key.size() == 2 && key[0] == 'F' && std::isdigit(static_cast<unsigned char>(key[1])) != 0;
}

/// The lines of one statement as a text, with the line of every character.
struct Lines {
  std::string text, name;
  std::vector<int> line;
  void add(const std::string& part, int number) {
    text += part;
    line.insert(line.end(), part.size(), number);
  }
};

/// Cuts the text behind the keyword into arguments.
class Splitter {
 public:
  Splitter(const Lines& lines, std::size_t from, Statement& out) : lines_(lines), out_(out), at_(from), start_(from) {}

  void split() {
    const std::string& text = lines_.text;
    for (; at_ < text.size(); ++at_) {
      const char c = text[at_];
      if (quote_ != 0) {
        if (c == quote_) quote_ = 0;
        continue;
      }
      if (c == '"' || c == '\'') {
        quote_ = c;
      } else if (c == '(') {
        ++depth_;
      } else if (c == ')') {
        if (--depth_ < 0) refuse("a ')' that closes nothing");
      } else if (depth_ == 0 && (c == ',' || c == '\\' || c == ';')) {
        token();
      } else if (depth_ == 0 && c == continuation && !inside_expression()) {
        token();
      }
    }
    if (quote_ != 0) refuse("a quoted text that does not end");
    if (depth_ > 0) refuse("a '(' that is not closed");
    token();
    for (const Argument& argument : out_.arguments) {
      if (argument.open && argument.values.empty())
        sdk::refuse_file({out_.file, argument.line, out_.id_text()}, "'" + argument.key + "' has no value");
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    sdk::refuse_file({out_.file, lines_.line[std::min(at_, lines_.line.size() - 1)], out_.id_text()}, what);
  }
  char next(std::size_t from) const {
    while (from < lines_.text.size() && blank(lines_.text[from])) ++from;
    return from < lines_.text.size() ? lines_.text[from] : '\0';
  }
  /// Whether the line that begins here goes on with the expression before it.
  bool inside_expression() const {
    const std::string before = trimmed(lines_.text.substr(start_, at_ - start_));
    const std::size_t equals = before.find('=');
    std::string key = equals == std::string::npos ? "" : upper_case(trimmed(before.substr(0, equals)));
    if (key.empty() && !out_.arguments.empty() && before.empty()) return false;
    if (!takes_expression(key)) return false;
    const char last = before.back(), first = next(at_ + 1);
    if (last == '=' || last == '+' || last == '-' || last == '*' || last == '/') return true;
    return first == '+' || first == '-' || first == '*' || first == '/' || first == ')';
  }
  void token() {
    const std::size_t from = start_;
    start_ = at_ + 1;
    std::string text = trimmed(lines_.text.substr(from, at_ - from));
    if (text.empty()) return;
    std::size_t first = from;
    while (blank(lines_.text[first])) ++first;
    const int line = lines_.line[first];
    const std::size_t equals = text.find('=');
    std::size_t word = 0;
    while (word < text.size() && word_character(text[word])) ++word;
    const bool letter = std::isalpha(static_cast<unsigned char>(text[0])) != 0;
    if (letter && equals != std::string::npos && trimmed(text.substr(0, equals)).size() == word) {
      Argument argument{upper_case(text.substr(0, word)), {}, line, true};
      const std::string value = trimmed(text.substr(equals + 1));
      if (!value.empty()) argument.values.push_back(value);  // otherwise behind the next comma
      for (const Argument& other : out_.arguments) {
        if (other.key == argument.key && other.key != "STRING")
          sdk::refuse_file({out_.file, line, out_.id_text()}, "'" + argument.key + "' stands for the second time");
      }
      out_.arguments.push_back(argument);
      return;
    }
    if (letter && word == text.size()) {
      out_.arguments.push_back({upper_case(text), {}, line, false});
      return;
    }
    if (!out_.arguments.empty() && out_.arguments.back().open) {
      out_.arguments.back().values.push_back(text);
      return;
    }
    sdk::refuse_file({out_.file, line, out_.id_text()}, "'" + text.substr(0, 40) + "' is no argument");
  }

  const Lines& lines_;
  Statement& out_;
  std::size_t at_, start_;
  int depth_ = 0;
  char quote_ = 0;
};

Statement statement_of(const Lines& lines, const std::string& file) {
  Statement out;
  out.file = file, out.line = lines.line.front(), out.name = lines.name;
  const std::string& text = lines.text;
  std::size_t at = 0;
  while (at < text.size() && blank(text[at])) ++at;
  const std::size_t begin = at;
  while (at < text.size() && word_character(text[at])) ++at;
  const std::string word = upper_case(text.substr(begin, at - begin));
  while (at < text.size() && blank(text[at])) ++at;
  const bool ends = at == text.size();
  if (word.empty() || (!ends && text[at] != '/' && text[at] != ',' && text[at] != ';'))
    sdk::refuse_file({file, out.line, ""}, "is no statement of a deck: '" + trimmed(text).substr(0, 40) + "'");
  const std::vector<std::string> meant = possible_keywords(word);
  if (meant.size() > 1) {
    std::string all;
    for (const std::string& keyword : meant) all += (all.empty() ? "" : ", ") + keyword;
    sdk::refuse_file({file, out.line, word}, "is short for more than one statement; write more letters of " + all);
  }
  out.keyword = meant.empty() ? word : meant[0];
  if (ends) return out;
  ++at;
  while (at < text.size() && blank(text[at])) ++at;
  std::size_t digits = at;
  while (digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits])) != 0) ++digits;
  if (digits > at) {
    const std::from_chars_result read = std::from_chars(text.data() + at, text.data() + digits, out.id);
    if (read.ec != std::errc()) sdk::refuse_file({file, out.line, out.keyword}, "its number is too large");
    out.has_id = true, at = digits;
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r')) ++at;
    if (at < text.size() && text[at] != ',' && text[at] != continuation && text[at] != ';') {
      sdk::refuse_file({file, out.line, out.id_text()},
                       "expected a comma behind the number, not '" + text.substr(at, 20) + "'");
    }
    if (at < text.size()) ++at;
  }
  if (at < text.size()) Splitter(lines, at, out).split();
  return out;
}

/// The name in a comment "! adams_view_name='X'", or "".
std::string view_name(const std::string& comment) {
  const std::size_t key = comment.find("adams_view_name");
  const std::size_t from = key == std::string::npos ? key : comment.find('\'', key);
  const std::size_t to = from == std::string::npos ? from : comment.find('\'', from + 1);
  return to == std::string::npos ? "" : comment.substr(from + 1, to - from - 1);
}

bool is_title(const std::string& line) {
  std::size_t at = 0;
  while (at < line.size() && word_character(line[at])) ++at;
  const std::string word = upper_case(line.substr(0, at));
  while (at < line.size() && blank(line[at])) ++at;
  const bool statement = at == line.size() || line[at] == '/' || line[at] == ',';
  return !statement || word == "ADAMS" || full_keyword(word).empty();
}

}  // namespace

std::string upper_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

bool read_number(const std::string& text, double& value) {
  const char *at = text.data(), *end = at + text.size();
  if (at != end && *at == '+') ++at;
  const std::from_chars_result read = sdk::read_double(at, end, value);
  if (read.ec != std::errc() || !std::isfinite(value)) return false;
  if (read.ptr + 1 == end && (*read.ptr == 'D' || *read.ptr == 'd')) return value *= M_PI / 180, true;
  return read.ptr == end;
}

bool looks_like_deck(const std::string& beginning) {
  std::istringstream lines(beginning);
  int statements = 0;
  for (std::string line; std::getline(lines, line);) {
    line = trimmed(line);
    if (line.rfind("ADAMS/View model name", 0) == 0) return true;
    const std::size_t slash = line.find('/');
    if (line.empty() || line[0] == '!' || slash == std::string::npos) continue;
    const std::string keyword = full_keyword(upper_case(trimmed(line.substr(0, slash))));
    statements += keyword == "PART" || keyword == "MARKER" || keyword == "UNITS" || keyword == "JOINT";
  }
  return statements >= 2;
}

Deck read_deck(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream content;
  if (stream) content << stream.rdbuf();
  if (!stream || stream.bad())
    sdk::refuse_file({file, 0, ""}, "cannot be read: no such file, no permission, or nothing in it");
  std::string all = content.str();
  if (!sdk::is_utf8(all)) all = sdk::from_latin_1(all);  // decks of older systems
  if (static_cast<std::int64_t>(all.size()) > largest_file) sdk::refuse_file({file, 0, ""}, "is larger than 256 MiB");
  if (all.find('\0') != std::string::npos) sdk::refuse_file({file, 0, ""}, "is no deck: it holds a zero byte");

  Deck deck;
  deck.file = file;
  Lines open;
  std::string name;
  bool first = true, ended = false;
  int number = 0;
  const auto close = [&] {
    if (!open.text.empty()) deck.statements.push_back(statement_of(open, file));
    open = {};
    if (!deck.statements.empty() && deck.statements.back().keyword == "END") ended = true;
  };
  std::istringstream lines(all);
  for (std::string line; !ended && std::getline(lines, line);) {
    ++number;
    char quote = 0;
    std::size_t comment = std::string::npos;
    for (std::size_t k = 0; k < line.size() && comment == std::string::npos; ++k) {
      if (line[k] == continuation) sdk::refuse_file({file, number, ""}, "is no deck: it holds a control character");
      if (quote != 0) {
        if (line[k] == quote) quote = 0;
      } else if (line[k] == '"' || line[k] == '\'') {
        quote = line[k];
      } else if (line[k] == '!') {
        comment = k;
      }
    }
    if (comment != std::string::npos) {
      const std::string given = view_name(line.substr(comment));
      if (!given.empty()) close(), name = given;
      line.resize(comment);
      if (ended) break;
    }
    line = trimmed(line);
    if (line.empty()) continue;
    if (first) {
      first = false;
      if (is_title(line)) {
        const std::size_t colon = line.find(':');
        deck.title = colon == std::string::npos ? line : trimmed(line.substr(colon + 1));
        continue;
      }
    }
    const bool goes_on = line.back() == '&';
    if (goes_on) line.pop_back();
    if (line[0] == ',') {
      if (open.text.empty()) sdk::refuse_file({file, number, ""}, "a line that continues nothing");
      if (open.text.back() == '&') open.text.back() = ' ';
      open.add(continuation + line.substr(1), number);
    } else if (!open.text.empty() && open.text.back() == '&') {
      open.text.back() = ' ';
      open.add(line, number);
    } else {
      close();
      if (ended) {
        deck.behind_end = number;
        break;
      }
      open.add(line, number);
      open.name = name, name.clear();
    }
    if (goes_on) open.add("&", number);
  }
  for (std::string line; ended && deck.behind_end == 0 && std::getline(lines, line);) {
    ++number;
    line = trimmed(line);
    if (!line.empty() && line[0] != '!') deck.behind_end = number;
  }
  if (!ended) close();
  if (first) sdk::refuse_file({file, 0, ""}, "holds no statement");
  if (!ended) sdk::refuse_file({file, number, ""}, "is broken off: there is no END");
  return deck;
}

std::string Statement::own_name() const {
  if (!name.empty()) return name;
  std::string word = keyword;
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word + "_" + std::to_string(id);
}

const Argument* Statement::find(const char* key) const {
  const std::string wanted(key);
  for (const Argument& a : arguments) {
    if (a.key == wanted) return a.read = true, &a;
  }
  for (const Argument& a : arguments) {  // cut short
    if (!a.read && a.key.size() >= 2 && wanted.rfind(a.key, 0) == 0) return a.read = true, &a;
  }
  return nullptr;
}

bool Statement::has(const char* key) const {
  return std::any_of(arguments.begin(), arguments.end(), [&](const Argument& a) { return a.key == key; });
}

bool Statement::flag(const char* key) const {
  const std::string wanted(key);
  for (const Argument& a : arguments) {
    const bool same = a.key == wanted || (a.key.size() >= 3 && wanted.rfind(a.key, 0) == 0);
    if (same && a.values.empty()) return a.read = true, true;
  }
  return false;
}

std::vector<double> Statement::numbers(const char* key, std::size_t least, std::size_t most) const {
  const Argument* a = find(key);
  std::vector<double> out;
  if (a == nullptr) return out;
  for (const std::string& value : a->values) {
    double number = 0;
    if (!read_number(value, number))
      sdk::refuse_file({file, a->line, id_text()},
                       std::string(key) + " must consist of numbers, not '" + value.substr(0, 40) + "'");
    out.push_back(number);
  }
  if (out.size() < least || out.size() > most) {
    sdk::refuse_file({file, a->line, id_text()}, std::string(key) + " must have " + std::to_string(least) +
                                                     (most == least ? "" : " to " + std::to_string(most)) +
                                                     (most == 1 ? " number" : " numbers") + ", has " +
                                                     std::to_string(out.size()));
  }
  return out;
}

double Statement::number(const char* key, double otherwise) const {
  const std::vector<double> found = numbers(key, 1, 1);
  return found.empty() ? otherwise : found[0];
}

Eigen::Vector3d Statement::vector(const char* key) const {
  const std::vector<double> v = numbers(key, 3, 3);
  return v.empty() ? Eigen::Vector3d(0, 0, 0) : Eigen::Vector3d(v[0], v[1], v[2]);
}

int Statement::reference(const char* key) const {
  const double value = number(key, 0);
  if (!(value >= 0) || value != std::floor(value) || value > 2e9)
    refuse(std::string(key) + " must be the number of a statement");
  return static_cast<int>(value);
}

int Statement::need_reference(const char* key) const {
  const int id = reference(key);
  if (id == 0) refuse(std::string("has no ") + key);
  return id;
}

std::string Statement::expression(const char* key) const {
  const Argument* a = find(key);
  if (a == nullptr || a->values.empty()) return "";
  if (a->values.size() > 1)
    sdk::refuse_file({file, a->line, id_text()},
                     std::string(key) + " is one expression; behind it stands '" + a->values[1].substr(0, 40) + "'");
  return a->values[0];
}

std::string Statement::text(const char* key) const {
  const Argument* a = find(key);
  return a == nullptr || a->values.empty() ? "" : a->values[0];
}

void Statement::ignore() const {
  for (const Argument& a : arguments) a.read = true;
}

void Statement::ignore(std::initializer_list<const char*> keys) const {
  for (const char* key : keys) find(key);
}

void Statement::report_unread(sdk::ImportNotes& notes) const {
  for (const Argument& a : arguments) {
    if (a.read) continue;
    notes.lost({file, a.line, id_text()}, "argument " + a.key +
                                              (a.values.empty() ? "" : "=" + a.values[0].substr(0, 60)) + " of " +
                                              words() + " is unknown here");
  }
}

}  // namespace trammel::adams_deck
