// Where the parts of the installed tree are that are not code.
#pragma once

#include <filesystem>

namespace trammel {

/// The folder of libtrammel itself, wherever the installed tree was moved to.
std::filesystem::path library_folder();

/// share/trammel of the same tree: templates, run files, guide.
inline std::filesystem::path data_folder() { return library_folder().parent_path() / "share" / "trammel"; }

}  // namespace trammel
