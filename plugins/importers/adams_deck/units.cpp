// UNITS statements. Conversions are exact by definition: international yard and pound, standard gravity.
#include "units.h"

#include <cmath>

namespace trammel::adams_deck {
namespace {

struct Named {
  const char* name;
  double in_si;
};
constexpr double pound = 0.45359237, standard_gravity = 9.80665, inch = 0.0254;
constexpr double pound_force = pound * standard_gravity;
constexpr Named lengths[] = {{"METER", 1},         {"M", 1},
                             {"MILLIMETER", 1e-3}, {"MM", 1e-3},
                             {"CENTIMETER", 1e-2}, {"CM", 1e-2},
                             {"KILOMETER", 1e3},   {"KM", 1e3},
                             {"INCH", inch},       {"FOOT", 12 * inch},
                             {"YARD", 36 * inch},  {"MILE", 63360 * inch},
                             {"MICROMETER", 1e-6}, {"NANOMETER", 1e-9}};
constexpr Named masses[] = {{"KILOGRAM", 1},
                            {"KG", 1},
                            {"GRAM", 1e-3},
                            {"MILLIGRAM", 1e-6},
                            {"MEGAGRAM", 1e3},
                            {"TONNE", 1e3},
                            {"POUND_MASS", pound},
                            {"OUNCE_MASS", pound / 16},
                            {"KPOUND_MASS", 1e3 * pound},
                            {"US_TON", 2e3 * pound},
                            {"SLUG", pound_force / (12 * inch)},
                            {"SLINCH", pound_force / inch}};
constexpr Named times[] = {{"SECOND", 1},         {"SEC", 1},     {"MILLISECOND", 1e-3},
                           {"MICROSECOND", 1e-6}, {"MINUTE", 60}, {"HOUR", 3600}};
constexpr Named forces[] = {{"NEWTON", 1},
                            {"N", 1},
                            {"KNEWTON", 1e3},
                            {"KILONEWTON", 1e3},
                            {"MEGANEWTON", 1e6},
                            {"CENTINEWTON", 1e-2},
                            {"MILLINEWTON", 1e-3},
                            {"DYNE", 1e-5},
                            {"KILOGRAM_FORCE", standard_gravity},
                            {"POUND_FORCE", pound_force},
                            {"OUNCE_FORCE", pound_force / 16},
                            {"KPOUND_FORCE", 1e3 * pound_force},
                            {"POUNDAL", pound * 12 * inch}};

template <std::size_t N>
bool read_unit(const Statement& statement, const char* key, const Named (&table)[N], double& out) {
  const std::string word = upper_case(statement.text(key));
  if (word.empty()) return false;
  std::string all;
  for (const Named& unit : table) {
    if (word == unit.name) return out = unit.in_si, true;
    all += (all.empty() ? "" : ", ") + std::string(unit.name);
  }
  statement.refuse("'" + word.substr(0, 40) + "' is no unit of " + key + " that is known here: " + all);
}

}  // namespace

Units units_of(const Deck& deck, sdk::ImportNotes& notes) {
  Units units;
  const Statement* found = nullptr;
  for (const Statement& s : deck.statements) {
    if (s.keyword != "UNITS") continue;
    if (found != nullptr) s.refuse("a second UNITS statement; the first stands in line " + std::to_string(found->line));
    found = &s;
  }
  if (found == nullptr) {
    notes.remark({deck.file, 0, ""}, "has no UNITS: its numbers are taken as m, kg, s, N");
    return units;
  }
  const std::string system = upper_case(found->text("SYSTEM"));
  if (system == "MMKS" || system == "CGS") {
    units.length = system == "CGS" ? 1e-2 : 1e-3;
    if (system == "CGS") units.mass = 1e-3, units.force = 1e-5;
  } else if (!system.empty() && system != "MKS") {
    found->refuse("SYSTEM=" + system.substr(0, 40) + " is not read; write LENGTH, MASS, FORCE and TIME");
  }
  const bool length = read_unit(*found, "LENGTH", lengths, units.length),
             mass = read_unit(*found, "MASS", masses, units.mass), time = read_unit(*found, "TIME", times, units.time),
             force = read_unit(*found, "FORCE", forces, units.force);
  if (system.empty() && !(length && mass && time && force))
    notes.remark(found->place(), "units that it does not name are taken as m, kg, s, N");
  const double constant = found->number("GC", 0) + found->number("UCF", 0);
  if (constant != 0) {
    if (!(constant > 0)) found->refuse("the constant of units must be above zero");
    if (!force) {
      units.force = units.mass * units.length / (units.time * units.time) * constant;
    } else if (std::abs(constant * units.mass * units.length / (units.time * units.time) / units.force - 1) > 1e-3) {
      found->refuse("its constant of units does not go with its units of force, mass, length and time");
    }
  }
  found->report_unread(notes);
  return units;
}

}  // namespace trammel::adams_deck
