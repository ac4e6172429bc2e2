#include "caddis/base/last_words.h"

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>

namespace caddis {
namespace {

// A line that is put together without memory: what does not fit is left out.
class Line {
 public:
  Line& add(std::string_view text) {
    const size_t fits = text.size() < bytes_.size() - size_ ? text.size() : bytes_.size() - size_;
    std::memcpy(bytes_.data() + size_, text.data(), fits);
    size_ += fits;
    return *this;
  }
  Line& add(unsigned long long number) {
    std::array<char, 20> digits{};
    size_t first = digits.size();
    do {
      digits[--first] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    return add(std::string_view(digits.data() + first, digits.size() - first));
  }
  // Nobody can be told where that fails, either.
  void say() const { [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, bytes_.data(), size_); }
  [[noreturn]] void say_and_end() const {
    say();
    ::_exit(1);
  }

 private:
  std::array<char, 512> bytes_{};
  size_t size_ = 0;
};

constexpr std::string_view kWayOut =
    "what was committed is safe. Give it more, or let it take less (caddis crawl --memory, --max-visits), then go on "
    "(caddis crawl --resume)\n";

bool memory_is_limited() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

[[noreturn]] void out_of_memory() {
  Line line;
  line.add("caddis: out of memory");
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    line.add(": this process may have ").add(limit.rlim_cur / 1'000'000).add(" MB (ulimit -v)");
  line.add("; ").add(kWayOut).say_and_end();
}

// Threads that cannot be started come this way.
[[noreturn]] void uncaught() {
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
    // A library that leaves threads behind while it gives up (RocksDB where it opens tables): nobody can see why it
    // did.
    if (memory_is_limited()) out_of_memory();
  } catch (const std::bad_alloc&) {
    out_of_memory();
  } catch (const std::system_error& error) {
    Line()
        .add("caddis: the system gives it nothing more: ")
        .add(error.what())
        .add(" (ulimit -u, ulimit -v); ")
        .add(kWayOut)
        .say_and_end();
  } catch (const std::exception& error) {
    Line().add("caddis: ").add(error.what()).add("\n").say();
  } catch (...) {
    Line().add("caddis: an exception of an unknown kind\n").say();
  }
  std::abort();
}

}  // namespace

void prepare_last_words() {
  std::set_new_handler(out_of_memory);
  std::set_terminate(uncaught);
}

}  // namespace caddis
