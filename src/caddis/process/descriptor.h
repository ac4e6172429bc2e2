// A descriptor of the system, closed at the end of its scope.
#pragma once

#include <unistd.h>

#include <utility>

namespace caddis::process {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) reset(other.release());
    return *this;
  }
  ~Descriptor() { reset(); }

  // -1: there is none.
  int get() const { return number_; }
  int release() { return std::exchange(number_, -1); }
  void reset(int number = -1) {
    const int old = std::exchange(number_, number);
    if (old >= 0) (void)::close(old);
  }

 private:
  int number_ = -1;
};

}  // namespace caddis::process
