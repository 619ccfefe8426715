// Handle: an object of the HDF5 library that is closed at the end of its life, and failures of the library in words.
#pragma once

#include <hdf5.h>

#include <cstring>
#include <string>
#include <utility>

#include "trammel/error.h"

namespace trammel {

/// The library prints nothing while one of these lives; what it would print is in its error stack.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// Why the last call of the library failed: what the system said if it was that, else the library's innermost words.
inline std::string reason_of_failure() {
  struct Found {
    std::string words;
    int system = 0;
  } found;
  const auto look = [](unsigned, const H5E_error2_t* error, void* data) -> herr_t {
    Found& into = *static_cast<Found*>(data);
    const std::string text = error->desc == nullptr ? "" : error->desc;
    const std::size_t at = text.find("errno = ");
    if (into.system == 0 && at != std::string::npos) into.system = std::atoi(text.c_str() + at + 8);
    if (into.words.empty()) into.words = text;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look, &found);
  H5Eclear2(H5E_DEFAULT);
  return found.system != 0 ? std::strerror(found.system) : "the HDF5 library: " + found.words;
}

/// Throws Error(compute) with the reason if the library's answer is negative.
template <class Answer>
Answer written(Answer answer) {
  if (answer < 0) throw Error(ErrorKind::compute, "cannot be written: " + reason_of_failure());
  return answer;
}
/// Throws Error(input).
template <class Answer>
Answer readable(Answer answer) {
  if (answer < 0) throw Error(ErrorKind::input, "cannot be read: " + reason_of_failure());
  return answer;
}

class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  ~Handle() { close(); }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_), std::swap(close_, other.close_);
    return *this;
  }

  operator hid_t() const { return id_; }
  bool is_open() const { return id_ >= 0; }
  /// Negative if the library could not.
  herr_t close() { return id_ < 0 ? 0 : close_(std::exchange(id_, -1)); }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

}  // namespace trammel
