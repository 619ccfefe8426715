// The message that a call refuses its input with, for tests of wording.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "trammel/error.h"

/// Runs `call` and returns the text of the Error it throws; "accepted" if it throws none.
template <class Call>
std::string refusal(Call call, trammel::ErrorKind kind = trammel::ErrorKind::input) {
  try {
    call();
  } catch (const trammel::Error& error) {
    CHECK(error.kind() == kind);
    return error.what();
  }
  return "accepted";
}
