// Keys of studies that stand in run files.
#include "config/key_hints.h"

namespace trammel {

std::string elsewhere(const std::string& key, const std::string& otherwise) {
  for (const char* of_study : {"metrics", "vary", "cases", "expect", "sample"}) {
    if (key == of_study) {
      return "; it is a key of studies: a file with \"trammel_study\": 1 and this run file as its \"base\" "
             "(docs/studies.md)";
    }
  }
  return otherwise;
}

}  // namespace trammel
