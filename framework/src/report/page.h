// One self-contained HTML page: the viewer's program and style, what it shows, and its numbers.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "report/scene.h"

namespace trammel {

/// The folder with report.js and report.css: `trammel/report` beside libtrammel, wherever the tree was moved to.
std::filesystem::path report_folder();

/// Throws Error (plugin) if this Trammel was built without the viewer, naming what was missing.
void require_viewer();

struct Page {
  std::string title;
  ReportJson content;
  std::vector<std::pair<std::string, std::string>> blocks;  ///< id, base64
  bool live = false;  ///< asks the server that it came from for more; other pages can fetch nothing
};

/// The page as text. Whatever comes from users cannot end its element: `<` is escaped everywhere.
std::string page_html(const Page& page);

/// & < > " as entities.
std::string html_escaped(const std::string& text);

}  // namespace trammel
