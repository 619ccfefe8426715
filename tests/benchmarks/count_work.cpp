// Does a fixed amount of work inside one function, `counted_work`, so that callgrind can count its instructions:
// count_work MODEL.json evaluation|jacobian|full_jacobian|set_up REPETITIONS [FORMULATION]. Prints the number of bodies and
// the kernels chosen.
#include <cstdlib>
#include <functional>
#include <iostream>
#include <optional>
#include <string>

#include "evaluation_problem.h"

/// What valgrind's option --toggle-collect=counted_work names: with C linkage, never inlined or cloned.
extern "C" [[gnu::noinline]] void counted_work(const std::function<void()>* work, long repetitions) {
  for (long i = 0; i < repetitions; ++i) (*work)();
  asm volatile("" ::: "memory");  // no call in the last position: it would leave this function before its end
}

namespace {

using namespace trammel;

/// What the kernels ask too (linalg/block_kernels.cpp): under valgrind its emulated processor answers.
const char* kernels() {
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 ? "avx2" : "baseline";
}

void count(const std::string& file, const std::string& what, long repetitions, const std::string& formulation) {
  std::optional<EvaluationProblem> problem;
  std::function<void()> work = [&] { problem.emplace(file, formulation); };
  if (what != "set_up") {
    problem.emplace(file, formulation);
    if (what == "jacobian")
      work = [&problem] { problem->jacobian(); };
    else if (what == "full_jacobian")
      work = [&problem] { problem->full_jacobian(); };
    else if (what == "evaluation")
      work = [&problem] { problem->evaluate(); };
    else
      throw Error(ErrorKind::usage, what + ": not evaluation, jacobian, full_jacobian or set_up");
    for (int i = 0; i < 4; ++i) work();  // sparse patterns and their pivots are found here
  }
  counted_work(&work, repetitions);
  std::cout << "{\"bodies\": " << problem->bodies() << ", \"kernels\": \"" << kernels() << "\"}\n";
}

}  // namespace

int main(int argc, char** argv) {
  const long repetitions = argc == 4 || argc == 5 ? std::atol(argv[3]) : 0;
  if (repetitions < 1) {
    std::cerr << "usage: count_work MODEL.json evaluation|jacobian|full_jacobian|set_up REPETITIONS [FORMULATION]\n";
    return 1;
  }
  try {
    count(argv[1], argv[2], repetitions, argc == 5 ? argv[4] : "direct");
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 4;
  }
}
