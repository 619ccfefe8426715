// Putting a page together.
#include "report/page.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "trammel/error.h"
#include "version.h"

namespace trammel {
namespace {

std::string part(const char* name) {
  const std::filesystem::path file = report_folder() / name;
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) {
    throw Error(
        ErrorKind::plugin,
        fmt::format("{}: not there, so reports cannot be written; this Trammel was built without its report viewer. "
                    "Install the Debian packages esbuild, libjs-three and libjs-chart.js, configure and build again",
                    file.string()));
  }
  return text.str();
}

/// JSON inside a script element: no `<` may stay, whatever a title says.
std::string script_text(const ReportJson& json) {
  const std::string plain = json.dump(-1, ' ', false, ReportJson::error_handler_t::replace);
  std::string text;
  text.reserve(plain.size());
  for (const char c : plain) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

/// Nothing but what is in the file: also a fault of ours could not fetch anything.
constexpr const char* policy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:";

}  // namespace

std::filesystem::path report_folder() {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&version), &info) == 0 || info.dli_fname == nullptr) return {};
  return std::filesystem::weakly_canonical(info.dli_fname).parent_path() / "trammel" / "report";
}

void require_viewer() {
  for (const char* name : {"report.js", "report.css"}) part(name);
}

std::string html_escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '"')
      escaped += "&quot;";
    else
      escaped += c;
  }
  return escaped;
}

std::string page_html(const Page& page) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"trammel {}\">\n{}<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n"
      "<noscript>This report needs JavaScript. The numbers are in results.csv beside it.</noscript>\n<div "
      "id=\"app\"></div>\n",
      std::string(policy) + (page.live ? "; connect-src 'self'" : ""), version(),
      page.live ? "<link rel=\"icon\" href=\"data:,\">\n" : "",  // or browsers ask for one
      html_escaped(page.title), part("report.css"));
  html += "<script type=\"application/json\" id=\"content\">" + script_text(page.content) + "</script>\n";
  for (const auto& [id, base64] : page.blocks) {
    html += fmt::format("<script type=\"text/plain\" id=\"{}\">", id) + base64 + "</script>\n";
  }
  html += "<script>\n" + part("report.js") + "</script>\n</body>\n</html>\n";
  return html;
}

}  // namespace trammel
