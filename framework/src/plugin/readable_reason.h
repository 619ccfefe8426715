// The text of a plugin's Status before anybody reads it: it may point anywhere.
#pragma once

#include "trammel/status.h"

namespace trammel {

/// The status; if it failed, with a `what` that can be read and is text (UTF-8 of at most 1000 bytes): the plugin's own,
/// or words that say that this was none. Not for success. Costs a system call where the text is in none of the libraries.
Status with_readable_reason(const Status& status);

}  // namespace trammel
