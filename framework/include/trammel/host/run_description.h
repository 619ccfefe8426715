// RunDescription: what a run file says, built or changed in code - then run, read back or saved.
//
//   RunDescription pendulum;
//   pendulum.system("planar").set("gravity", {0, -9.81});
//   pendulum.add_body("bob").mass(1).inertia(0.1).position({1, 0});
//   pendulum.add_constraint("pin", "revolute", {"ground", "bob"}).set("at", {0, 0});
//   pendulum.analysis("dynamics").set("duration", 5);
//   pendulum.formulation("projection");
//   pendulum.integrator("dopri5").set("rtol", 1e-8).set("atol", 1e-10);
//   Simulation simulation(pendulum);
//
// The keys are those of run files: `trammel describe TYPE` lists them, `trammel schema` has all. Whether keys and
// values are right is decided where the description is run; messages give the JSON path as they do for files.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "trammel/error.h"

namespace trammel {

/// A value of a description, made from what it is written as: number, truth value, text, list of numbers or of texts,
/// object. A text that starts with '=' is a formula in the description's parameters, as in run files. Holds JSON text.
class Value {
 public:
  /// Takes integers and doubles, constants or not.
  struct Number {
    template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
    Number(T number) : value(static_cast<double>(number)) {}
    double value;
  };

  /// Throws Error(input) for NaN and infinity.
  Value(double number);
  template <class T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>, int> = 0>
  Value(T number) : Value(static_cast<double>(number)) {}
  template <class T, std::enable_if_t<std::is_same_v<T, bool>, int> = 0>
  Value(T truth) : json_(truth ? "true" : "false") {}
  Value(const char* text) : Value(std::string_view(text)) {}
  Value(const std::string& text) : Value(std::string_view(text)) {}
  Value(std::string_view text);
  /// {0, -9.81}
  Value(std::initializer_list<Number> numbers);
  Value(const std::vector<double>& numbers);
  Value(const std::vector<std::string>& texts);

  /// Value::object({{"type", "harmonic"}, {"amplitude", 2}})
  static Value object(std::initializer_list<std::pair<const char*, Value>> members);
  /// Any JSON text; mistakes in it are reported where it is set.
  static Value json(std::string text);

  const std::string& text() const { return json_; }

 private:
  Value() = default;
  std::string json_;
};

class RunDescription {
 public:
  /// One object of the description, for setting its keys. Valid as long as the description stays at its address, and
  /// not after `remove` took the object away.
  class Part {
   public:
    /// A key of this part; "spring.stiffness" goes on inside of it. Throws Error(input).
    Part& set(const std::string& key, const Value& value) {
      owner_->set(path_ + "." + key, value);
      return *this;
    }

   protected:
    friend class RunDescription;
    Part(RunDescription* owner, std::string path) : owner_(owner), path_(std::move(path)) {}

   private:
    RunDescription* owner_;
    std::string path_;
  };

  /// Planar bodies: positions and velocities of two numbers, angles and angular velocities of one; spatial ones: three.
  class Body : public Part {
   public:
    Body& mass(double kg) { return put("mass", kg); }
    /// About the centre of mass, kg m^2: one number (planar), three principal moments, or xx yy zz xy xz yz.
    Body& inertia(const Value& moments) { return put("inertia", moments); }
    /// Of the centre of mass, m.
    Body& position(const Value& r) { return put("position", r); }
    /// Planar, rad.
    Body& angle(double phi) { return put("angle", phi); }
    /// Spatial: e0 first.
    Body& euler_parameters(const Value& p) { return put("rotation", Value::object({{"euler_parameters", p}})); }
    /// Spatial: by `angle` (rad) about `axis`, from the global frame.
    Body& rotation(const Value& axis, double angle) {
      return put("rotation", Value::object({{"axis", axis}, {"angle", angle}}));
    }
    /// Of the centre of mass, m/s.
    Body& velocity(const Value& v) { return put("velocity", v); }
    /// rad/s, in the global frame.
    Body& angular_velocity(const Value& omega) { return put("angular_velocity", omega); }

   private:
    friend class RunDescription;
    using Part::Part;
    Body& put(const char* key, const Value& value) {
      set(key, value);
      return *this;
    }
  };

  /// An empty description; `name` stands for the file name in messages. Relative paths in it start at the folder that
  /// is current when it is run, unless `folder` says otherwise.
  explicit RunDescription(const std::string& name = "description");
  /// The text of a run file; `name` as above. Throws Error(input): malformed text, with its line.
  static RunDescription from_text(std::string_view json, const std::string& name = "description");
  /// A run file as it is, expressions and all. Relative paths start at its folder.
  static RunDescription from_file(const std::filesystem::path& file);
  ~RunDescription();
  RunDescription(const RunDescription& other);
  RunDescription& operator=(const RunDescription& other);
  /// What was moved from can be assigned to; all else throws Error(usage).
  RunDescription(RunDescription&&) noexcept;
  RunDescription& operator=(RunDescription&&) noexcept;

  /// Sets what a dotted path ("system.bodies.crank.mass", array entries as numbers from 0) leads to. Missing objects on
  /// the way are made, except bodies, points, constraints and forces: a body that does not exist has no mass. Throws
  /// Error(input) for a path that cannot be followed.
  RunDescription& set(const std::string& path, const Value& value);
  /// Takes a key away. Throws Error(input) if it is not there.
  RunDescription& remove(const std::string& path);
  /// JSON text of what a path leads to, of everything for "". Throws Error(input) if there is nothing.
  std::string get(const std::string& path = "") const;
  /// Writes a run file. Throws Error(compute) if it cannot be written.
  void save(const std::filesystem::path& file) const;
  RunDescription& folder(const std::filesystem::path& where);

  RunDescription& title(const std::string& text) { return set("title", text); }
  /// For formulas ("=2*L") anywhere in the description.
  RunDescription& parameter(const std::string& name, const Value& value) { return set("parameters." + name, value); }
  /// The sections; each makes a new section of this type and gives it for its other keys.
  Part system(const std::string& type) { return section("system", type); }
  Part analysis(const std::string& type) { return section("analysis", type); }
  Part formulation(const std::string& type) { return section("formulation", type); }
  Part integrator(const std::string& type) { return section("integrator", type); }
  /// Rows of results.csv every `step` seconds.
  RunDescription& output(double step, const std::vector<std::string>& channels = {});

  /// Parts of a model, after `system`. Throw Error(input) if there is one of this name and kind already.
  Body add_body(const std::string& name);
  /// A point fixed in a body ("ground" too), in body axes, m.
  Part add_point(const std::string& name, const std::string& body, const Value& point);
  /// Empty `bodies`: set what the type asks for instead (`body`, ...).
  Part add_constraint(const std::string& name, const std::string& type, const std::vector<std::string>& bodies = {});
  Part add_force(const std::string& name, const std::string& type, const std::vector<std::string>& bodies = {});

 private:
  friend class Simulation;
  friend class Mechanics;
  struct State;
  Part section(const std::string& name, const std::string& type);
  std::string add(const char* map, const std::string& name);
  Part add_element(const char* map, const std::string& name, const std::string& type,
                   const std::vector<std::string>& bodies);

  std::unique_ptr<State> state_;
};

}  // namespace trammel
