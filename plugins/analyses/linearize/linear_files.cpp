// Linear systems in CSV, JSON and for Octave.
#include "linear_files.h"

#include <charconv>
#include <cmath>
#include <numbers>

namespace trammel::linearize {
namespace {

using Eigen::Index;

struct Part {
  const char* name;
  const Eigen::MatrixXd& numbers;
  const Names &rows, &columns;
};

std::vector<Part> parts_of(const System& s) {
  return {{"A", s.A, s.states, s.states},
          {"B", s.B, s.states, s.inputs},
          {"C", s.C, s.outputs, s.states},
          {"D", s.D, s.outputs, s.inputs}};
}

std::string table_of(const Part& part) {
  std::string text = *part.name == 'A' || *part.name == 'B' ? "rate_of" : "output";
  for (const std::string& name : part.columns) text += "," + name;
  text += "\n";
  for (Index i = 0; i < part.numbers.rows(); ++i) {
    text += part.rows[static_cast<std::size_t>(i)];
    for (Index j = 0; j < part.numbers.cols(); ++j) text += "," + number(part.numbers(i, j));
    text += "\n";
  }
  return text;
}

/// Items between brackets; what is no number is null in JSON.
template <class Item>
std::string list(Index count, const Item& item) {
  std::string text = "[";
  for (Index i = 0; i < count; ++i) text += (i > 0 ? ", " : "") + item(i);
  return text + "]";
}
std::string json_number(double x) { return std::isfinite(x) ? number(x) : "null"; }
std::string json_names(const Names& names) {
  return list(static_cast<Index>(names.size()), [&](Index i) {
    std::string text = "\"";
    for (const char c : names[static_cast<std::size_t>(i)])
      text += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return text + "\"";
  });
}
std::string json_rows(const Eigen::MatrixXd& A) {
  return list(A.rows(), [&](Index i) { return list(A.cols(), [&](Index j) { return json_number(A(i, j)); }); });
}

std::string json_of(const System& s) {
  std::string text = "  {\"t\": " + number(s.t) + ",\n   \"states\": " + json_names(s.states) +
                     ",\n   \"inputs\": " + json_names(s.inputs) + ",\n   \"outputs\": " + json_names(s.outputs);
  for (const Part& part : parts_of(s)) text += std::string(",\n   \"") + part.name + "\": " + json_rows(part.numbers);
  text += ",\n   \"eigenvalues\": " + list(s.eigenvalues.size(), [&](Index i) {
            return "[" + json_number(s.eigenvalues[i].real()) + ", " + json_number(s.eigenvalues[i].imag()) + "]";
          });
  return text + "}";
}

std::string octave_number(double x) {
  return std::isnan(x) ? "NaN" : std::isinf(x) ? (x > 0 ? "Inf" : "-Inf") : number(x);
}
std::string octave_of(const Eigen::MatrixXd& A) {
  if (A.size() == 0) return "zeros(" + std::to_string(A.rows()) + ", " + std::to_string(A.cols()) + ")";
  std::string text = "[";
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < A.cols(); ++j) text += (j > 0 ? ", " : i > 0 ? ";\n  " : "") + octave_number(A(i, j));
  }
  return text + "]";
}
std::string octave_names(const Names& names) {
  std::string text = "{";
  for (const std::string& name : names) text += (text.size() > 1 ? ", '" : "'") + name + "'";
  return text + "}";
}

}  // namespace

std::string number(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, x + 0.0);  // -0 is 0
  return {text, end.ptr};
}

std::vector<double> Response::phases(Index output, Index input) const {
  constexpr double turn = 2 * std::numbers::pi;
  std::vector<double> phases;
  for (const Eigen::MatrixXcd& g : G) {
    double phase = std::arg(g(output, input));
    if (!phases.empty() && std::isfinite(phases.back())) phase += turn * std::round((phases.back() - phase) / turn);
    phases.push_back(phase);
  }
  return phases;
}

std::vector<File> system_files(const std::vector<System>& systems) {
  std::vector<File> files;
  std::string json = "{\"systems\": [\n";
  std::string script =
      "% x' = A x + B u, y = C x + D u in small changes about states of a run; with the package control:\n"
      "% sys = ss(linear(1).A, linear(1).B, linear(1).C, linear(1).D)\n";
  for (std::size_t k = 0; k < systems.size(); ++k) {
    const System& s = systems[k];
    const std::string place = systems.size() > 1 ? "." + std::to_string(k + 1) : "";
    const std::string of = "linear(" + std::to_string(k + 1) + ").";
    script += of + "t = " + number(s.t) + ";\n" + of + "states = " + octave_names(s.states) + ";\n" + of +
              "inputs = " + octave_names(s.inputs) + ";\n" + of + "outputs = " + octave_names(s.outputs) + ";\n";
    for (const Part& part : parts_of(s)) {
      files.push_back({part.name + place + ".csv", table_of(part)});
      script += of + part.name + " = " + octave_of(part.numbers) + ";\n";
    }
    json += json_of(s) + (k + 1 < systems.size() ? ",\n" : "\n");
  }
  files.push_back({"linear_system.json", json + "]}\n"});
  files.push_back({"linear_system.m", script});
  return files;
}

File response_table(const Response& response) {
  std::string table = "frequency,omega";
  const auto inputs = static_cast<Index>(response.inputs.size()), outputs = static_cast<Index>(response.outputs.size());
  std::vector<std::vector<double>> phases;
  for (Index j = 0; j < inputs; ++j) {
    for (Index i = 0; i < outputs; ++i) {
      const std::string pair =
          response.outputs[static_cast<std::size_t>(i)] + "/" + response.inputs[static_cast<std::size_t>(j)];
      table += "," + pair + ".magnitude," + pair + ".phase";
      phases.push_back(response.phases(i, j));
    }
  }
  table += "\n";
  for (std::size_t k = 0; k < response.frequencies.size(); ++k) {
    table += number(response.frequencies[k]) + "," + number(2 * std::numbers::pi * response.frequencies[k]);
    for (Index j = 0; j < inputs; ++j) {
      for (Index i = 0; i < outputs; ++i)
        table += "," + number(std::abs(response.G[k](i, j))) + "," +
                 number(phases[static_cast<std::size_t>(j * outputs + i)][k]);
    }
    table += "\n";
  }
  return {"frequency_response.csv", table};
}

}  // namespace trammel::linearize
