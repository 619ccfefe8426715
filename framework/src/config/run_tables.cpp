// Parameter tables of the parts of a run file that belong to no plugin: analysis, output, points, shapes.
#include <cmath>
#include <cstddef>

#include "config/run_file.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

// clang-format off: an entry a line or two
constexpr ParameterRecord analysis_records[] = {
    {.name = "type",
     .type = ParameterType::choice,
     .offset = offsetof(AnalysisOptions, type),
     .unit = "1",
     .description = "Type of the analysis; plugins bring others (trammel describe analysis/TYPE).",
     .choices = "assembly|kinematics|inverse_dynamics|dynamics|equilibrium|modes"},
    {.name = "duration",
     .type = ParameterType::number,
     .offset = offsetof(AnalysisOptions, duration),
     .unit = "s",
     .description =
         "Simulated time; required by dynamics, kinematics, inverse_dynamics and by analyses of plugins over time.",
     .minimum = 0,
     .exclusive_minimum = true,
     .optional = true},
    {.name = "constraint_limit",
     .type = ParameterType::number,
     .offset = offsetof(AnalysisOptions, constraint_limit),
     .unit = "m or rad",
     .description = "Largest constraint violation tolerated at an accepted step.",
     .minimum = 0,
     .exclusive_minimum = true,
     .optional = true},
    {.name = "correction_limit",
     .type = ParameterType::number,
     .offset = offsetof(AnalysisOptions, correction_limit),
     .unit = "m or rad",
     .description = "Largest correction of the initial positions that is accepted.",
     .minimum = 0,
     .optional = true},
    {.name = "method",
     .type = ParameterType::choice,
     .offset = offsetof(AnalysisOptions, method),
     .unit = "1",
     .description = "Method that finds an equilibrium; minimum_potential if left out of analyses of type equilibrium.",
     .optional = true,
     .choices = "minimum_potential|settling|newton"},
    {.name = "at",
     .type = ParameterType::choice,
     .offset = offsetof(AnalysisOptions, at),
     .unit = "1",
     .description = "State at which modes are computed.",
     .default_json = "\"initial\"",
     .choices = "initial|equilibrium"},
    {.name = "determine",
     .type = ParameterType::choice,
     .offset = offsetof(AnalysisOptions, determine),
     .unit = "1",
     .description = "Part of the initial state that constraints and conditions must determine uniquely.",
     .default_json = "\"none\"",
     .choices = "none|positions|velocities|state"},
    {.name = "start",
     .type = ParameterType::choice,
     .offset = offsetof(AnalysisOptions, start),
     .unit = "1",
     .description = "Initial positions: those of the run file, or the static equilibrium that is found from these.",
     .default_json = "\"given\"",
     .choices = "given|equilibrium"},
    {.name = "damping",
     .type = ParameterType::number,
     .offset = offsetof(AnalysisOptions, damping),
     .unit = "1/s",
     .description = "Artificial damping of method settling: the force -damping M v.",
     .default_json = "2",
     .minimum = 0},
    {.name = "velocity_tolerance",
     .type = ParameterType::number,
     .offset = offsetof(AnalysisOptions, velocity_tolerance),
     .unit = "m/s or rad/s",
     .description = "Largest velocity at which the method settling takes the system to be at rest.",
     .default_json = "1e-6",
     .minimum = 0,
     .exclusive_minimum = true},
    {.name = "acceleration_tolerance",
     .type = ParameterType::number,
     .offset = offsetof(AnalysisOptions, acceleration_tolerance),
     .unit = "m/s^2 or rad/s^2",
     .description =
         "Largest acceleration at rest in an equilibrium; if left out, 1e-6 for settling, 1e-9 for the other methods.",
     .minimum = 0,
     .exclusive_minimum = true,
     .optional = true},
    {.name = "optimizer",
     .type = ParameterType::choice,
     .offset = offsetof(AnalysisOptions, optimizer),
     .unit = "1",
     .description = "Optimizer of the method minimum_potential: dfp (Davidon, Fletcher and Powell), or lbfgs of NLopt.",
     .default_json = "\"dfp\"",
     .choices = "dfp|lbfgs"},
    {.name = "matrices",
     .type = ParameterType::boolean,
     .offset = offsetof(AnalysisOptions, matrices),
     .unit = "1",
     .description = "Analyses of type modes also write the state-space matrices.",
     .default_json = "false"},
};

/// What the table of `output` fills; `channels` is read by hand (section_keys.h).
struct OutputFields {
  double step;
  std::int32_t at;
};
constexpr ParameterRecord output_records[] = {
    {.name = "step",
     .type = ParameterType::number,
     .offset = offsetof(OutputFields, step),
     .unit = "s",
     .description = "Time between two rows of the results.",
     .minimum = 0,
     .exclusive_minimum = true,
     .optional = true},
    {.name = "at",
     .type = ParameterType::choice,
     .offset = offsetof(OutputFields, at),
     .unit = "1",
     .description = "A row at every accepted step, as if both keys are left out; give either step or at.",
     .optional = true,
     .choices = "steps"},
};

struct PointFields {
  BodyRef body;
  double point[3];
  double rotation[4];
  double angle;
};
constexpr ParameterRecord point_records[] = {
    {.name = "body",
     .type = ParameterType::body,
     .offset = offsetof(PointFields, body),
     .unit = "1",
     .description = "Body the point belongs to."},
    {.name = "point",
     .type = ParameterType::vector,
     .offset = offsetof(PointFields, point),
     .unit = "m",
     .description = "Body-fixed coordinates, from the centre of mass."},
    {.name = "rotation",
     .type = ParameterType::rotation,
     .offset = offsetof(PointFields, rotation),
     .unit = "1",
     .description = "Spatial: the point's own axes to the body's axes; the body's axes if left out.",
     .optional = true},
    {.name = "angle",
     .type = ParameterType::number,
     .offset = offsetof(PointFields, angle),
     .unit = "rad",
     .description = "Planar: of the point's x axis in the body.",
     .optional = true},
};

/// Axes of a point to body axes, by rows.
std::array<double, 9> axes_of(const PointFields& fields, Host host) {
  if (host == Host::planar) {
    const double angle = given(fields.angle) ? fields.angle : 0, c = std::cos(angle), s = std::sin(angle);
    return {c, -s, 0, s, c, 0, 0, 0, 1};
  }
  const double *p = fields.rotation, e0 = p[0], x = p[1], y = p[2], z = p[3];
  return {e0 * e0 + x * x - y * y - z * z, 2 * (x * y - e0 * z), 2 * (x * z + e0 * y), 2 * (x * y + e0 * z),
          e0 * e0 - x * x + y * y - z * z, 2 * (y * z - e0 * x), 2 * (x * z - e0 * y), 2 * (y * z + e0 * x),
          e0 * e0 - x * x - y * y + z * z};
}

/// Every shape is checked, never filled: pictures are drawn from the JSON.
constexpr ParameterRecord optional(ParameterRecord record) {
  record.optional = true;
  return record;
}
constexpr ParameterRecord shape_vector(const char* name, const char* description) {
  return {.name = name, .type = ParameterType::vector, .offset = 0, .unit = "m", .description = description};
}
constexpr ParameterRecord shape_length(const char* name, const char* description) {
  return {.name = name,
          .type = ParameterType::number,
          .offset = 0,
          .unit = "m",
          .description = description,
          .minimum = 0,
          .exclusive_minimum = true};
}
constexpr ParameterRecord shape_color = {.name = "color",
                                         .type = ParameterType::text,
                                         .offset = 0,
                                         .unit = "1",
                                         .description = "Colour as in HTML: #rrggbb or a name.",
                                         .optional = true};

constexpr ParameterRecord rod_records[] = {shape_vector("from", "One end, body-fixed."),
                                           shape_vector("to", "Other end, body-fixed."),
                                           optional(shape_length("radius", "Half the thickness.")), shape_color};
constexpr ParameterRecord cylinder_records[] = {shape_vector("from", "Centre of one end face, body-fixed."),
                                                shape_vector("to", "Centre of the other end face, body-fixed."),
                                                shape_length("radius", "Radius."), shape_color};
constexpr ParameterRecord shape_center =
    optional(shape_vector("center", "Centre, body-fixed; the centre of mass if left out."));
constexpr ParameterRecord box_records[] = {shape_vector("size", "Edge lengths along the body's axes."), shape_center,
                                           shape_color};
constexpr ParameterRecord sphere_records[] = {shape_length("radius", "Radius."), shape_center, shape_color};
constexpr ParameterRecord disc_records[] = {
    shape_length("radius", "Radius."),
    optional(shape_length("thickness", "Along the axis; a tenth of the radius if left out.")),
    shape_center,
    {.name = "axis",
     .type = ParameterType::direction,
     .offset = 0,
     .unit = "1",
     .description = "Direction it is round about, body-fixed; z if left out.",
     .optional = true,
     .length = VectorLength::three},
    shape_color};
constexpr ParameterRecord mesh_records[] = {
    {.name = "file",
     .type = ParameterType::file,
     .offset = 0,
     .unit = "1",
     .description = "STL or OBJ file; its triangles are drawn."},
    {.name = "scale",
     .type = ParameterType::numbers,
     .offset = 0,
     .unit = "1",
     .description = "Metres per unit of the file, one number or one for each axis; 1 if left out.",
     .optional = true,
     .count_min = 1,
     .count_max = 3},
    optional(shape_vector("center", "Origin of the file's axes, body-fixed; the centre of mass if left out.")),
    {.name = "rotation",
     .type = ParameterType::rotation,
     .offset = 0,
     .unit = "1",
     .description = "The file's axes to the body's axes; the body's axes if left out.",
     .optional = true},
    shape_color};
constexpr ParameterRecord line_records[] = {
    {.name = "points",
     .type = ParameterType::numbers,
     .offset = 0,
     .unit = "m",
     .description = "Corners, body-fixed: x y z (planar: x y) of one after the other.",
     .count_min = 4},
    {.name = "closed",
     .type = ParameterType::boolean,
     .offset = 0,
     .unit = "1",
     .description = "Whether the last corner is joined to the first.",
     .default_json = "false"},
    shape_color};

template <std::size_t n>
ParameterTable table_of(const ParameterRecord (&records)[n], std::size_t size = 0) {
  return {records, static_cast<std::int32_t>(n), static_cast<std::uint32_t>(size), alignof(double)};
}

void check_one_shape(const Node& shape, const std::string& path, Host host, Problems& problems) {
  if (!shape.is_object()) {
    return problems.add(shape.place, path, "must be an object {\"type\": ...}, not " + describe(shape));
  }
  const Node* type = shape.find("type");
  if (type == nullptr || !type->is_text()) {
    return problems.add(type == nullptr ? shape.place : type->place, path, "a shape needs a \"type\", a text");
  }
  std::vector<std::string> known;
  for (const ShapeType& candidate : shape_types()) {
    known.push_back(candidate.type);
    if (candidate.type != type->text) continue;
    BindContext context;
    context.path = path;
    context.subject = "a shape of type '" + type->text + "'";
    context.host = host;
    return check(parameter_infos(candidate.table), shape, context, problems);
  }
  problems.add(type->place, path + "/type", "there is no shape '" + type->text + "'" + did_you_mean(type->text, known));
}

// clang-format on

}  // namespace

ParameterTable analysis_table() { return table_of(analysis_records, sizeof(AnalysisOptions)); }
ParameterTable output_table() { return table_of(output_records, sizeof(OutputFields)); }
ParameterTable point_table() { return table_of(point_records, sizeof(PointFields)); }

std::vector<ShapeType> shape_types() {
  return {{"rod", table_of(rod_records)},   {"cylinder", table_of(cylinder_records)},
          {"box", table_of(box_records)},   {"sphere", table_of(sphere_records)},
          {"disc", table_of(disc_records)}, {"line", table_of(line_records)},
          {"mesh", table_of(mesh_records)}, {"none", {nullptr, 0, 0, 1}}};
}

void check_ground(const Node& ground, const std::string& path, Host host, Problems& problems) {
  if (!ground.is_object()) return problems.add(ground.place, path, "must be an object, not " + describe(ground));
  for (const Member& member : ground.members) {
    if (member.key == "shape")
      check_shape(member.value, path + "/shape", host, problems);
    else
      problems.add(member.place, path + "/" + member.key, "unknown key for the ground; it has a 'shape' only");
  }
}

void check_shape(const Node& shape, const std::string& path, Host host, Problems& problems) {
  if (!shape.is_array()) return check_one_shape(shape, path, host, problems);
  for (std::size_t i = 0; i < shape.items.size(); ++i) {
    check_one_shape(shape.items[i], path + "/" + std::to_string(i), host, problems);
  }
}

NameResolver::NameResolver(const RunFile& run, Host host, Problems& all_problems)
    : run_(run),
      body_table_(name_table(run.bodies)),
      point_table_(name_table(run.points)),
      constraint_table_(name_table(run.constraints)) {
  // Without a host (a system that is not there, or has no bodies) nobody knows how long a point's vector is.
  Problems untold;
  Problems& problems = host == Host::any ? untold : all_problems;
  for (const Section& section : run.points) {
    BindContext context = bind_context(run, section, host, this);
    context.subject = "a point";
    context.other_keys = {"name"};
    const std::size_t before = problems.size();
    const BoundParameters bound = bind(point_table(), *section.node, context, problems);
    PointRef point;
    axes_.push_back({1, 0, 0, 0, 1, 0, 0, 0, 1});
    const char* const wrong = host == Host::planar ? "rotation" : "angle";
    if (const Node* other = section.node->is_object() ? section.node->find(wrong) : nullptr; other != nullptr) {
      problems.add(other->place, section.path + "/" + wrong,
                   host == Host::planar ? "a planar point has an 'angle'" : "a spatial point has a 'rotation'");
    }
    if (problems.size() == before) {
      const PointFields& fields = bound.as<PointFields>();
      point.body = fields.body;
      axes_.back() = axes_of(fields, host);
      for (int k = 0; k < 3; ++k) point.local[k] = fields.point[k];
    }
    points_.push_back(point);
  }
}

}  // namespace trammel
