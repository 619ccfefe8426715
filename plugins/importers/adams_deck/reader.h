// AdamsReader: one deck as a model.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "adams.h"
#include "deck.h"
#include "functions.h"
#include "marker_measures.h"
#include "trammel/sdk/import/write_model.h"
#include "units.h"

namespace trammel::adams_deck {

class AdamsReader {
 public:
  AdamsReader(const AdamsImporter::Parameters& given, const ImportRequest& request, ImportedFile& out)
      : given_(given),
        request_(request),
        notes_(out),
        out_(out),
        deck_(read_deck(request.file)),
        units_(units_of(deck_, notes_)),
        writer_(model_, notes_, out_) {}

  void read();

 private:
  struct Marker {
    const Statement* statement;
    MarkerPlace place;
  };
  /// A force as `six_component_force` writes it: on the second marker, along the axes of the first or of the second.
  struct Pair {
    MarkerPlace first, second;
    bool along_second;
  };

  // reader.cpp
  std::vector<const Statement*> all(const char* keyword) const;
  void number_twice() const;
  void gravity();
  void variables();
  void rest();
  const Marker& marker(int id, const Statement& user) const;
  FindMarker finder(const Statement& user) const;
  Translator translator(Measures& measures, const Statement& user) const;
  static std::string function_json(const Formula& f, const std::vector<double>& breaks);
  void lose(const Statement& s, const std::string& why);
  /// Of a constraint: without it the model moves as the deck does not let it.
  void miss(const Statement& s, const std::string& why);
  sdk::ModelWriter::OnBody on_body(const MarkerPlace& m) const { return writer_.on_body(m.part, m.frame); }
  // reader_parts.cpp
  void parts();
  void part(const Statement& s);
  void read_markers();
  sdk::Frame frame_of(const Statement& s, const char* origin, const char* z_point, const char* x_point) const;
  void masses();
  void mass(const Statement& s, int link);
  void velocities(const Statement& s, int link, const sdk::Frame& centre);
  void marker_points();
  void graphics(const Statement& s);
  // reader_joints.cpp
  void joint(const Statement& s);
  void rack_and_pinion(const Statement& s, const Marker& pinion, const Marker& rack);
  void constant_velocity(const Statement& s, const Marker& i, const Marker& j);
  void initial_conditions(const Statement& s, const sdk::Joint& joint);
  void primitive(const Statement& s);
  void miss_joint(const Statement& s, int id);
  void motion(const Statement& s);
  void drive(const Statement& s, const Marker& i, const Marker& j, bool turns, int axis);
  void coupler(const Statement& s);
  void gear(const Statement& s);
  sdk::ImportElement& element(const Statement& s, bool constraint, const char* type, const Marker& first,
                              const Marker& second);
  // reader_forces.cpp
  void spring(const Statement& s);
  void bushing(const Statement& s);
  void single(const Statement& s);
  bool single_on_line(const Statement& s, const Expression& e, const Marker& i, const Marker& j, bool turns);
  void components(const Statement& s);
  bool pair_of(const Statement& s, const MarkerPlace& on, const MarkerPlace& reaction, const MarkerPlace& axes,
               Pair& pair);
  sdk::ImportElement& six_components(const Statement& s, const Pair& pair);

  const AdamsImporter::Parameters& given_;
  const ImportRequest& request_;
  sdk::ImportNotes notes_;
  ImportedFile& out_;
  Deck deck_;
  Units units_;
  sdk::ImportModel model_;
  sdk::ModelWriter writer_;
  std::map<int, int> parts_;  ///< number in the deck to link
  std::map<int, Marker> markers_;
  std::map<int, Expression> variables_;
  std::map<int, std::pair<const Statement*, std::string>> joints_;  ///< that are in the model, with their names
};

}  // namespace trammel::adams_deck
