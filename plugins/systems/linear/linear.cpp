// Plugin `linear`: linear vibrations with constant matrices.
//
//   M x'' + C x' + K x = f(t)                                                                                       (1)
//   T = x'^T M x' / 2,   V = x^T K x / 2  (K symmetric)                                                               (2)
// With M = L L^T and A = L^-1 K L^-T the undamped motion obeys y'' = -A y, y = L^T x, so that
//   omega^2 <= |A|_2                                                                                                (3)
// with equality where K is symmetric positive semidefinite (Rayleigh's quotient; Geradin, Rixen, Mechanical Vibrations
// (2015), section 2.10).
#include <Eigen/Dense>
#include <cmath>
#include <string>
#include <vector>

#include "matrix.h"
#include "trammel/error.h"
#include "trammel/extensions/system_extensions.h"
#include "trammel/function.h"
#include "trammel/sdk/math/shifted_factors.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"
#include "trammel/system.h"

namespace trammel::linear {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

class View final : public SecondOrderSystem {
 public:
  View(Matrix M, Matrix C, Matrix K, const FunctionRefs& load)
      : n_(M.rows()), M_(std::move(M)), C_(std::move(C)), K_(std::move(K)), load_(load) {
    M_factor_.compute(M_);
    mask_ = Vector::Ones(2 * n_);
  }

  Index size() const override { return static_cast<Index>(n_); }
  ConstVectorView mask() const override { return {mask_.data(), 2 * size()}; }

  Status acceleration(double t, ConstVectorView x, ConstVectorView x_dot, VectorView a) override {
    a.map().setZero();
    for (std::int64_t i = 0; i < load_.size; ++i) {
      const Status status = load_.data[i]->evaluate(t, 0, &a[static_cast<Index>(i)]);
      if (!status) return status;
    }
    a.map().noalias() -= K_ * x.map();
    a.map().noalias() -= C_ * x_dot.map();  // (1)
    Eigen::Map<Vector> in_place = a.map();
    M_factor_.solveInPlace(in_place);
    return Status::success();
  }

  Status apply_mass(ConstVectorView y, VectorView out) override { return product(M_, 1, y, out); }
  Status linearize(double t, ConstVectorView, ConstVectorView) override {
    t_ = t;
    return Status::success();
  }
  Status apply_J1(ConstVectorView y, VectorView out) override { return product(K_, -1, y, out); }
  Status apply_J2(ConstVectorView y, VectorView out) override { return product(C_, -1, y, out); }
  Status time_gradient(VectorView out) override {
    out.map().setZero();
    for (std::int64_t i = 0; i < load_.size; ++i) {
      double value[2];
      const Status status = load_.data[i]->evaluate(t_, 1, value);
      if (!status) return status;
      out[static_cast<Index>(i)] = value[1];
    }
    return Status::success();
  }

  Status prepare(Index first, const Shift* shifts, Index count) override {
    const auto build = [this](auto c0, auto c1, auto& A) { A = M_ + c1 * C_ + c0 * K_; };
    return implicit_.prepare(first, shifts, count, build, sdk::no_pivot_is_zero);
  }
  Status solve(Index handle, ConstVectorView r, VectorView z) override {
    implicit_.solve(handle, r, z);
    return Status::success();
  }
  Status solve_complex(Index handle, ConstComplexView r, ComplexView z) override {
    implicit_.solve_complex(handle, r, z);
    return Status::success();
  }

  const Matrix& M() const { return M_; }
  const Matrix& K() const { return K_; }
  /// (3)
  double highest_frequency() const {
    Matrix A = M_factor_.matrixL().solve(K_);
    A = M_factor_.matrixL().solve(A.transpose()).eval();  // transposed, which has the same norm
    const Eigen::SelfAdjointEigenSolver<Matrix> squares(A.transpose() * A, Eigen::EigenvaluesOnly);
    return std::sqrt(std::sqrt(std::max(0.0, squares.eigenvalues().maxCoeff())));
  }

 private:
  static Status product(const Matrix& A, double factor, ConstVectorView y, VectorView out) {
    out.map().noalias() = factor * A * y.map();
    return Status::success();
  }

  Eigen::Index n_;
  Matrix M_, C_, K_;
  FunctionRefs load_;
  Eigen::LLT<Matrix> M_factor_;
  sdk::ShiftedFactors<Eigen::Dynamic> implicit_;
  Vector mask_;
  double t_ = 0;
};

class Linear final : public System, private FrequencyBound {
 public:
  struct Parameters {
    Texts coordinates;
    Numbers mass, damping, stiffness;
    Text mass_file, damping_file, stiffness_file;
    FunctionRefs load;
    Numbers position, velocity;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, coordinates, "1", "Names of the coordinates, which are columns of the results.")
          .count(1, 4096),
      TRAMMEL_FIELD(Parameters, mass, "kg", "Matrix M: its diagonal, or row after row; symmetric positive definite.")
          .optional(),
      TRAMMEL_FIELD(Parameters, damping, "N s/m", "Matrix C, in the same way; none if left out.").optional(),
      TRAMMEL_FIELD(Parameters, stiffness, "N/m", "Matrix K, in the same way; none if left out.").optional(),
      TRAMMEL_FIELD(Parameters, mass_file, "1", "CSV file with the rows of M, instead of \"mass\".").file().optional(),
      TRAMMEL_FIELD(Parameters, damping_file, "1", "CSV file with the rows of C.").file().optional(),
      TRAMMEL_FIELD(Parameters, stiffness_file, "1", "CSV file with the rows of K.").file().optional(),
      TRAMMEL_FIELD(Parameters, load, "N", "Functions of time, one per coordinate; none if left out.").optional(),
      TRAMMEL_FIELD(Parameters, position, "m", "Initial x, one number per coordinate; zero if left out.").optional(),
      TRAMMEL_FIELD(Parameters, velocity, "m/s", "Initial x', one number per coordinate; zero if left out.")
          .optional());

  explicit Linear(const Parameters& p) : names_(names(p.coordinates)), view_(read(p)) {
    const auto n = static_cast<std::int64_t>(names_.size());
    check_count("load", p.load.size, n);
    x_ = start("position", p.position);
    x_dot_ = start("velocity", p.velocity);
    conservative_ = symmetric(view_.K());
  }

  SecondOrderSystem* second_order() override { return &view_; }
  const char* coordinate_name(Index i) const override { return names_[static_cast<std::size_t>(i)].c_str(); }
  const char* coordinate_unit(Index) const override { return "m"; }
  void initial(VectorView x, VectorView x_dot) const override {
    x.map() = x_;
    x_dot.map() = x_dot_;
  }
  bool energy(double, ConstVectorView x, ConstVectorView x_dot, double& kinetic, double& potential) const override {
    kinetic = x_dot.map().dot(view_.M() * x_dot.map()) / 2;  // (2)
    potential = x.map().dot(view_.K() * x.map()) / 2;
    return conservative_;
  }
  const void* extension(const char* id) const override { return sdk::offer_extensions<FrequencyBound>(id, this); }
  double highest_frequency() const override { return view_.highest_frequency(); }

 private:
  static std::vector<std::string> names(const Texts& texts) {
    std::vector<std::string> all;
    for (std::int64_t i = 0; i < texts.size; ++i) {
      const std::string name(texts[i].view());
      const bool word = !name.empty() && name.find_first_not_of(
                                             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                             "0123456789_") == std::string::npos;
      if (!word || (name[0] >= '0' && name[0] <= '9')) {
        throw Error::parameter("coordinates", "'" + name + "' is not a name: letters, digits and _, no digit first");
      }
      for (const std::string& other : all) {
        if (other == name || other == name + "_dot" || name == other + "_dot") {
          throw Error::parameter("coordinates", "'" + other + "' and '" + name + "' make the same column");
        }
      }
      if (name == "t" || name == "step") throw Error::parameter("coordinates", "'" + name + "' is a reserved name");
      all.push_back(name);
    }
    return all;
  }

  View read(const Parameters& p) const {
    const auto n = static_cast<Eigen::Index>(names_.size());
    const MatrixSource mass{"mass", p.mass, p.mass_file};
    if (!mass.given()) throw Error::parameter("mass", "\"mass\" or \"mass_file\" is required");
    Matrix M = read_matrix(mass, n);
    require_symmetric(mass, M);
    require_positive(M, p.mass_file.given() ? "mass_file" : "mass");
    return View(std::move(M), read_matrix({"damping", p.damping, p.damping_file}, n),
                read_matrix({"stiffness", p.stiffness, p.stiffness_file}, n), p.load);
  }

  void require_positive(const Matrix& M, const char* key) const {
    constexpr double smallest_ratio = 1e-14;  // of eigenvalues; below it accelerations are noise
    const Eigen::SelfAdjointEigenSolver<Matrix> modes(M);
    const double least = modes.eigenvalues()[0];
    if (least > smallest_ratio * modes.eigenvalues().maxCoeff()) return;
    Eigen::Index worst = 0;
    modes.eigenvectors().col(0).cwiseAbs().maxCoeff(&worst);
    throw Error::parameter(key, "is not positive definite: its smallest eigenvalue is " + std::to_string(least) +
                                    ", mostly of coordinate '" + names_[static_cast<std::size_t>(worst)] + "'");
  }

  static void check_count(const char* key, std::int64_t count, std::int64_t n) {
    if (count == 0 || count == n) return;
    throw Error::parameter(
        key, "has " + std::to_string(count) + " entries; there are " + std::to_string(n) + " coordinates");
  }
  Vector start(const char* key, const Numbers& numbers) const {
    const auto n = static_cast<std::int64_t>(names_.size());
    check_count(key, numbers.size, n);
    if (numbers.size == 0) return Vector::Zero(n);
    return Eigen::Map<const Vector>(numbers.data, n);
  }

  std::vector<std::string> names_;
  View view_;
  Vector x_, x_dot_;
  bool conservative_ = false;
};

}  // namespace trammel::linear

TRAMMEL_PLUGIN("linear", "1.0.0", "BSD-3-Clause",
               component<trammel::linear::Linear>(trammel::Host::any, "linear",
                                                  "Linear vibrations M x'' + C x' + K x = f(t).",
                                                  "Geradin, Rixen, Mechanical Vibrations (2015)"));
