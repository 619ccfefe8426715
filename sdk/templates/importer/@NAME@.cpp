// Plugin `@TYPE@`: reads models for `trammel import`. EDIT: of which program.
//
//   # comment                       a line each; blanks separate words, lengths in m, masses in kg
//   gravity GX GY GZ
//   mass NAME M X Y Z               a point mass and where it stands
//   rod NAME A B                    holds the distance of two masses, or of a mass and `ground` (the origin)
#include <trammel/importer.h>
#include <trammel/sdk/import/json_text.h>
#include <trammel/sdk/import/names.h>
#include <trammel/sdk/import/notes.h>
#include <trammel/sdk/plugin.h>
#include <trammel/sdk/refuse.h>

#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

namespace {

using namespace trammel;

class @CLASS@ final : public Importer {
 public:
  struct Parameters {  // EDIT: what users give with --set
    double duration;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, duration, "s", "Duration of the run.").above(0).otherwise("2"));

  explicit @CLASS@(const Parameters& p) : duration_(p.duration) {}

  const char* file_endings() const override { return "masses"; }  // EDIT
  bool recognises(const char* text, std::int64_t size) const override {
    return std::string_view(text, static_cast<std::size_t>(size)).rfind("# masses", 0) == 0;  // EDIT
  }
  bool read(const ImportRequest& request, ImportedFile& out, Refusal& refusal) const override {
    return sdk::or_refuse(refusal, [&] {
      Reader(request.file, duration_, out).read();
      return true;
    });
  }

 private:
  using Vector = std::array<double, 3>;

  /// EDIT: one file. What it cannot read as a whole it refuses, what it leaves out it notes.
  class Reader {
   public:
    Reader(const char* file, double duration, ImportedFile& out) : duration_(duration), out_(out), notes_(out) {
      place_.file = file;
    }
    void read() {
      std::ifstream stream(place_.file);
      if (!stream) sdk::refuse_file(place_, "cannot be read");
      put("/system/type", sdk::json_text("spatial"));
      std::string text;
      while (std::getline(stream, text)) {
        ++place_.line;
        words_ = std::istringstream(text.substr(0, text.find('#')));
        if (words_ >> place_.tag) statement();
      }
      place_.line = 0, place_.tag.clear();
      if (masses_.empty()) sdk::refuse_file(place_, "has no mass");
      put("/system/gravity", sdk::json_numbers(gravity_, 3));
      put("/analysis", sdk::JsonObject().text("type", "dynamics").number("duration", duration_).str());
    }

   private:
    void statement() {
      if (place_.tag == "gravity") {
        gravity_ = vector();
      } else if (place_.tag == "mass") {
        const std::string name = word();
        const double mass = number();
        const Vector position = vector();
        if (!(mass > 0)) sdk::refuse_file(place_, "a mass must be positive");
        if (!masses_.emplace(name, Mass{names_.take(name, "mass", "mass"), position}).second)
          sdk::refuse_file(place_, "there are two masses '" + name + "'");
        sdk::JsonObject body;
        body.text("type", "point_mass").number("mass", mass).vector("position", position);
        put("/system/bodies/" + masses_[name].name, body.str());
      } else if (place_.tag == "rod") {
        const std::string name = names_.take(word(), "rod", "rod");
        const Mass a = mass(word()), b = mass(word());
        sdk::JsonObject rod;
        rod.text("type", "distance").texts("bodies", {a.name, b.name});
        rod.vector("point_i", Vector{}).vector("point_j", Vector{});
        put("/system/constraints/" + name, rod.number("length", distance(a.position, b.position)).str());
      } else {
        notes_.lost(place_, "unknown statement left out");
        return;
      }
      if (std::string rest; words_ >> rest) sdk::refuse_file(place_, "nothing may follow, found '" + rest + "'");
    }

    struct Mass {
      std::string name;  ///< in the run file
      Vector position;
    };
    Mass mass(const std::string& name) {
      if (name == "ground") return {"ground", {}};
      const auto found = masses_.find(name);
      if (found == masses_.end()) sdk::refuse_file(place_, "there is no mass '" + name + "' above");
      return found->second;
    }
    static double distance(const Vector& a, const Vector& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }
    std::string word() {
      std::string text;
      if (!(words_ >> text)) sdk::refuse_file(place_, "a name is missing");
      return text;
    }
    double number() {
      double value = 0;
      if (!(words_ >> value) || !std::isfinite(value)) sdk::refuse_file(place_, "a number is missing");
      return value;
    }
    Vector vector() {
      Vector v;
      for (double& x : v) x = number();
      return v;
    }
    void put(const std::string& path, const std::string& json) { out_.put(path.c_str(), json.c_str(), ""); }

    double duration_;
    ImportedFile& out_;
    sdk::ImportNotes notes_;
    sdk::ImportPlace place_;
    sdk::ImportNames names_;
    std::istringstream words_;
    Vector gravity_{0, 0, -9.81};
    std::map<std::string, Mass> masses_;
  };

  double duration_;
};

}  // namespace

TRAMMEL_PLUGIN("@TYPE@", "0.1.0", "BSD-3-Clause",
               component<@CLASS@>(Host::any, "@TYPE@", "Point masses and rods between them.", ""));
