// Threads of Python and the kernel: one at a time is inside the kernel, Python goes on meanwhile, and both can end.
#pragma once

#include <cxxabi.h>
#include <pybind11/pybind11.h>
#include <unistd.h>

#include <mutex>

/// One thread at a time may be inside the kernel. Recursive: a progress function may use another simulation.
inline std::recursive_mutex kernel_mutex;

/// Whether the interpreter is shutting down.
inline bool python_ends() {
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsFinalizing() != 0;
#else
  return _Py_IsFinalizing() != 0;
#endif
}

/// What daemon threads do while the process ends around them.
[[noreturn]] inline void stay() {
  for (;;) ::pause();
}

/// An interpreter that shuts down ends the threads that ask for its lock, by unwinding their stacks. Through C++ that
/// would abort the process.
template <class Call>
auto or_stay(Call&& call) -> decltype(call()) {
  try {
    return call();
  } catch (const abi::__forced_unwind&) {
    stay();
  }
}

/// Without Python's lock.
class Released {
 public:
  Released() : thread_(PyEval_SaveThread()) {}
  ~Released() {
    or_stay([this] { PyEval_RestoreThread(thread_); });
  }
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

 private:
  PyThreadState* thread_;
};

/// With Python's lock again, inside the kernel.
class Acquired {
 public:
  Acquired() : state_(or_stay([] { return PyGILState_Ensure(); })) {}
  ~Acquired() { PyGILState_Release(state_); }
  Acquired(const Acquired&) = delete;
  Acquired& operator=(const Acquired&) = delete;

 private:
  PyGILState_STATE state_;
};

/// Runs `call` inside the kernel without Python's lock.
template <class Call>
auto in_kernel(Call&& call) -> decltype(call()) {
  const Released released;
  const std::lock_guard<std::recursive_mutex> lock(kernel_mutex);
  return call();
}
