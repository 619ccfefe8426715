// Reading of `report`.
#include "config/report_options.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "config/section_keys.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

const std::vector<std::string> standard_views = {"oblique", "front", "back", "left", "right", "top", "bottom"};
constexpr const char* switches[] = {"parallel", "joints", "ground", "forces", "velocities", "contacts"};

bool is_in(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class ReportReader {
 public:
  ReportReader(const ReportNames& names, Problems& problems) : names_(names), problems_(problems) {}

  std::vector<ReportChannel> read(const Node& report) {
    const std::string path = "/report";
    if (!object(report, path, "the report", "")) return {};
    for (const char* key : {"author", "text"}) text(report.find(key), path + "/" + key);
    boolean(report.find("degrees"), path + "/degrees");
    if (const Node* labels = report.find("labels")) read_labels(*labels, path + "/labels");
    if (const Node* diagrams = report.find("diagrams")) read_diagrams(*diagrams, path + "/diagrams");
    if (const Node* view = report.find("view")) read_view(*view, path + "/view");
    return std::move(channels_);
  }

 private:
  void wrong(const Node& node, const std::string& path, const std::string& expected) {
    problems_.add(node.place, path, "must be " + expected + ", not " + describe(node));
  }

  /// Whether it is an object; its keys are those below `parent` in the table.
  bool object(const Node& node, const std::string& path, const std::string& subject, const std::string& parent) {
    if (!node.is_object()) return wrong(node, path, "an object"), false;
    const std::vector<std::string> known = keys_below(RunFilePart::report, parent);
    for (const Member& member : node.members) {
      if (is_in(known, member.key)) continue;
      problems_.add(member.place, path + "/" + member.key,
                    "unknown key for " + subject + did_you_mean(member.key, known));
    }
    return true;
  }

  bool text(const Node* node, const std::string& path) {
    if (node == nullptr || node->is_text()) return node != nullptr;
    return wrong(*node, path, "a text"), false;
  }

  void boolean(const Node* node, const std::string& path) {
    if (node != nullptr && node->kind != Node::Kind::boolean) wrong(*node, path, "true or false");
  }

  void channel(const std::string& name, const Place& place, const std::string& path) {
    if (name != "t") channels_.push_back({name, place, path});
  }

  void read_labels(const Node& labels, const std::string& path) {
    if (!labels.is_object()) return wrong(labels, path, "an object of texts by channel or part");
    for (const Member& member : labels.members) {
      const std::string at = path + "/" + member.key;
      text(&member.value, at);
      // A part's label stands for all of its channels; which parts there are the columns tell.
      if (member.key.find('.') != std::string::npos) channel(member.key, member.place, at);
    }
  }

  void read_diagrams(const Node& diagrams, const std::string& path) {
    if (!diagrams.is_array())
      return wrong(diagrams, path, "an array of diagrams, such as [{\"y\": [\"energy.total\"]}]");
    for (std::size_t i = 0; i < diagrams.items.size(); ++i) {
      const Node& diagram = diagrams.items[i];
      const std::string at = path + "/" + std::to_string(i);
      if (!object(diagram, at, "a diagram", "diagrams[]")) continue;
      text(diagram.find("title"), at + "/title");
      boolean(diagram.find("log"), at + "/log");
      boolean(diagram.find("spectrum"), at + "/spectrum");
      if (text(diagram.find("x"), at + "/x")) channel(diagram.find("x")->text, diagram.find("x")->place, at + "/x");
      const Node* y = diagram.find("y");
      if (y == nullptr || !y->is_array() || y->items.empty()) {
        problems_.add(y == nullptr ? diagram.place : y->place, at + "/y",
                      "a diagram needs \"y\": an array of at least one channel, such as [\"pin.angle\"]");
        continue;
      }
      for (std::size_t k = 0; k < y->items.size(); ++k) {
        const std::string of = at + "/y/" + std::to_string(k);
        if (text(&y->items[k], of)) channel(y->items[k].text, y->items[k].place, of);
      }
    }
  }

  void read_view(const Node& view, const std::string& path) {
    if (!object(view, path, "the view", "view")) return;
    for (const char* key : switches) boolean(view.find(key), path + "/" + key);
    name(view.find("from"), path + "/from", "standard view", standard_views);
    const Node* follow = view.find("follow");
    if (follow != nullptr && !(follow->is_text() && follow->text.empty()))
      name(follow, path + "/follow", "body", names_.bodies);
    read_traces(view.find("traces"), path + "/traces");
    read_camera(view.find("camera"), path + "/camera");
    const Node* scale = view.find("arrow_scale");
    if (scale != nullptr && !(scale->is_number() && scale->number > 0))
      wrong(*scale, path + "/arrow_scale", "a number > 0");
    if (view.find("from") != nullptr && view.find("camera") != nullptr)
      problems_.add(view.find("camera")->place, path + "/camera", "give either 'from' or 'camera', not both");
  }

  void name(const Node* node, const std::string& path, const std::string& what, const std::vector<std::string>& known) {
    if (!text(node, path) || is_in(known, node->text)) return;
    problems_.add(node->place, path, "there is no " + what + " '" + node->text + "'" + did_you_mean(node->text, known));
  }

  void read_traces(const Node* traces, const std::string& path) {
    if (traces == nullptr) return;
    if (!traces->is_array()) return wrong(*traces, path, "an array of bodies and points");
    std::vector<std::string> known = names_.points;
    known.insert(known.end(), names_.bodies.begin(), names_.bodies.end());
    for (std::size_t i = 0; i < traces->items.size(); ++i)
      name(&traces->items[i], path + "/" + std::to_string(i), "body or point", known);
  }

  void read_camera(const Node* camera, const std::string& path) {
    if (camera == nullptr) return;
    const bool six =
        camera->is_array() && camera->items.size() == 6 &&
        std::all_of(camera->items.begin(), camera->items.end(), [](const Node& n) { return n.is_number(); });
    if (!six) wrong(*camera, path, "six numbers: the place of the camera and the point it looks at");
  }

  const ReportNames& names_;
  Problems& problems_;
  std::vector<ReportChannel> channels_;
};

}  // namespace

std::vector<ReportChannel> check_report(const Node& report, const ReportNames& names, Problems& problems) {
  return ReportReader(names, problems).read(report);
}

void check_report_channels(const Node& document, const std::vector<std::string>& recorded,
                           const std::vector<std::string>& available) {
  const Node* report = document.find("report");
  if (report == nullptr) return;
  Problems checked, problems;
  for (const ReportChannel& channel : check_report(*report, {}, checked)) {
    if (is_in(recorded, channel.name)) continue;
    // Parts of sub-models have a '.' in their names, too.
    const bool part = channel.path.starts_with("/report/labels/") &&
                      std::any_of(available.begin(), available.end(),
                                  [&](const std::string& name) { return name.starts_with(channel.name + "."); });
    if (part) continue;
    if (is_in(available, channel.name)) {
      problems.add(channel.place, channel.path,
                   "the channel '" + channel.name + "' is not recorded; add it to output.channels");
    } else {
      problems.add(channel.place, channel.path,
                   "there is no channel '" + channel.name + "'" + did_you_mean(channel.name, available));
    }
  }
  problems.raise();
}

nlohmann::ordered_json report_schema() {
  using Json = nlohmann::ordered_json;
  const auto described = [](const std::string& key, Json schema) {
    schema["description"] = key_description(RunFilePart::report, key);
    return schema;
  };
  const auto of_type = [&](const std::string& key, const char* type) { return described(key, {{"type", type}}); };
  const Json texts = {{"type", "array"}, {"items", {{"type", "string"}}}};
  Json y = described("diagrams[].y", texts);
  y["minItems"] = 1;
  const Json diagram = {{"type", "object"},
                        {"properties",
                         {{"title", of_type("diagrams[].title", "string")},
                          {"x", of_type("diagrams[].x", "string")},
                          {"y", y},
                          {"log", of_type("diagrams[].log", "boolean")},
                          {"spectrum", of_type("diagrams[].spectrum", "boolean")}}},
                        {"required", {"y"}},
                        {"additionalProperties", false}};
  Json view = {{"from", described("view.from", {{"enum", standard_views}})},
               {"camera", described("view.camera", {{"type", "array"}, {"items", {{"type", "number"}}}})},
               {"follow", of_type("view.follow", "string")},
               {"traces", described("view.traces", texts)},
               {"arrow_scale", described("view.arrow_scale", {{"type", "number"}, {"exclusiveMinimum", 0}})}};
  view["camera"]["minItems"] = view["camera"]["maxItems"] = 6;
  for (const char* key : switches) view[key] = of_type(std::string("view.") + key, "boolean");
  Json labels = described("labels", {{"type", "object"}});
  labels["additionalProperties"] = {{"type", "string"}};
  return {{"type", "object"},
          {"description", key_description(RunFilePart::run_file, "report")},
          {"properties",
           {{"author", of_type("author", "string")},
            {"text", of_type("text", "string")},
            {"degrees", of_type("degrees", "boolean")},
            {"labels", labels},
            {"diagrams", described("diagrams", {{"type", "array"}, {"items", diagram}})},
            {"view", described("view", {{"type", "object"}, {"properties", view}, {"additionalProperties", false}})}}},
          {"additionalProperties", false}};
}

}  // namespace trammel
