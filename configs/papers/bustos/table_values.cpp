// Errors of Tables 1, 2, 4 and 6 to 11 by programs of their own, apart from Trammel: in quadruple precision (`error`),
// which shows what the methods commit; in double precision with each step's change summed up before it is added to x
// (`error_double`); and with the terms added to x and x' one after another (`error_in_turn`). Where steps are iterated these
// two, `drift_double` and `iterations` belong to iterations that end at a relative change of 1e-10; the columns `to_rounding`
// to such that go on until rounding stops them.
//
//   g++ -std=gnu++20 -O2 -ffp-contract=off table_values.cpp -lquadmath -o table_values && ./table_values > table_values.csv
//
// Takes ten minutes: rows of 1e7 steps in quadruple precision, of 1e9 in double; `table_values 5 7` those of Table 7 down to
// 1e-5. Finer rows of `exact` follow from the two before them by their order of convergence. Formulas: numbers of equations
// are those of the paper.
#include <quadmath.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

using Quad = __float128;

double sine(double x) { return std::sin(x); }
double cosine(double x) { return std::cos(x); }
Quad sine(Quad x) { return sinq(x); }
Quad cosine(Quad x) { return cosq(x); }

template <class T>
T gravity() {
  return T(981) / 100;
}
template <class T>
T step(int power) {  // 10^-power
  T h = 1;
  for (int i = 0; i < power; ++i) h *= 10;
  return 1 / h;
}
long steps_of(int power) { return std::lround(std::pow(10.0, power + 1)); }

/// Largest departure from the first value.
template <class T>
struct Drift {
  T first = 0, largest = 0;
  void start(T value) { first = value; }
  void add(T value) { largest = std::max(largest, value > first ? value - first : first - value); }
};

struct Result {
  double error = 0, drift = 0, iterations = 0;  ///< energy, J; constraint, m^2; of the solver per step
};

/// In turn every sum rounds at the size of the first, and the same way for as long as a small term changes little.
template <bool in_turn, class T, class... Terms>
T add(T to, Terms... terms) {
  return in_turn ? (to + ... + terms) : to + (terms + ...);
}

/// theta'' = -g cos theta of the pendulum by (15), (16); (40)-(43); (68)-(72), from rest at theta = 0.
template <class T, bool in_turn = false>
Result pendulum(int degree, const std::array<T, 4>& w, int power) {
  const T g = gravity<T>(), h = step<T>(power), h2 = h * h / 2, h3 = h2 * h / 3, h4 = h3 * h / 4;
  const auto& [alpha, beta, gamma, zeta] = w;
  T x = 0, v = 0, a = -g, j = 0, s = 0;  // of one time
  T ahead = h2 * a;                      // x one step later
  Drift<T> energy;
  for (long n = steps_of(power); n > 0; --n) {
    x = ahead;
    const T a_before = a, j_before = j, s_before = s;
    a = -g * cosine(x);
    if (degree == 3) {
      v += h * (beta * a + (1 - beta) * a_before);
      ahead = add<in_turn>(x, h * v, h2 * (alpha * a + (1 - alpha) * a_before));
    } else if (degree == 4) {
      j = ((a - a_before) / h - (1 - gamma) * j_before) / gamma;
      v += h * a_before + h2 * ((1 - beta) * j_before + beta * j);
      ahead = add<in_turn>(x, h * v, h2 * a, h3 * (alpha * j + (1 - alpha) * j_before));
    } else {
      s = ((a - a_before - h * j_before) / h2 - (1 - gamma) * s_before) / gamma;
      j = j_before + h * ((1 - zeta) * s_before + zeta * s);
      v += h * a_before + h2 * j_before + h3 * ((1 - beta) * s_before + beta * s);
      ahead = add<in_turn>(x, h * v, h2 * a, h3 * j, h4 * ((1 - alpha) * s_before + alpha * s));
    }
    energy.add(v * v / 2 + g * sine(x));
  }
  return {double(energy.largest)};
}

/// The same by central differences as they stand: x(t + h) = 2 x(t) - x(t - h) + h^2 x'', x' = difference / 2 h (4), (5).
template <class T>
Result classical(int power) {
  const T g = gravity<T>(), h = step<T>(power);
  T before = 0, x = -h * h / 2 * g;
  Drift<T> energy;
  for (long n = steps_of(power); n > 0; --n) {
    const T ahead = 2 * x - before - h * h * g * cosine(x), v = (ahead - before) / (2 * h);
    energy.add(v * v / 2 + g * sine(x));
    before = x;
    x = ahead;
  }
  return {double(energy.largest)};
}

/// When iterations end: at a change below `tolerance` of the values' size; with 0, at four units in the last place or where
/// changes of a few hundred shrink no more.
template <class T>
class Ending {
 public:
  explicit Ending(T tolerance) : tolerance_(tolerance) {}
  bool reached(T change, T size) {
    const bool stalls = change >= before_;
    before_ = change;
    if (tolerance_ > 0) return change <= tolerance_ * size;
    const T unit = T(1) / (T(1LL << 26) * T(1LL << 26));
    return change <= 4 * unit * size || (stalls && change <= 40000 * unit * size);
  }

 private:
  T tolerance_, before_ = T(1e300);
};

template <class T, std::size_t N>
using Vector = std::array<T, N>;

/// y + h k
template <class T, std::size_t N>
Vector<T, N> moved(const Vector<T, N>& y, T h, const Vector<T, N>& k) {
  Vector<T, N> sum;
  for (std::size_t i = 0; i < N; ++i) sum[i] = y[i] + h * k[i];
  return sum;
}

/// Kutta's method of order 3: nodes 0, 1/2, 1, weights 1/6, 2/3, 1/6.
template <class T, std::size_t N, class Rate>
Vector<T, N> kutta3(const Vector<T, N>& y, T h, Rate rate) {
  const auto k1 = rate(y), k2 = rate(moved(y, h / 2, k1));
  Vector<T, N> at = moved(y, -h, k1);
  const auto k3 = rate(moved(at, 2 * h, k2));
  Vector<T, N> next;
  for (std::size_t i = 0; i < N; ++i) next[i] = y[i] + h / 6 * (k1[i] + 4 * k2[i] + k3[i]);
  return next;
}

/// The top of section 6 in the angles phi, theta, psi; inertias about the fixed point.
template <class T>
struct Top {
  T I1 = T(5) / 100000, I3 = T(2) / 10000, mgl = T(2) / 100 * gravity<T>() * T(5) / 100;

  Vector<T, 3> acceleration(const Vector<T, 3>& x, const Vector<T, 3>& v) const {
    const T s = sine(x[1]), c = cosine(x[1]), w3 = v[2] + v[0] * c;
    const T phi = (I3 * w3 * v[1] - 2 * I1 * v[0] * v[1] * c) / (I1 * s);
    return {phi, (I1 * v[0] * v[0] * s * c - I3 * w3 * v[0] * s + mgl * s) / I1, -phi * c + v[0] * v[1] * s};
  }
  T energy(const Vector<T, 3>& x, const Vector<T, 3>& v) const {
    const T s = sine(x[1]), c = cosine(x[1]), w3 = v[2] + v[0] * c;
    return (I1 * (v[1] * v[1] + v[0] * v[0] * s * s) + I3 * w3 * w3) / 2 + mgl * c;
  }
  static T pi() { return T(3.14159265358979323846264338327950288Q); }
  static Vector<T, 3> angles() { return {0, pi() / 6, 0}; }
  static Vector<T, 3> rates() { return {0, 0, 4 * pi()}; }
};

template <class T>
Result top_by_kutta3(int power) {
  const Top<T> top;
  const T h = step<T>(power);
  const auto x0 = top.angles(), v0 = top.rates();
  Vector<T, 6> y{x0[0], x0[1], x0[2], v0[0], v0[1], v0[2]};
  Drift<T> energy;
  energy.start(top.energy(x0, v0));
  for (long n = steps_of(power); n > 0; --n) {
    y = kutta3(y, h, [&](const Vector<T, 6>& at) {
      const auto a = top.acceleration({at[0], at[1], at[2]}, {at[3], at[4], at[5]});
      return Vector<T, 6>{at[3], at[4], at[5], a[0], a[1], a[2]};
    });
    energy.add(top.energy({y[0], y[1], y[2]}, {y[3], y[4], y[5]}));
  }
  return {double(energy.largest)};
}

/// Degree 5 with the weights of section 6, started with zero jerk and snap or with the exact ones; x'' and x' by fixed-point
/// iteration.
template <class T, bool in_turn = false>
Result top_by_degree_5(int power, T tolerance, bool exact_start = false) {
  const Top<T> top;
  const T h = step<T>(power), h2 = h * h / 2, h3 = h2 * h / 3, h4 = h3 * h / 4;
  const T alpha = T(162) / 100, beta = T(103522) / 100000, gamma = T(10291293) / 10000000, zeta = T(1016) / 1000;
  Vector<T, 3> x = top.angles(), v = top.rates(), a = top.acceleration(x, v), j{}, s{}, ahead;
  if (exact_start) {
    // x' = (0, 0, w) at the start: theta'' = mgl s / I1 = A and the others 0. From phi'' s I1 = I3 w3 theta' - 2 I1 phi' theta' c
    // and psi'' = -phi'' c + phi' theta' s: phi''' = I3 w A / (I1 s), psi''' = -phi''' c. From theta'' = phi'^2 s c
    // - (I3 w3 phi' - mgl) s / I1, w3 being constant: theta'''' = mgl c A / I1 - I3 w phi''' s / I1.
    const T sn = sine(x[1]), c = cosine(x[1]), A = a[1];
    j[0] = top.I3 * v[2] * A / (top.I1 * sn);
    j[2] = -j[0] * c;
    s[1] = (top.mgl * c * A - top.I3 * v[2] * j[0] * sn) / top.I1;
  }
  for (int i = 0; i < 3; ++i) ahead[i] = x[i] + h * v[i] + h2 * a[i] + h3 * j[i] + h4 * s[i];
  Drift<T> energy;
  energy.start(top.energy(x, v));
  double iterations = 0;
  for (long n = steps_of(power); n > 0; --n) {
    x = ahead;
    Vector<T, 3> known, s_new = s, a_new, v_new;
    for (int i = 0; i < 3; ++i) known[i] = add<in_turn>(v[i], h * a[i], h2 * j[i], h3 * (1 - beta) * s[i]);
    for (int i = 0; i < 3; ++i) v_new[i] = known[i] + h3 * beta * s[i];
    Ending<T> ending(tolerance);
    for (T change = 1, size = 0; size == 0 || !ending.reached(change, size);) {
      a_new = top.acceleration(x, v_new);
      change = 0, size = T(1) / 1000;
      for (int i = 0; i < 3; ++i) {
        s_new[i] = ((a_new[i] - a[i] - h * j[i]) / h2 - (1 - gamma) * s[i]) / gamma;
        const T next = known[i] + h3 * beta * s_new[i];
        change = std::max(change, next > v_new[i] ? next - v_new[i] : v_new[i] - next);
        size = std::max(size, next > 0 ? next : -next);
        v_new[i] = next;
      }
      ++iterations;
    }
    for (int i = 0; i < 3; ++i) {
      const T j_new = j[i] + h * ((1 - zeta) * s[i] + zeta * s_new[i]);
      ahead[i] =
          add<in_turn>(x[i], h * v_new[i], h2 * a_new[i], h3 * j_new, h4 * ((1 - alpha) * s[i] + alpha * s_new[i]));
      j[i] = j_new, s[i] = s_new[i], a[i] = a_new[i], v[i] = v_new[i];
    }
    energy.add(top.energy(x, v));
  }
  return {double(energy.largest), 0, iterations / double(steps_of(power))};
}

/// The pendulum of section 8, x = sin theta, y = -cos theta, point mass: a = (x'', y'', theta'').
template <class T>
struct Rod {
  /// The index-1 system: theta'' = -g sin theta as the forces have no moment about the pin, the rest by the rows.
  static Vector<T, 3> acceleration(const Vector<T, 3>& q, const Vector<T, 3>& v) {
    const T s = sine(q[2]), c = cosine(q[2]), a = -gravity<T>() * s;
    return {c * a - s * v[2] * v[2], s * a + c * v[2] * v[2], a};
  }
  static T energy(const Vector<T, 3>& q, const Vector<T, 3>& v) {
    return (v[0] * v[0] + v[1] * v[1]) / 2 + gravity<T>() * q[1];
  }
  static T assembly(const Vector<T, 3>& q) {
    const T e = q[0] * q[0] + q[1] * q[1] - 1;
    return e < 0 ? -e : e;
  }
  static Vector<T, 3> angles() { return {1, 0, Top<T>::pi() / 2}; }
  /// Smallest change of (x, y, theta) onto the constraints, by Gauss and Newton.
  static void project(Vector<T, 3>& q, T tolerance) {
    for (int i = 0; i < 20; ++i) {
      const T s = sine(q[2]), c = cosine(q[2]), f = q[0] - s, g = q[1] + c;
      // (Phi_q Phi_q^T) mu = Phi with Phi_q = [1 0 -c; 0 1 -s], whose matrix is I + (c, s)(c, s)^T: inverse I - .../2
      const T along = (c * f + s * g) / 2, mu = f - c * along, nu = g - s * along;
      q[0] -= mu, q[1] -= nu, q[2] += c * mu + s * nu;
      const T size = std::max({mu > 0 ? mu : -mu, nu > 0 ? nu : -nu});
      if (size <= tolerance) return;
    }
  }
};

template <class T>
Result rod_by_kutta3(int power, bool projected, T tolerance) {
  const T h = step<T>(power);
  const auto q0 = Rod<T>::angles();
  Vector<T, 6> y{q0[0], q0[1], q0[2], 0, 0, 0};
  Drift<T> energy;
  energy.start(Rod<T>::energy(q0, {}));
  T drift = 0;
  for (long n = steps_of(power); n > 0; --n) {
    y = kutta3(y, h, [](const Vector<T, 6>& at) {
      const auto a = Rod<T>::acceleration({at[0], at[1], at[2]}, {at[3], at[4], at[5]});
      return Vector<T, 6>{at[3], at[4], at[5], a[0], a[1], a[2]};
    });
    Vector<T, 3> q{y[0], y[1], y[2]};
    if (projected) Rod<T>::project(q, tolerance);
    y[0] = q[0], y[1] = q[1], y[2] = q[2];
    energy.add(Rod<T>::energy(q, {y[3], y[4], y[5]}));
    drift = std::max(drift, Rod<T>::assembly(q));
  }
  return {double(energy.largest), double(drift)};
}

/// Degree 5, all weights 1, by (90): G at t, H at the iterate of t + h (`iterate`) or at t as well; `once`: a single
/// iteration from s = 0, whose drift at h = 1e-2 is the printed one. Eliminated by hand: M = 1,
/// 1, 0, so that the moment's row is c lambda_1 + s lambda_2 = 0 and c, s times the others gives c x'' + s y'' = -g s.
template <class T, bool in_turn = false>
Result rod_by_degree_5(int power, bool iterate, T tolerance, bool once = false) {
  const T g = gravity<T>(), h = step<T>(power), h2 = h * h / 2, h3 = h2 * h / 3, h4 = h3 * h / 4;
  const T beta_0 = h * h3 + h2 * h2 + h3 * h + h4;
  Vector<T, 3> q = Rod<T>::angles(), v{}, a = Rod<T>::acceleration(q, v), j{}, s{}, ahead = moved(q, h2, a);
  Rod<T>::project(ahead, tolerance);
  Drift<T> energy;
  energy.start(Rod<T>::energy(q, v));
  T drift = 0;
  double iterations = 0;
  for (long n = steps_of(power); n > 0; --n) {
    q = ahead;
    const T st = sine(q[2]), ct = cosine(q[2]);
    Vector<T, 3> b0, b1, b2, a_new;
    for (int i = 0; i < 3; ++i) {
      b1[i] = add<in_turn>(v[i], h * a[i], h2 * j[i]);
      b2[i] = a[i] + h * j[i];
      b0[i] = add<in_turn>(q[i], h * b1[i], h2 * b2[i], h3 * j[i]);
      ahead[i] = b0[i] + (once ? 0 : beta_0) * s[i];
    }
    const T ratio = h2 / beta_0;
    Ending<T> ending(tolerance);
    for (T change = -1; change < 0 || !(once || ending.reached(change, 2));) {
      const T se = sine(ahead[2]), ce = cosine(ahead[2]), sr = iterate ? se : st, cr = iterate ? ce : ct;
      // rows H (q_ahead + d) = H q_ahead - Phi in terms of a: a_x - cr a_t = r_x, a_y - sr a_t = r_y
      Vector<T, 3> now;
      for (int i = 0; i < 3; ++i) now[i] = b2[i] + ratio * (ahead[i] - b0[i]);
      const T r_x = now[0] - cr * now[2] - ratio * (ahead[0] - se),
              r_y = now[1] - sr * now[2] - ratio * (ahead[1] + ce);
      a_new[2] = (-g * st - ct * r_x - st * r_y) / (ct * cr + st * sr);
      a_new[0] = r_x + cr * a_new[2];
      a_new[1] = r_y + sr * a_new[2];
      change = 0;
      for (int i = 0; i < 3; ++i) {
        const T next = b0[i] + (a_new[i] - b2[i]) / ratio;
        change = std::max(change, next > ahead[i] ? next - ahead[i] : ahead[i] - next);
        ahead[i] = next;
      }
      ++iterations;
    }
    for (int i = 0; i < 3; ++i) {
      s[i] = (a_new[i] - b2[i]) / h2;
      j[i] += h * s[i];
      v[i] = b1[i] + h3 * s[i];
      a[i] = a_new[i];
    }
    energy.add(Rod<T>::energy(q, v));
    drift = std::max(drift, Rod<T>::assembly(q));
  }
  return {double(energy.largest), double(drift), iterations / double(steps_of(power))};
}

std::string wanted;  ///< the table or method to compute, all if empty

/// A row for each step from `first` on; in quadruple precision down to `exact_to`, below by the order of the last two.
template <class Exact, class Rounded, class InTurn, class ToRounding = Result (*)(int)>
void rows(
    const char* table, const char* method, int first, int last, int exact_to, Exact exact, Rounded rounded,
    InTurn in_turn, ToRounding to_rounding = [](int) { return Result(); }) {
  if (!wanted.empty() && wanted != table && wanted != method) return;
  Result before, now;
  for (int power = first; power <= last; ++power) {
    Result next;
    if (power <= exact_to) {
      next = exact(power);
    } else {
      next.error = now.error * std::pow(10, std::round(std::log10(now.error / before.error)));
      next.drift = now.drift > 1e-25 ? now.drift * std::pow(10, std::round(std::log10(now.drift / before.drift))) : 0;
    }
    before = now, now = next;
    const Result r = rounded(power), turn = in_turn(power), last_bit = to_rounding(power);
    std::printf("%s,%s,1e-%d,%.6g,%.6g,%.6g,%.3g,%.3g,%.4g,%.6g,%.3g,%.4g,%s\n", table, method, power, now.error,
                r.error, turn.error, now.drift, r.drift, r.iterations, last_bit.error, last_bit.drift,
                last_bit.iterations, power <= exact_to ? "computed" : "by order");
    std::fflush(stdout);
  }
}

void family(const char* table, const char* method, int degree, std::array<Quad, 4> w, int first, int last,
            int exact_to) {
  std::array<double, 4> rounded;
  for (int i = 0; i < 4; ++i) rounded[i] = double(w[i]);
  rows(
      table, method, first, last, exact_to, [&](int p) { return pendulum<Quad>(degree, w, p); },
      [&](int p) { return pendulum<double>(degree, rounded, p); },
      [&](int p) { return pendulum<double, true>(degree, rounded, p); });
}

int main(int arguments, char** values) {
  // `table_values N` stops at rows of 10^-N for a quick look, `table_values N NAME` computes one table or method.
  if (arguments > 2) wanted = values[2];
  const int most = arguments > 1 ? std::atoi(values[1]) : 8, quad = std::min(most, 6);
  const auto none = [](int) { return Result(); };
  const Quad third = Quad(1) / 3;
  std::puts(
      "table,method,step,error,error_double,error_in_turn,drift,drift_double,iterations,error_to_rounding,"
      "drift_to_rounding,iterations_to_rounding,exact");
  rows("1", "classical", 3, most, quad, classical<Quad>, classical<double>, none);
  family("1 and 2", "alpha_1", 3, {1, 0.5, 0, 0}, 3, most, quad);
  family("2", "alpha_4_3", 3, {4 * third, 0.5, 0, 0}, 3, most, quad);
  family("2", "alpha_2", 3, {2, 0.5, 0, 0}, 3, most, quad);
  family("4", "alpha_5_4", 4, {1.25, third, 0.5, 0}, 3, std::min(most, 7), quad);
  family("4", "alpha_1_4", 4, {0.25, third, 0.5, 0}, 3, std::min(most, 7), quad);
  family("4", "alpha_3_4", 4, {0.75, third, 0.5, 0}, 3, std::min(most, 7), quad);
  family("6", "alpha_4_5", 5, {Quad(4) / 5, 1, 1, 1}, 2, std::min(most, 6), quad);
  rows(
      "7", "top", 2, std::min(most, 5), 5, [](int p) { return top_by_degree_5<Quad>(p, 1e-25Q); },
      [](int p) { return top_by_degree_5<double>(p, 1e-10); },
      [](int p) { return top_by_degree_5<double, true>(p, 1e-10); },
      [](int p) { return top_by_degree_5<double>(p, 0); });
  rows(
      "7", "top_exact_start", 2, std::min(most, 5), 5, [](int p) { return top_by_degree_5<Quad>(p, 1e-25Q, true); },
      [](int p) { return top_by_degree_5<double>(p, 1e-10, true); },
      [](int p) { return top_by_degree_5<double, true>(p, 1e-10, true); },
      [](int p) { return top_by_degree_5<double>(p, 0, true); });
  rows("8", "top_kutta3", 2, std::min(most, 5), 5, top_by_kutta3<Quad>, top_by_kutta3<double>, none);
  rows(
      "9", "kutta3", 2, std::min(most, 6), 5, [](int p) { return rod_by_kutta3<Quad>(p, false, 0); },
      [](int p) { return rod_by_kutta3<double>(p, false, 0); }, none);
  rows(
      "10", "kutta3_projected", 2, std::min(most, 6), 5, [](int p) { return rod_by_kutta3<Quad>(p, true, 1e-28Q); },
      [](int p) { return rod_by_kutta3<double>(p, true, 1e-13); }, none);
  for (const bool iterate : {true, false}) {
    rows(
        "11", iterate ? "degree_5_eq_90" : "degree_5_fixed_matrix", 2, std::min(most, 6), 5,
        [&](int p) { return rod_by_degree_5<Quad>(p, iterate, 1e-25Q); },
        [&](int p) { return rod_by_degree_5<double>(p, iterate, 1e-10); },
        [&](int p) { return rod_by_degree_5<double, true>(p, iterate, 1e-10); },
        [&](int p) { return rod_by_degree_5<double>(p, iterate, 0); });
  }
  rows(
      "11", "degree_5_once", 2, std::min(most, 3), 5, [](int p) { return rod_by_degree_5<Quad>(p, true, 1, true); },
      [](int p) { return rod_by_degree_5<double>(p, true, 1, true); }, none);
}
