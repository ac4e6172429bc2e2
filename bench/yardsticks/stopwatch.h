// How long a piece of work takes this thread: processor time, since another process shares the machine.
#pragma once

#include <concepts>
#include <cstddef>
#include <vector>

namespace yardsticks {

// Seconds of processor time, of this thread or of all threads of the process.
double thread_seconds();
double process_seconds();

// Runs on processor `core` from now on; false where the machine has no such core for us.
bool pin_to(int core);

double median(std::vector<double> values);

// Seconds that one call takes: the median of at least three calls, and of as many as fit into `seconds`.
double measure(double seconds, const std::invocable auto& work) {
  constexpr size_t kLeast = 3, kMost = 1000;
  std::vector<double> taken;
  work();  // warm: tables, page faults
  double sum = 0;
  while (taken.size() < kLeast || (sum < seconds && taken.size() < kMost)) {
    const double began = thread_seconds();
    work();
    taken.push_back(thread_seconds() - began);
    sum += taken.back();
  }
  return median(std::move(taken));
}

// A process that spins on `core` for as long as this lives: the other core is busy in a crawl as well, and shares
// caches, memory and often the clock with ours.
class Spinner {
 public:
  explicit Spinner(int core);
  Spinner(const Spinner&) = delete;
  Spinner& operator=(const Spinner&) = delete;
  ~Spinner();

 private:
  int child_ = -1;
};

}  // namespace yardsticks
