// Members of JSON nodes that most nodes do not have: empty they take one word.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace trammel {

/// A value that is made when something is put in; copies are deep, as those of a plain member.
template <class T>
class OnDemand {
 public:
  OnDemand() = default;
  OnDemand(const OnDemand& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
  OnDemand(OnDemand&&) noexcept = default;
  OnDemand& operator=(OnDemand other) noexcept {
    value_ = std::move(other.value_);
    return *this;
  }
  ~OnDemand() = default;

  bool made() const { return value_ != nullptr; }
  const T* get() const { return value_.get(); }
  T* get() { return value_.get(); }
  T& make() {
    if (value_ == nullptr) value_ = std::make_unique<T>();
    return *value_;
  }

 private:
  std::unique_ptr<T> value_;
};

/// A text that is empty nearly everywhere.
class RareText {
 public:
  bool empty() const { return !text_.made(); }
  RareText& operator=(const std::string& text) {
    text_ = {};
    if (!text.empty()) text_.make() = text;
    return *this;
  }
  std::string str() const { return empty() ? std::string() : *text_.get(); }

 private:
  OnDemand<std::string> text_;
};

/// Entries one after another, as std::vector has them.
template <class T>
class SlimVector {
 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  bool empty() const { return size() == 0; }
  std::size_t size() const { return list_.made() ? list_.get()->size() : 0; }
  const T* begin() const { return list_.made() ? list_.get()->data() : nullptr; }
  const T* end() const { return begin() + size(); }
  T* begin() { return list_.made() ? list_.get()->data() : nullptr; }
  T* end() { return begin() + size(); }
  const T& operator[](std::size_t i) const { return begin()[i]; }
  T& operator[](std::size_t i) { return begin()[i]; }
  const T& front() const { return *begin(); }
  const T& back() const { return end()[-1]; }
  T& back() { return end()[-1]; }

  void push_back(T entry) { list_.make().push_back(std::move(entry)); }
  T& emplace_back() { return list_.make().emplace_back(); }
  void erase(const T* entry) { list_.get()->erase(list_.get()->begin() + (entry - begin())); }
  template <class Predicate>
  void remove_if(const Predicate& predicate) {
    if (list_.made()) std::erase_if(*list_.get(), predicate);
  }
  void clear() { list_ = {}; }
  /// Gives room back that was made for more.
  void fit() {
    if (list_.made()) list_.get()->shrink_to_fit();
  }

 private:
  OnDemand<std::vector<T>> list_;
};

}  // namespace trammel
