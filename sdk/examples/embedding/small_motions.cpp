// The equations of a run file's model at its start, and its small motions x' = A x + B u about it; of a number of the run
// file, what it does to the accelerations.
//   small_motions RUN.json [PATH VALUE]
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "trammel/host/mechanics.h"

using trammel::Index;

int main(int argc, char** argv) try {
  if (argc != 2 && argc != 4) return std::fprintf(stderr, "usage: small_motions RUN.json [PATH VALUE]\n"), 1;
  trammel::Mechanics model(argv[1]);

  std::vector<double> q(model.positions().data, model.positions().data + model.coordinates());
  std::vector<double> v(q.size(), 0.0);
  model.set_state(0, {q.data(), model.coordinates()}, {v.data(), model.coordinates()}, model.states());
  model.project();  // onto the constraints
  std::vector<double> M(q.size() * q.size());
  model.mass({M.data(), model.coordinates(), model.coordinates(), model.coordinates()});
  const trammel::LinearSystem small = model.linearize();

  for (Index i = 0; i < model.coordinates(); ++i) {
    std::printf("%-12s mass %-8g acceleration %g\n", model.coordinate_name(i).c_str(),
                M[static_cast<std::size_t>(i * (model.coordinates() + 1))], model.accelerations()[i]);
  }
  const std::size_t size = small.states.size();
  for (std::size_t i = 0; i < size; ++i) {
    std::printf("%-20s' =", small.states[i].c_str());
    for (std::size_t j = 0; j < size; ++j) std::printf(" %9.4f", small.A[i + j * size]);
    for (std::size_t j = 0; j < small.inputs.size(); ++j) std::printf(" | %9.4f", small.B[i + j * size]);
    std::printf("\n");
  }
  if (argc == 4) {
    model.set_parameter(argv[2], std::stod(argv[3]));
    const trammel::ParameterDerivative by_number = model.derivative(argv[2]);  // f_p of y' = f(t, y, p)
    for (Index i = 0; i < model.coordinates(); ++i) {
      const double change = by_number.rate[static_cast<std::size_t>(model.coordinates() + i)];
      std::printf("%-12s acceleration %g, changes by %g per unit of %s\n", model.coordinate_name(i).c_str(),
                  model.accelerations()[i], change, argv[2]);
    }
  }
  return 0;
} catch (const std::exception& error) {
  return std::fprintf(stderr, "%s\n", error.what()), 2;
}
