// Base of every interface: abilities added later are small interfaces found by name, never virtuals appended here.
#pragma once

namespace trammel {

/// The kernel creates and destroys components through their ComponentRecord, hence no public destructor.
class Extensible {
 public:
  /// [setup] The interface called `id` (for example "trammel.events/1"), or nullptr if this object does not have it.
  /// The pointer lives as long as the object. Each extension's header names its id and its C++ type.
  virtual const void* extension(const char* id) const {
    (void)id;
    return nullptr;
  }

 protected:
  Extensible() = default;
  Extensible(const Extensible&) = default;
  Extensible& operator=(const Extensible&) = default;
  ~Extensible() = default;
};

/// The extension of type E (which declares `static constexpr const char* id`), or nullptr.
template <class E>
const E* find_extension(const Extensible& object) {
  return static_cast<const E*>(object.extension(E::id));
}

/// The same for an object that may be changed.
template <class E>
E* find_extension(Extensible& object) {
  return static_cast<E*>(const_cast<void*>(object.extension(E::id)));
}

}  // namespace trammel
