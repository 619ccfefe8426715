// Checking an object against a parameter table, entry by entry, and writing the values where the table says.
#include "config/binder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>

#include "config/json_source.h"
#include "config/key_hints.h"
#include "config/known_keys.h"
#include "config/known_tables.h"
#include "config/marker.h"
#include "config/references.h"
#include "config/rotation.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

std::string with_unit(double value, const std::string& unit) {
  return number_text(value) + (unit.empty() || unit == "1" ? "" : " " + unit);
}

/// What a bound demands that `value` does not keep, or "".
std::string broken_bound(const ParameterInfo& info, double value) {
  const bool low = info.exclusive_minimum ? !(value > info.minimum) : !(value >= info.minimum);
  if (info.minimum != -no_bound && low)
    return (info.exclusive_minimum ? "must be > " : "must be >= ") + with_unit(info.minimum, info.unit);
  const bool high = info.exclusive_maximum ? !(value < info.maximum) : !(value <= info.maximum);
  if (info.maximum != no_bound && high)
    return (info.exclusive_maximum ? "must be < " : "must be <= ") + with_unit(info.maximum, info.unit);
  return "";
}

std::string join(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  return all;
}

}  // namespace

/// One pass over one table and one object. `records` is nullptr when only checks are wanted.
class Binder {
 public:
  Binder(const std::vector<ParameterInfo>& infos, const ParameterTable* table, const Node& node,
         const BindContext& context, Problems& problems)
      : infos_(infos), table_(table), node_(node), context_(context), problems_(problems), effective_(infos.size()) {}

  BoundParameters run() {
    if (table_ != nullptr) allocate();
    if (!node_.is_object()) {
      if (!node_.is_wrong_expression()) {
        problems_.add(node_.place, context_.path, "must be an object, not " + describe(node_));
      }
      return BoundParameters(std::move(out_));
    }
    refuse_unknown_keys();
    for (std::size_t i = 0; i < infos_.size(); ++i) entry(i);
    return BoundParameters(std::move(out_));
  }

 private:
  void allocate() {
    const std::size_t align = std::max<std::size_t>(table_->struct_align, alignof(std::max_align_t));
    const std::size_t size = std::max<std::size_t>(table_->struct_size, 1);
    std::size_t space = size + align;
    out_.block = std::make_unique<std::byte[]>(space);
    out_.data = out_.block.get();
    std::align(align, size, out_.data, space);
  }

  template <class T>
  void store(std::size_t i, const T& value, std::size_t position = 0) {
    if (table_ == nullptr) return;
    std::byte* const field = static_cast<std::byte*>(out_.data) + table_->records[i].offset;
    std::memcpy(field + position * sizeof(T), &value, sizeof(T));
  }

  void store_text(std::size_t i, const std::string& text) {
    out_.texts.push_front(text);
    store(i, Text{out_.texts.front().data(), static_cast<std::int64_t>(text.size())});
  }

  void refuse_unknown_keys() {
    const auto is_known = [&](const std::string& key) {
      const auto& others = context_.other_keys;
      return std::any_of(infos_.begin(), infos_.end(), [&](const ParameterInfo& info) { return info.name == key; }) ||
             std::find(others.begin(), others.end(), key) != others.end();
    };
    for (const Member& member : node_.members) {
      if (is_known(member.key)) continue;
      std::vector<std::string> known;
      for (const ParameterInfo& info : infos_) known.push_back(info.name);
      known.insert(known.end(), context_.other_keys.begin(), context_.other_keys.end());
      problems_.add(member.place, context_.path + "/" + member.key,
                    "unknown key for " + context_.subject + elsewhere(member.key, nearest_or_all(member.key, known)));
    }
  }

  void entry(std::size_t i) {
    const ParameterInfo& info = infos_[i];
    const Node* value = node_.find(info.name);
    if (value == nullptr && info.default_json) value = default_value(info, i);
    effective_[i] = value;
    if (value != nullptr) {
      if (!value->is_wrong_expression()) read(i, *value, context_.path + "/" + info.name);
    } else if (info.optional || info.default_json) {
      leave_out(i);
    } else {
      problems_.add(node_.place, context_.path,
                    "missing key '" + info.name + "' for " + context_.subject + ": " + info.description);
    }
  }

  /// The value that the table gives a left-out key: that of an earlier parameter ("=name"), or JSON text.
  const Node* default_value(const ParameterInfo& info, std::size_t i) {
    std::string text = *info.default_json;
    if (text.size() > 2 && text.front() == '"' && text[1] == '=') text = text.substr(1, text.size() - 2);
    if (text.size() > 1 && text[0] == '=') {
      for (std::size_t j = 0; j < i; ++j) {
        if (infos_[j].name == text.substr(1)) return effective_[j];
      }
      throw Error(ErrorKind::plugin, "the table of " + context_.subject + " is wrong: the default '" + text + "' of '" +
                                         info.name + "' names no earlier parameter");
    }
    try {
      return &known_default(text, info.name, context_.subject);
    } catch (const Error& error) {
      throw Error(ErrorKind::plugin, "the table of " + context_.subject + " is wrong: " + error.what());
    }
  }

  void leave_out(std::size_t i) {
    switch (infos_[i].type) {
      case ParameterType::number: return store(i, left_out());
      case ParameterType::integer: return store(i, std::int64_t{0});
      case ParameterType::boolean: return store(i, false);
      case ParameterType::choice: return store(i, std::int32_t{-1});
      case ParameterType::vector:
      case ParameterType::direction:
      case ParameterType::body_point:
        for (std::size_t k = 0; k < 3; ++k) store(i, left_out(), k);
        return;
      case ParameterType::rotation:
        for (std::size_t k = 0; k < 4; ++k) store(i, k == 0 ? 1.0 : 0.0, k);
        return;
      case ParameterType::numbers: return store(i, Numbers{});
      case ParameterType::body: return store(i, BodyRef{});
      case ParameterType::bodies: return store(i, BodyRefs{});
      case ParameterType::point: return store(i, PointRef{});
      case ParameterType::element: return store(i, ElementRef{});
      case ParameterType::function: return store(i, FunctionRef{});
      case ParameterType::functions: return store(i, FunctionRefs{});
      case ParameterType::text:
      case ParameterType::expression:
      case ParameterType::file: return store(i, Text{});
      case ParameterType::texts: return store(i, Texts{});
    }
  }

  void read(std::size_t i, const Node& value, const std::string& path) {
    switch (infos_[i].type) {
      case ParameterType::number:
        if (const std::optional<double> x = number(infos_[i], value, path)) store(i, *x);
        return;
      case ParameterType::integer: return read_integer(i, value, path);
      case ParameterType::boolean:
        if (value.kind == Node::Kind::boolean) return store(i, value.boolean);
        return wrong(value, path, "true or false");
      case ParameterType::choice: return read_choice(i, value, path);
      case ParameterType::text:
        if (value.is_text()) return store_text(i, value.text);
        return wrong(value, path, "a text");
      case ParameterType::texts: return read_texts(i, value, path);
      case ParameterType::vector:
      case ParameterType::direction:
        if (value.is_text() && takes_marker(infos_[i])) return read_marker(i, value, path);
        return read_vector(i, value, path);
      case ParameterType::body_point:
        if (value.is_text()) return read_end(i, value, path);
        return read_vector(i, value, path);
      case ParameterType::rotation: {
        if (value.is_text() && takes_marker(infos_[i])) return read_marker(i, value, path);
        std::array<double, 4> p = {1, 0, 0, 0};
        read_rotation(value, path, p.data(), problems_);
        return store(i, p);
      }
      case ParameterType::numbers: return read_list(i, value, path);
      case ParameterType::body: return store(i, BodyRef{reference(value, path, "body", infos_[i].type).value_or(-2)});
      case ParameterType::bodies: return read_bodies(i, value, path);
      case ParameterType::point: return read_point(i, value, path);
      case ParameterType::element:
        return store(i, ElementRef{reference(value, path, "constraint", infos_[i].type).value_or(-1)});
      case ParameterType::function: return store(i, function(value, path));
      case ParameterType::functions: return read_functions(i, value, path);
      case ParameterType::expression: return read_expression(i, value, path);
      case ParameterType::file: return read_file(i, value, path);
    }
  }

  void wrong(const Node& value, const std::string& path, const std::string& wanted) {
    if (!value.is_wrong_expression())
      problems_.add(value.place, path, "must be " + wanted + ", not " + describe(value));
  }

  std::optional<double> number(const ParameterInfo& info, const Node& value, const std::string& path) {
    if (!value.is_number()) {
      wrong(value, path, "a number");
      return std::nullopt;
    }
    const std::string broken = broken_bound(info, value.number);
    if (!broken.empty()) problems_.add(value.place, path, broken + ", not " + describe(value));
    return value.number;
  }

  void read_texts(std::size_t i, const Node& value, const std::string& path) {
    if (!value.is_array()) return wrong(value, path, "an array of texts");
    if (!check_count(infos_[i], value.items.size(), value, path)) return;
    std::vector<Text> list;
    for (std::size_t k = 0; k < value.items.size(); ++k) {
      const Node& item = value.items[k];
      if (!item.is_text()) return wrong(item, path + "/" + std::to_string(k), "a text");
      const std::string& kept = out_.texts.emplace_front(item.text);
      list.push_back({kept.data(), static_cast<std::int64_t>(kept.size())});
    }
    out_.lists_of_texts.push_front(std::move(list));
    store(i, Texts{out_.lists_of_texts.front().data(), static_cast<std::int64_t>(out_.lists_of_texts.front().size())});
  }

  void read_integer(std::size_t i, const Node& value, const std::string& path) {
    if (!value.is_integer()) return wrong(value, path, "an integer");
    if (number(infos_[i], value, path)) store(i, static_cast<std::int64_t>(value.number));
  }

  void read_choice(std::size_t i, const Node& value, const std::string& path) {
    const std::vector<std::string>& choices = infos_[i].choices;
    if (!value.is_text()) return wrong(value, path, "one of " + join(choices));
    const auto found = std::find(choices.begin(), choices.end(), value.text);
    if (found != choices.end()) return store(i, static_cast<std::int32_t>(found - choices.begin()));
    problems_.add(value.place, path,
                  "must be one of " + join(choices) + ", not '" + value.text + "'" + did_you_mean(value.text, choices));
  }

  void read_vector(std::size_t i, const Node& value, const std::string& path) {
    const ParameterInfo& info = infos_[i];
    const bool two =
        info.length == VectorLength::two || (info.length == VectorLength::host && context_.host == Host::planar);
    const int count = two ? 2 : 3;
    std::array<double, 3> x = {0, 0, 0};
    if (!read_numbers(value, path, count, x.data(), problems_)) return;
    double length = std::hypot(x[0], x[1], x[2]);
    for (int k = 0; k < count; ++k) {
      const std::string broken = broken_bound(info, x[static_cast<std::size_t>(k)]);
      if (broken.empty()) continue;
      const Node& item = value.items[static_cast<std::size_t>(k)];
      problems_.add(item.place, path + "/" + std::to_string(k), broken + ", not " + describe(item));
    }
    if (info.type == ParameterType::direction) {
      if (length == 0) return problems_.add(value.place, path, "the axis has length zero");
      for (double& entry : x) entry /= length;
    }
    store(i, x);
  }

  /// A place, a direction or a rotation by the name of a point.
  void read_marker(std::size_t i, const Node& value, const std::string& path) {
    const ParameterInfo& info = infos_[i];
    const std::string body = is_on_body(info) ? name_of_body(body_number(info)) : "";
    std::array<double, 4> x{};
    if (!trammel::read_marker({info, resolver(), context_.host, body}, value, path, x.data(), problems_)) return;
    if (info.type == ParameterType::rotation) return store(i, x);
    store(i, std::array<double, 3>{x[0], x[1], x[2]});
  }

  /// An element's end by the name of a point, which has to lie on the element's own body.
  void read_end(std::size_t i, const Node& value, const std::string& path) {
    std::array<double, 4> x{};
    const std::string body = name_of_body(static_cast<std::size_t>(infos_[i].count_min));
    if (trammel::read_marker({infos_[i], resolver(), context_.host, body}, value, path, x.data(), problems_))
      store(i, std::array<double, 3>{x[0], x[1], x[2]});
  }

  /// Of the object's `bodies`, whatever their key is, or of its one body; "" if it does not say.
  std::string name_of_body(std::size_t which) const {
    for (const ParameterInfo& info : infos_) {
      const Node* value = node_.find(info.name);
      if (value == nullptr) continue;
      if (info.type == ParameterType::body && which == 0) return value->is_text() ? value->text : "";
      if (info.type != ParameterType::bodies) continue;
      return value->items.size() > which && value->items[which].is_text() ? value->items[which].text : "";
    }
    return "";
  }

  bool check_count(const ParameterInfo& info, std::size_t count, const Node& value, const std::string& path) {
    const std::size_t low = static_cast<std::size_t>(info.count_min);
    const std::size_t high = static_cast<std::size_t>(info.count_max);
    if (count >= low && count <= high) return true;
    const std::string wanted = low == high   ? std::to_string(low)
                               : count < low ? "at least " + std::to_string(low)
                                             : "at most " + std::to_string(high);
    problems_.add(value.place, path,
                  "must have " + wanted + (wanted == "1" ? " entry" : " entries") + ", not " + std::to_string(count));
    return false;
  }

  void read_list(std::size_t i, const Node& value, const std::string& path) {
    std::vector<double> list;
    if (value.is_array()) {
      for (std::size_t k = 0; k < value.items.size(); ++k) {
        const std::optional<double> x = number(infos_[i], value.items[k], path + "/" + std::to_string(k));
        list.push_back(x.value_or(0));
      }
    } else if (value.is_number()) {
      list.push_back(number(infos_[i], value, path).value_or(0));
    } else {
      return wrong(value, path, "an array of numbers");
    }
    if (!check_count(infos_[i], list.size(), value, path)) return;
    out_.numbers.push_front(std::move(list));
    store(i, Numbers{out_.numbers.front().data(), static_cast<std::int64_t>(out_.numbers.front().size())});
  }

  /// Index of what a text names, through the resolver.
  std::optional<std::int32_t> reference(const Node& value, const std::string& path, const char* what,
                                        ParameterType type) {
    if (value.is_text()) return find_reference({context_, resolver()}, value, path, what, type, problems_);
    wrong(value, path, std::string("the name of a ") + what);
    return std::nullopt;
  }

  void read_bodies(std::size_t i, const Node& value, const std::string& path) {
    if (!value.is_array()) return wrong(value, path, "an array of names of bodies");
    if (!check_count(infos_[i], value.items.size(), value, path)) return;
    std::vector<BodyRef> bodies;
    for (std::size_t k = 0; k < value.items.size(); ++k) {
      const std::string at = path + "/" + std::to_string(k);
      const BodyRef body{reference(value.items[k], at, "body", ParameterType::body).value_or(-2)};
      for (const BodyRef& other : bodies) {
        if (!body.given() || other.index != body.index) continue;
        problems_.add(value.items[k].place, at, "the body '" + value.items[k].text + "' is named twice");
        break;
      }
      bodies.push_back(body);
    }
    out_.bodies.push_front(std::move(bodies));
    store(i, BodyRefs{out_.bodies.front().data(), static_cast<std::int64_t>(out_.bodies.front().size())});
  }

  void read_point(std::size_t i, const Node& value, const std::string& path) {
    if (!value.is_text()) return wrong(value, path, "the name of a point");
    if (const std::optional<PointRef> point = find_point(value, path)) store(i, *point);
  }

  std::optional<PointRef> find_point(const Node& value, const std::string& path) {
    std::optional<PointRef> point = resolver().point(value.text);
    if (!point) {
      problems_.add(
          value.place, path,
          "there is no point '" + value.text + "'" + did_you_mean(value.text, resolver().names(ParameterType::point)));
    }
    return point;
  }

  FunctionRef function(const Node& value, const std::string& path) {
    const bool signal = value.is_text() && is_name(value.text) && resolver().knows_signals();
    if (value.is_number() || value.is_object() || signal) return resolver().function(value, path, problems_);
    const bool formula = value.is_text();
    wrong(value, path,
          formula ? "a function, for example {\"type\": \"expression\", \"formula\": " + json_quoted(value.text) +
                        "}, the name of a signal, or a number"
                  : "a function, {\"type\": ...}, or a number");
    return nullptr;
  }

  void read_functions(std::size_t i, const Node& value, const std::string& path) {
    if (!value.is_array()) return wrong(value, path, "an array of functions");
    if (!check_count(infos_[i], value.items.size(), value, path)) return;
    std::vector<FunctionRef> list;
    for (std::size_t k = 0; k < value.items.size(); ++k) {
      list.push_back(function(value.items[k], path + "/" + std::to_string(k)));
    }
    out_.functions.push_front(std::move(list));
    store(i, FunctionRefs{out_.functions.front().data(), static_cast<std::int64_t>(out_.functions.front().size())});
  }

  void read_expression(std::size_t i, const Node& value, const std::string& path) {
    if (value.is_number()) return store_text(i, value.text);
    if (!value.is_text()) return wrong(value, path, "a formula");
    static const ParameterValues none;
    store_text(i, substitute_parameters(value.text, context_.parameters != nullptr ? *context_.parameters : none));
  }

  void read_file(std::size_t i, const Node& value, const std::string& path) {
    if (!value.is_text()) return wrong(value, path, "the name of a file");
    const std::filesystem::path file = std::filesystem::absolute(context_.folder / value.text).lexically_normal();
    std::error_code code;
    if (!std::filesystem::is_regular_file(file, code)) {
      return problems_.add(value.place, path,
                           "there is no file '" + value.text + "' (looked for " + file.string() + ")");
    }
    store_text(i, file.string());
  }

  Resolver& resolver() const {
    if (context_.resolver != nullptr) return *context_.resolver;
    throw Error(ErrorKind::plugin,
                "the table of " + context_.subject + " refers to parts of a model that does not exist here");
  }

  const std::vector<ParameterInfo>& infos_;
  const ParameterTable* table_;
  const Node& node_;
  const BindContext& context_;
  Problems& problems_;
  std::vector<const Node*> effective_;  ///< the node each parameter got its value from; nullptr: left out
  ParameterMemory out_;
};

BoundParameters bind(const ParameterTable& table, const Node& node, const BindContext& context, Problems& problems) {
  return Binder(known_infos(table), &table, node, context, problems).run();
}

BoundParameters bind_component(const ParameterTable& table, const std::vector<ParameterInfo>& infos, const Node& node,
                               const BindContext& context) {
  Problems problems;
  BoundParameters bound = Binder(infos, &table, node, context, problems).run();
  problems.raise();
  return bound;
}

BoundParameters bind(const ParameterTable& table, const Node& node, const BindContext& context) {
  return bind_component(table, known_infos(table), node, context);
}

void check(const std::vector<ParameterInfo>& table, const Node& node, const BindContext& context, Problems& problems) {
  Binder(table, nullptr, node, context, problems).run();
}

}  // namespace trammel
