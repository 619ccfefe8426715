// Matrices of models that are random, or hard for a linear solver.
#include "check/solver_bench.h"

#include <sys/resource.h>
#include <unistd.h>

#include <Eigen/LU>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "config/json_source.h"
#include "trammel/math/kkt_entries.h"

namespace trammel::conformance {
namespace {

template <class T>
std::vector<T> copied(const T* data, std::ptrdiff_t count) {
  return data == nullptr ? std::vector<T>() : std::vector<T>(data, data + count);
}

std::string solver_run_file(const std::string& system, const std::string& solver) {
  return "{ \"trammel\": 2, \"system\": " + system +
         ",\n\"analysis\": { \"type\": \"assembly\", \"solver\": " + solver + " } }\n";
}

std::string numbers(Random& random, Index count, double size) {
  std::string text = "[";
  for (Index i = 0; i < count; ++i) text += fmt::format("{}{:.6f}", i == 0 ? "" : ", ", uniform(random, -size, size));
  return text + "]";
}

}  // namespace

OwnMatrix::OwnMatrix(const KktMatrix& matrix) : k_(matrix) {
  std::ptrdiff_t full = 0, reduced = 0, weight = 0;
  for (const JacobianBlock* b = k_.blocks; b != k_.blocks + k_.block_count; ++b) {
    full = std::max<std::ptrdiff_t>(full, b->offset + b->rows * k_.coordinates);
    reduced = std::max<std::ptrdiff_t>(reduced, b->reduced_offset + b->rows * b->reduced_columns);
  }
  for (Index b = 0; b < k_.bodies; ++b) weight += static_cast<std::ptrdiff_t>(k_.width(b)) * k_.width(b);
  Phi_q_ = copied(k_.Phi_q, full), reduced_ = copied(k_.reduced, reduced);
  intrinsic_ = copied(k_.intrinsic, static_cast<std::ptrdiff_t>(k_.intrinsic_rows) * k_.coordinates);
  weight_ = copied(k_.weight, weight);
  dropped_.assign(static_cast<std::size_t>(rows()), 0);
  if (k_.dropped != nullptr) std::copy(k_.dropped, k_.dropped + k_.rows, dropped_.begin());
  states_ = copied(static_cast<const char*>(k_.states), static_cast<std::ptrdiff_t>(k_.bodies) * k_.state_bytes);
  k_.Phi_q = Phi_q_.data(), k_.reduced = reduced_.data(), k_.intrinsic = intrinsic_.data();
  k_.weight = weight_.data(), k_.dropped = dropped_.data(), k_.states = states_.data();
}

void OwnMatrix::spoil(double value) {
  for (auto* numbers : {&Phi_q_, &reduced_, &weight_}) {
    if (!numbers->empty()) numbers->front() = value;
  }
}

Reference::Reference(const OwnMatrix& matrix, Random& random) {
  const KktMatrix& k = *matrix;
  const Index n = k.size(), m = matrix.rows();
  K.setZero(n + m, n + m);
  each_kkt_entry(k, [&](Index row, Index column, double value) { K(row, column) += value; });
  // A solution of moderate numbers, and the right-hand side that it belongs to.
  VectorXd right(n + m), solution = VectorXd::NullaryExpr(n + m, [&] { return uniform(random); });
  for (Index r = 0; r < m; ++r) {
    if (matrix.dropped(r)) solution[n + r] = 0;
  }
  right = K * solution;
  f = right.head(n), g = right.tail(m);
  const Eigen::PartialPivLU<MatrixXd> lu(K);
  VectorXd u = lu.solve(right);
  u += lu.solve(right - K * u);
  x = u.head(n), lambda = u.tail(m);
  for (Index r = 0; r < m; ++r) {
    if (matrix.dropped(r)) g[r] = uniform(random);  // of rows that are left out nobody looks at
  }
}

SolverBench::SolverBench(const std::filesystem::path& file, PluginHost& host)
    : model_(file, host, {"analysis.solver=auto"}) {
  if (model_.numbers != nullptr) leave_out_dependent_rows();
}

void SolverBench::leave_out_dependent_rows() {
  model_.numbers->evaluate(0, {model_.q.data(), static_cast<Index>(model_.q.size())}, {}, {}, evaluate_jacobian);
  model_.numbers->rank().choose_rows(1e-6);
}

const KktElements& SolverBench::elements() {
  RowsOnDemand& rows = model_.numbers->parts().point.rows;
  if (!rows.on()) rows.turn(true);
  return rows;
}

SolverBench::SolverBench(const std::string& system, PluginHost& host)
    : model_(write_run_file(solver_run_file(system, "\"auto\"")), host) {}

OwnMatrix SolverBench::matrix(Random& random) {
  std::vector<double> q = model_.q, v = model_.v;
  for (double& x : q) x += uniform(random, -0.02, 0.02);
  for (double& x : v) x += uniform(random, -0.2, 0.2);
  const auto view = [](std::vector<double>& x) { return VectorView{x.data(), static_cast<Index>(x.size())}; };
  require_ok(model_.numbers->evaluate(0, view(q), view(v), view(model_.z), evaluate_dynamics | evaluate_jacobian),
             "evaluating the kit's own model");
  ModelKkt& kkt = model_.numbers->parts().kkt;
  KktMatrix k = kkt.with_all_numbers();
  k.dropped = kkt.dropped().data();
  return OwnMatrix(k);
}

std::pair<Index, Index> SolverBench::rows_of(const std::string& constraint) const {
  for (const ConstraintSlot& slot : model_.model.assembly()->constraints) {
    if (slot.name == constraint) return {slot.first_row, slot.rows};
  }
  return {0, 0};
}

std::string random_system(Random& random, bool planar, bool mixed) {
  const int count = std::uniform_int_distribution<int>(4, 7)(random);
  const Index d = planar ? 2 : 3;
  std::string bodies, joints;
  std::vector<bool> rigid;
  for (int i = 0; i < count; ++i) {
    rigid.push_back(!mixed || i % 2 == 0);
    const double mass = std::exp(uniform(random, -2, 2));
    bodies += fmt::format("{}\"b{}\": {{ \"mass\": {:.6f}, \"position\": {}", i == 0 ? "" : ",\n", i, mass,
                          numbers(random, d, 2));
    if (!rigid.back())
      bodies += ", \"type\": \"point_mass\"";
    else if (planar)
      bodies += fmt::format(", \"inertia\": {:.6f}, \"angle\": {:.6f}", 0.3 * mass, uniform(random, -3, 3));
    else
      bodies += fmt::format(
          ", \"inertia\": [{0:.6f}, {1:.6f}, {1:.6f}], \"rotation\": {{ \"axis\": {2}, \"angle\": {3:.6f} }}",
          0.2 * mass, 0.3 * mass, numbers(random, 3, 1), uniform(random, -3, 3));
    bodies += " }";
    const int parent = std::uniform_int_distribution<int>(-1, i - 1)(random);
    const std::string to = parent < 0 ? "ground" : fmt::format("b{}", parent);
    const bool turns = rigid.back() && (parent < 0 || rigid[static_cast<std::size_t>(parent)]);
    joints += fmt::format("{}\"j{}\": {{ \"bodies\": [\"{}\", \"b{}\"], ", i == 0 ? "" : ",\n", i, to, i);
    joints +=
        turns ? fmt::format("\"type\": \"{}\", \"at\": {} }}", planar ? "revolute" : "spherical", numbers(random, d, 2))
              : std::string("\"type\": \"distance\" }");
  }
  // Rods that close loops, between bodies that no joint connects by chance.
  for (int i = 2; i < count; i += 2)
    joints += fmt::format(",\n\"rod{}\": {{ \"type\": \"distance\", \"bodies\": [\"b{}\", \"b{}\"]{} }}", i, i - 2, i,
                          mixed ? std::string() : ", \"point_j\": " + numbers(random, d, 0.3));
  return fmt::format("{{ \"type\": \"{}\", \"bodies\": {{\n{} }},\n\"constraints\": {{\n{} }} }}",
                     planar ? "planar" : "spatial", bodies, joints);
}

std::string loose_bodies(int count, bool planar, bool on_rods) {
  std::string bodies, rods;
  for (int i = 0; i < count; ++i) {
    const char* comma = i == 0 ? "" : ", ";
    bodies += fmt::format("{}\"b{}\": {{ \"mass\": 2, \"inertia\": {}, \"position\": [{}, 1{}] }}", comma, i,
                          planar ? "0.3" : "[0.1, 0.2, 0.15]", i, planar ? "" : ", 0.5");
    rods += fmt::format("{}\"r{}\": {{ \"type\": \"distance\", \"bodies\": [\"ground\", \"b{}\"] }}", comma, i, i);
  }
  return fmt::format("{{ \"type\": \"{}\", \"bodies\": {{ {} }}, \"constraints\": {{ {} }} }}",
                     planar ? "planar" : "spatial", bodies, on_rods ? rods : "");
}

namespace {

/// The constraints of one edge, `bodies` as text; names begin with `name`.
std::string joint_text(Random& random, bool planar, const std::string& name, const std::string& bodies) {
  const Index d = planar ? 2 : 3;
  const std::string at = numbers(random, d, 2), axis = numbers(random, d, 1);
  const auto one = [&](const std::string& mark, const std::string& type, const std::string& keys) {
    return fmt::format("\"{}{}\": {{ \"type\": \"{}\", \"bodies\": [{}]{} }}", name, mark, type, bodies, keys);
  };
  const std::string here = ", \"at\": " + at, along = here + ", \"axis\": " + axis;
  const std::string rod = one("_rod", "distance", ", \"point_j\": " + numbers(random, d, 0.5));
  const int kind = std::uniform_int_distribution<int>(0, planar ? 6 : 10)(random);
  if (planar) {
    const char* types[] = {"revolute", "translational", "point_on_line", "fixed"};
    if (kind < 4) return one("", types[kind], kind % 3 == 0 ? here : along);
    if (kind == 4) return one("", "distance", "");
    return one("", kind == 5 ? "revolute" : "translational", kind == 5 ? here : along) + ",\n" + rod;
  }
  switch (kind) {
    case 0: return one("", "spherical", here);
    case 1: return one("", "universal", here + ", \"axis\": [1, 0, 0.5], \"second_axis\": [-0.5, 0.3, 1]");
    case 2: return one("", "fixed", here);
    case 3: return one("", "distance", "");
    case 4: return one("", "revolute", along) + ",\n" + rod;
    case 5: return one("", "spherical", here) + ",\n" + rod;
    default: break;
  }
  const char* types[] = {"revolute", "translational", "cylindrical", "in_line", "planar_joint"};
  return one("", types[kind - 6], along);
}

}  // namespace

std::string jointed_system(Random& random, bool planar) {
  const int count = std::uniform_int_distribution<int>(4, 8)(random);
  std::string bodies, joints;
  const auto name = [](int body) { return body < 0 ? std::string("ground") : fmt::format("b{}", body); };
  for (int i = 0; i < count; ++i) {
    const double mass = std::exp(uniform(random, -2, 2));
    bodies += fmt::format("{}\"b{}\": {{ \"mass\": {:.6f}, \"position\": {}", i == 0 ? "" : ",\n", i, mass,
                          numbers(random, planar ? 2 : 3, 2));
    if (planar)
      bodies += fmt::format(", \"inertia\": {:.6f}, \"angle\": {:.6f} }}", 0.3 * mass, uniform(random, -3, 3));
    else
      bodies +=
          fmt::format(", \"inertia\": [{:.6f}, {:.6f}, {:.6f}], \"rotation\": {{ \"axis\": {}, \"angle\": {:.6f} }} }}",
                      0.2 * mass, 0.25 * mass, 0.3 * mass, numbers(random, 3, 1), uniform(random, -3, 3));
    if (i == 3) continue;  // a tree of its own
    const int parent = std::uniform_int_distribution<int>(-1, i - 1)(random);
    const bool first = uniform(random) > 0;
    joints += (joints.empty() ? "" : ",\n") +
              joint_text(random, planar, fmt::format("j{}", i),
                         fmt::format("\"{}\", \"{}\"", name(first ? i : parent), name(first ? parent : i)));
  }
  for (int i = 2; i < count; i += 2)
    joints +=
        fmt::format(",\n\"loop{}\": {{ \"type\": \"distance\", \"bodies\": [\"b{}\", \"b{}\"], \"point_j\": {} }}", i,
                    i - 2, i, numbers(random, planar ? 2 : 3, 0.3));
  return fmt::format("{{ \"type\": \"{}\", \"bodies\": {{\n{} }},\n\"constraints\": {{\n{} }} }}",
                     planar ? "planar" : "spatial", bodies, joints);
}

const char* const repeated_joint_system = R"({ "type": "planar",
  "bodies": { "arm": { "mass": 2, "inertia": 0.1, "position": [0.5, 0] },
              "fore": { "mass": 1, "inertia": 0.05, "position": [1.4, 0.1] } },
  "constraints": { "once": { "type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0] },
                   "elbow": { "type": "revolute", "bodies": ["arm", "fore"], "at": [1, 0] },
                   "again": { "type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0] } } })";
const char* const massless_system = R"({ "type": "planar",
  "bodies": { "rod": { "mass": 1, "inertia": 0, "position": [0.5, 0] },
              "arm": { "mass": 1, "inertia": 0.05, "position": [1.4, 0.1] } },
  "constraints": { "held": { "type": "fixed", "bodies": ["ground", "rod"] },
                   "pin": { "type": "revolute", "bodies": ["rod", "arm"], "at": [1, 0] } } })";

const char* const leaning_rods_system = R"({ "type": "planar",
  "bodies": { "arm": { "mass": 2, "inertia": 0.1, "position": [0.8, 0.1] } },
  "constraints": { "one": { "type": "distance", "bodies": ["ground", "arm"], "point_i": [0, 0], "point_j": [0.2, 0.1] },
                   "other": { "type": "distance", "bodies": ["ground", "arm"], "point_i": [0, 0.002], "point_j": [0.2, 0.1] },
                   "third": { "type": "distance", "bodies": ["ground", "arm"], "point_i": [0.3, 1], "point_j": [-0.1, 0.2] } } })";
const char* const leaning_spatial_rods_system = R"({ "type": "spatial",
  "bodies": { "arm": { "mass": 2, "inertia": [0.1, 0.2, 0.15], "position": [0.8, 0.1, 0.2] },
              "end": { "mass": 1, "inertia": [0.03, 0.02, 0.01], "position": [1.5, 0.3, 0.1] } },
  "constraints": { "one": { "type": "distance", "bodies": ["ground", "arm"], "point_i": [0, 0, 0], "point_j": [0.2, 0.1, 0] },
                   "other": { "type": "distance", "bodies": ["ground", "arm"], "point_i": [0, 0.002, 0], "point_j": [0.2, 0.1, 0] },
                   "elbow": { "type": "spherical", "bodies": ["arm", "end"], "at": [1.2, 0.2, 0.1] } } })";

CreatedSolver::CreatedSolver(const std::string& json, const SolverBench& bench)
    : run_(load_run_file(write_run_file(solver_run_file(massless_system, json)))),
      component_(make_component(bench.model().model.plugins(), run_, run_.solver, ComponentKind::linear_solver,
                                bench.model().model, nullptr)) {}

bool CreatedSolver::attach(SolverBench& bench) const {
  auto* works_on_elements = find_extension<WorksOnElements>(**this);
  if (works_on_elements == nullptr) return false;
  works_on_elements->attach(bench.elements());
  return true;
}

bool CreatedSolver::analyse(const OwnMatrix& matrix) const {
  const LinearSolverTraits traits = (**this).traits();
  if ((traits.regular_inertia && (*matrix).reduction == nullptr) || (traits.equal_bodies && (*matrix).mixed))
    return false;
  const Status status = (**this).analyse(*matrix);
  if (status.code == StatusCode::unsupported) return false;
  require_ok(status, "analyse");
  return true;
}

void CreatedSolver::solve(const OwnMatrix& matrix, const Reference& reference, VectorXd& x, VectorXd& lambda) const {
  const auto in = [](const VectorXd& v) { return ConstVectorView{v.data(), static_cast<Index>(v.size())}; };
  x.setConstant(reference.x.size(), std::nan("")), lambda.setConstant(reference.lambda.size(), std::nan(""));
  require_ok((**this).solve(*matrix, in(reference.f), in(reference.g), {x.data(), static_cast<Index>(x.size())},
                            {lambda.data(), static_cast<Index>(lambda.size())}),
             "solve");
}

std::vector<std::string> solver_sections(const Subject& subject) {
  std::vector<std::string> sections;
  for (const std::filesystem::path& file : subject.cases) {
    const RunFile run = load_run_file(file);
    if (run.solver.type == subject.component->type) sections.push_back(to_json(*run.solver.node));
  }
  if (sections.empty()) sections.push_back("{ \"type\": " + json_quoted(subject.component->type) + " }");
  std::sort(sections.begin(), sections.end());
  sections.erase(std::unique(sections.begin(), sections.end()), sections.end());
  return sections;
}

// No more address space than there is, and all blocks of every size that the heap still has.
NoHeap::NoHeap() {
  volatile char stack[1 << 18];  // which must not have to grow below
  for (std::size_t i = 0; i < sizeof stack; i += 1024) stack[i] = 0;
  long pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  rlimit limit{};
  if (pages == 0 || getrlimit(RLIMIT_AS, &limit) != 0) skip("the size of the process cannot be limited here");
  limit_ = limit.rlim_cur;
  limit.rlim_cur = static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
  setrlimit(RLIMIT_AS, &limit);
  const auto take = [&](std::size_t size) {
    while (auto* block = static_cast<Block*>(std::malloc(size))) *block = {taken_}, taken_ = block;
  };
  for (std::size_t size = std::size_t{1} << 26; size > 4096; size /= 2) take(size);
  for (std::size_t size = 4096; size >= sizeof(Block); size -= 8) take(size);
}

void NoHeap::give_back() {
  if (given_back_) return;
  given_back_ = true;
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = limit_;
  setrlimit(RLIMIT_AS, &limit);
  while (taken_ != nullptr) std::free(std::exchange(taken_, taken_->next));
}

}  // namespace trammel::conformance
