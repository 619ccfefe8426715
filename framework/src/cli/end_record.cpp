// What is said and noted when a process ends in a way that nobody wanted.
#include "cli/end_record.h"

#include <sys/syscall.h>
#include <unistd.h>

namespace trammel::cli {
namespace {

EndRecord record_of_process;
std::atomic<EndRecord*> current_record{&record_of_process};

}  // namespace

EndRecord& end_record() { return *current_record.load(); }

void keep_end_record_in(EndRecord& place) {
  current_record.store(&place);
  keep_loaded_libraries_in(place.libraries);
}

PlainLine& PlainLine::operator<<(const char* text) {
  while (*text != 0 && size_ + 1 < sizeof data_) data_[size_++] = *text++;
  return *this;
}

PlainLine& PlainLine::operator<<(long number) {
  char digits[24];
  std::size_t at = sizeof digits;
  digits[--at] = 0;
  unsigned long rest = number < 0 ? 0UL - static_cast<unsigned long>(number) : static_cast<unsigned long>(number);
  do digits[--at] = static_cast<char>('0' + rest % 10);
  while ((rest /= 10) != 0);
  if (number < 0) digits[--at] = '-';
  return *this << digits + at;
}

const char* PlainLine::text() {
  data_[size_] = 0;
  return data_;
}

bool PlainLine::print() {
  data_[size_++] = '\n';
  const char* from = data_;
  for (std::size_t left = size_; left > 0;) {
    const ssize_t written = ::write(STDERR_FILENO, from, left);
    if (written <= 0) return false;
    from += written, left -= static_cast<std::size_t>(written);
  }
  return true;
}

void begin_to_end(int exit_code) {
  EndRecord& record = end_record();
  if (record.worker.load() == ::getpid()) record.exit_code.store(exit_code);
}

void end_process(int status) {
  begin_to_end(status);
  while (true) syscall(SYS_exit_group, status);
}

}  // namespace trammel::cli
