// The whole of a deck, and what of it stands in no run file.
#include "reader.h"

#include <algorithm>
#include <set>

namespace trammel::adams_deck {
namespace {

struct Lost {
  const char* keyword;
  const char* why;
  bool constraint = false;
};
constexpr Lost lost[] = {
    {"ARRAY", "arrays are not carried over"},
    {"BEAM", "forces of beams are not carried over"},
    {"CONTACT", "contact between shapes is not computed"},
    {"CONTROL", "control blocks are not carried over"},
    {"CURVE", "curves are not carried over"},
    {"CVCV", "constraints of curves are not carried over", true},
    {"CVSF", "constraints of curves are not carried over", true},
    {"DEBUG", "settings of the other program"},
    {"DIFF", "differential equations of the deck are not carried over"},
    {"EQUILIBRIUM", "settings of the other program"},
    {"FIELD", "force fields are not carried over"},
    {"FRICTION", "friction that follows a joint's reaction is not carried over"},
    {"GCON", "a constraint that is a formula of any markers; no constraint of a run file takes one", true},
    {"GSE", "state equations are not carried over"},
    {"IC", "settings of the other program"},
    {"INTEGRATOR", "settings of the other program"},
    {"KINEMATICS", "settings of the other program"},
    {"LINEAR", "settings of the other program"},
    {"LIST", "settings of the other program"},
    {"LSE", "state equations are not carried over"},
    {"LSOLVER", "settings of the other program"},
    {"MATERIAL", "materials are not carried over; masses and inertias of parts are"},
    {"MATRIX", "matrices are not carried over"},
    {"MFORCE", "modal forces are not carried over"},
    {"NFORCE", "forces of many points are not carried over"},
    {"OUTPUT", "settings of the other program"},
    {"PINPUT", "inputs of a control system are not carried over"},
    {"PLANT", "inputs of a control system are not carried over"},
    {"POUTPUT", "outputs to a control system are not carried over"},
    {"PREFERENCES", "settings of the other program"},
    {"PTCV", "its curve is a B-spline in a parameter of its own, and point_on_spline of a run file has another one",
     true},
    {"PTSF", "constraints of surfaces are not carried over", true},
    {"REQUEST", "columns of results; output.channels of the run file asks for results"},
    {"RESULTS", "settings of the other program"},
    {"SENSOR", "sensors are not carried over; analysis.events of the run file may take its place"},
    {"SFSF", "constraints of surfaces are not carried over", true},
    {"SPLINE", "splines are not carried over, and nothing that uses them"},
    {"STRING", "texts are not carried over"},
    {"SURFACE", "surfaces are not carried over"},
    {"TFSISO", "transfer functions are not carried over"},
    {"TIRE", "tyres are not carried over"},
    {"UCON", "constraints by subroutines are not carried over", true},
    {"WHEEL", "tyres are not carried over"}};

}  // namespace

std::vector<const Statement*> AdamsReader::all(const char* keyword) const {
  std::vector<const Statement*> found;
  for (const Statement& s : deck_.statements) {
    if (s.keyword == keyword) found.push_back(&s);
  }
  return found;
}

void AdamsReader::number_twice() const {
  std::map<std::string, int> seen;
  for (const Statement& s : deck_.statements) {
    if (!s.has_id) continue;
    const auto [at, fresh] = seen.emplace(s.id_text(), s.line);
    if (!fresh) s.refuse("stands for the second time; the first stands in line " + std::to_string(at->second));
  }
}

void AdamsReader::read() {
  sdk::refuse_loops(request_);
  number_twice();
  for (const char* keyword : {"FLEX_BODY", "FE_PART"}) {
    for (const Statement* s : all(keyword))
      s->refuse("a flexible body, without which the model is not the one that was meant");
  }
  model_.title = deck_.title.empty() ? "deck" : deck_.title;
  model_.duration = given_.duration;
  parts();
  gravity();
  variables();
  for (const Statement* s : all("JOINT")) joint(*s);
  for (const Statement* s : all("JPRIM")) primitive(*s);
  for (const Statement* s : all("COUPLER")) coupler(*s);
  for (const Statement* s : all("GEAR")) gear(*s);
  for (const Statement* s : all("MOTION")) motion(*s);
  for (const Statement* s : all("SPRINGDAMPER")) spring(*s);
  for (const Statement* s : all("BUSHING")) bushing(*s);
  for (const Statement* s : all("SFORCE")) single(*s);
  for (const char* keyword : {"VFORCE", "VTORQUE", "GFORCE"}) {
    for (const Statement* s : all(keyword)) components(*s);
  }
  for (const Statement* s : all("GRAPHICS")) graphics(*s);
  if (given_.markers) marker_points();
  rest();
  sdk::settle_model(model_, notes_);
  writer_.write();
}

void AdamsReader::gravity() {
  const std::vector<const Statement*> found = all("ACCGRAV");
  if (found.size() > 1) found[1]->refuse("a second ACCGRAV");
  model_.gravity.setZero();
  if (found.empty()) {
    model_.gravity_comment = "the deck has no ACCGRAV";
    return;
  }
  const Statement& s = *found[0];
  model_.gravity =
      Eigen::Vector3d(s.number("IGRAV", 0), s.number("JGRAV", 0), s.number("KGRAV", 0)) * units_.acceleration();
}

void AdamsReader::variables() {
  for (const Statement* s : all("VARIABLE")) {
    const std::string text = s->expression("FUNCTION");
    if (text.empty()) {
      s->ignore();
      lose(*s, "it has no FUNCTION");
      continue;
    }
    s->ignore({"IC", "FUNCTION"});
    variables_[s->id] = parse_expression(text, s->place());
    notes_.remark(s->place(), s->words() + " stands in the formulas that use it");
  }
}

/// What no other part asked for.
void AdamsReader::rest() {
  std::set<std::string> carried = {"PART",     "POINT_MASS",   "MARKER",  "JOINT",    "JPRIM",  "COUPLER", "GEAR",
                                   "MOTION",   "SPRINGDAMPER", "BUSHING", "SFORCE",   "VFORCE", "VTORQUE", "GFORCE",
                                   "GRAPHICS", "UNITS",        "ACCGRAV", "VARIABLE", "END",    "ADAMS",   "TITLE"};
  if (deck_.behind_end > 0)
    notes_.lost({deck_.file, deck_.behind_end, ""}, "what stands here, behind END, and after it: a deck ends with END");
  for (const Statement& s : deck_.statements) {
    if (carried.count(s.keyword) > 0) {
      if (s.keyword != "UNITS" && s.keyword != "END" && s.keyword != "ADAMS" && s.keyword != "TITLE")
        s.report_unread(notes_);
      continue;
    }
    const auto* known =
        std::find_if(std::begin(lost), std::end(lost), [&](const Lost& l) { return s.keyword == l.keyword; });
    if (known != std::end(lost) && known->constraint)
      miss(s, known->why);
    else
      lose(s, known == std::end(lost) ? "a statement that is unknown here" : known->why);
  }
}

const AdamsReader::Marker& AdamsReader::marker(int id, const Statement& user) const {
  const auto found = markers_.find(id);
  if (found == markers_.end()) user.refuse("there is no MARKER/" + std::to_string(id));
  return found->second;
}

FindMarker AdamsReader::finder(const Statement& user) const {
  return [this, &user](int id) { return id == 0 ? MarkerPlace{} : marker(id, user).place; };
}

Translator AdamsReader::translator(Measures& measures, const Statement& user) const {
  return {units_, measures, [this, &user](int id) -> const Expression& {
            const auto found = variables_.find(id);
            if (found != variables_.end()) return found->second;
            for (const Statement& s : deck_.statements) {
              if (s.keyword == "VARIABLE" && s.id == id)
                throw NotCarried{"VARIABLE/" + std::to_string(id) + " is lost"};
            }
            user.refuse("there is no VARIABLE/" + std::to_string(id));
          }};
}

std::string AdamsReader::function_json(const Formula& f, const std::vector<double>& breaks) {
  if (f.value) return sdk::json_number(*f.value);
  sdk::JsonObject function;
  function.text("type", "expression").text("formula", f.text);
  if (!breaks.empty()) function.vector("break_points", breaks);
  return function.str();
}

void AdamsReader::lose(const Statement& s, const std::string& why) {
  s.ignore();
  notes_.lost(s.place(), (s.name.empty() ? "" : "'" + s.name + "': ") + why);
}

void AdamsReader::miss(const Statement& s, const std::string& why) {
  s.ignore();
  notes_.unconstrained(s.place(), (s.name.empty() ? "" : "'" + s.name + "': ") + why);
}

bool AdamsImporter::recognises(const char* beginning, std::int64_t size) const {
  return looks_like_deck(std::string(beginning, static_cast<std::size_t>(size)));
}

bool AdamsImporter::read(const ImportRequest& request, ImportedFile& out, Refusal& refusal) const {
  return sdk::or_refuse(refusal, [&] { return AdamsReader(given_, request, out).read(), true; });
}

}  // namespace trammel::adams_deck
