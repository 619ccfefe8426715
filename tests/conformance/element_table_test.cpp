// The acceptance table of the elements: every shipped element with the errors of its derivatives and its reference
// problem. `ninja element_table` writes it to docs/elements.md; as a test it checks bounds, and that the page is
// complete.
#include <cxxabi.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <typeinfo>

#include "contraction_errors.h"

namespace conformance {
namespace {

using trammel::ShippedElement;

const char* const page = TRAMMEL_SOURCE_DIR "/docs/elements.md";

struct Reference {
  double error = 0;
  std::string problem;
};

/// What the tests of accuracy noted in this build (tests/accuracy/reference_error.h), by element; the last of several.
std::map<std::string, Reference> noted_references() {
  std::map<std::string, Reference> references;
  const std::filesystem::path folder = TRAMMEL_BUILD_DIR "/reference_errors";
  if (!std::filesystem::is_directory(folder)) return references;
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.insert(entry.path());
  for (const auto& file : files) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
      std::istringstream fields(line);
      std::string element, error, problem;
      std::getline(fields, element, '\t'), std::getline(fields, error, '\t'), std::getline(fields, problem);
      references[element] = {std::stod(error), problem};
    }
  }
  return references;
}

/// Whether a class or one of its bases has `word` in its name, by the run-time type information of the C++ ABI.
bool made_of(const std::type_info& type, const char* word) {
  if (std::string(type.name()).find(word) != std::string::npos) return true;
  if (const auto* one = dynamic_cast<const abi::__si_class_type_info*>(&type)) return made_of(*one->__base_type, word);
  if (const auto* several = dynamic_cast<const abi::__vmi_class_type_info*>(&type)) {
    for (unsigned k = 0; k < several->__base_count; ++k) {
      if (made_of(*several->__base_info[k].__base_type, word)) return true;
    }
  }
  return false;
}

struct Row {
  ShippedElement element;
  std::string rows, source;
  ContractionErrors errors;
};

Row row_of(const ShippedElement& element) {
  Row row{element, "force", "", contraction_errors(element)};
  for_each_use(element, [&](const LoadedModel&, const auto& slot, auto) {
    const std::type_info* type = nullptr;
    if constexpr (std::is_same_v<std::decay_t<decltype(slot)>, ConstraintSlot>) {
      row.rows = std::to_string(slot.rows);
      type = &typeid(*slot.constraint);
      // Behind the kernel's block of both levels of rows stands the element.
      if (const auto* velocity = trammel::find_extension<trammel::VelocityRows>(*slot.constraint))
        type = &typeid(*velocity);
    } else {
      type = &typeid(*slot.force);
    }
    row.source = made_of(*type, "AutoConstraint") || made_of(*type, "AutoForce") ? "automatic" : "hand-coded";
    if (!row.errors.exact_gradients) row.source = "differenced";
  });
  return row;
}

std::string short_number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, x == 0 ? "0" : "%.0e", x);
  return text;
}

std::string line_of(const Row& row, const Reference& reference) {
  const ContractionErrors& e = row.errors;
  const bool constraint = row.element.kind == ComponentKind::constraint;
  const std::vector<double> errors =
      constraint
          ? std::vector<double>{e.Phi_q, e.gamma, e.jacobian, e.multiplier, e.acceleration_q, e.acceleration_v, e.time}
          : std::vector<double>{e.Q_q, e.Q_v, e.Q_t, e.power};
  std::string line =
      "| `" + row.element.type + "` | " + trammel::host_name(row.element.host) + " | " + row.rows + " | " + row.source;
  for (const double error : errors) line += " | " + short_number(error);
  return line + " | " + reference.problem + " | " + short_number(reference.error) + " |\n";
}

const char* const introduction = R"(# The elements and their errors

Written by `ninja -C build/release element_table` from the plugins of the build and their `cases/`; the test
`element_table` checks the bounds and that no element is missing. Largest relative errors of the derivatives over the
uses of an element in its cases, at points on and off |p| = 1, against central differences of eighth order of what they
are the derivative of: differences cannot resolve less than about 1e-14. Derivative source: `hand-coded` kernels,
`automatic` differentiation of the rows (`AutoConstraint`, `AutoForce`), or `differenced` by the kernel. The last two
columns: a problem with a reference of its own, from `tests/accuracy`, and the largest error of the quantity compared
there, SI units.
)";
const char* const constraint_header = R"(
## Constraints

psi = Phi_q a - gamma; `time`: Phi_tq, Phi_tt and the partial derivative of psi with respect to t.

| element | host | rows | derivatives | Phi_q | gamma, nu | (Phi_q x)_q | (Phi_q^T lambda)_q | psi_q | psi_v | time | reference problem | error |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
)";
const char* const force_header = R"(
## Forces

`power`: Q v against -dV/dt - dissipation + work.

| element | host | rows | derivatives | Q_q | Q_v | Q_t | power | reference problem | error |
|---|---|---|---|---|---|---|---|---|---|
)";

TEST_CASE("every element's derivatives are exact, and each has a reference problem and a line on its page") {
  const std::map<std::string, Reference> references = noted_references();
  std::string constraints, forces;
  std::vector<std::string> beginnings;
  for (const ShippedElement& element : trammel::shipped_elements()) {
    CAPTURE(element.name());
    const Row row = row_of(element);
    const ContractionErrors& e = row.errors;
    // Differences reach 1e-12; a wrong term is at least of size 1e-3.
    for (const double error : {e.Phi_q, e.gamma, e.jacobian, e.multiplier, e.acceleration_q, e.acceleration_v, e.time,
                               e.Q_q, e.Q_v, e.Q_t, e.power}) {
      CHECK(error < 1e-10);
    }
    // A reference problem: CHECK(noted("spatial gear", "what was compared", error) < bound) in tests/accuracy.
    const auto found = references.find(element.name());
    CHECK_MESSAGE(found != references.end(), "note a reference error for it in tests/accuracy (reference_error.h)");
    const Reference reference = found != references.end() ? found->second : Reference{};
    CHECK(reference.error < 1e-6);
    (element.kind == ComponentKind::constraint ? constraints : forces) += line_of(row, reference);
    beginnings.push_back("| `" + element.type + "` | " + host_name(element.host) + " | " + row.rows + " | " +
                         row.source + " |");
  }
  const std::string text = introduction + (constraint_header + constraints) + force_header + forces;
  std::printf("%s", text.c_str());
  if (std::getenv("TRAMMEL_WRITE_ELEMENT_TABLE") != nullptr) std::ofstream(page) << text;

  std::ifstream stream(page);
  const std::string written((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  for (const std::string& beginning : beginnings) {
    CAPTURE(beginning);
    CHECK_MESSAGE(written.find(beginning) != std::string::npos, "write docs/elements.md anew: ninja element_table");
  }
}

}  // namespace
}  // namespace conformance
