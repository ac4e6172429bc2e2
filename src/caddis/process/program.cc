#include "caddis/process/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/base/visible.h"
#include "caddis/process/child.h"

namespace caddis::process {
namespace {

// The supervisor has so much longer than the program: to end it, and all that it has started.
constexpr Duration kMercy = std::chrono::seconds(15);
constexpr size_t kComplaints = 2000;  // bytes that are kept, the last ones

Result<std::pair<Descriptor, Descriptor>> make_pipe() {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail_errno("cannot connect with a program", errno);
  return std::pair(Descriptor(ends[0]), Descriptor(ends[1]));
}

// The supervisor, and what comes from it and from the program.
class Running {
 public:
  Running(const ProgramCall& call, const Clock& clock) : call_(call), clock_(clock) {}
  ~Running() {
    if (pid_ < 0) return;
    control_.reset();  // it ends the program then
    const SteadyTime end = clock_.steady() + kMercy;
    int status = 0;
    while (::waitpid(pid_, &status, WNOHANG) == 0) {
      constexpr int kPause = 2;  // milliseconds
      if (clock_.steady() > end) (void)::kill(pid_, SIGKILL);
      (void)::poll(nullptr, 0, kPause);
    }
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  Result<void> start(const std::vector<std::string>& supervisor) {
    TRY(auto question, sealed_file(call_.question));
    TRY(auto document, sealed_file(call_.document));
    TRY(auto answer, make_pipe());
    TRY(auto complaints, make_pipe());
    TRY(auto control, connected_pair());
    std::vector<std::string> command = supervisor;
    const auto millis = std::chrono::ceil<std::chrono::milliseconds>(call_.limits.time).count();
    command.insert(command.end(), {std::to_string(millis), std::to_string(call_.limits.memory), "--"});
    command.insert(command.end(), call_.command.begin(), call_.command.end());
    TRY(pid_, spawn(command, {{question.get(), 0},
                              {answer.second.get(), 1},
                              {complaints.second.get(), 2},
                              {document.get(), kDocument},
                              {control.second.get(), kControl}}));
    answer_ = std::move(answer.first);
    complaints_ = std::move(complaints.first);
    control_ = std::move(control.first);
    return {};
  }

  // Returns when the program has ended, or is to be ended.
  void wait(int stop) {
    const SteadyTime end = clock_.steady() + call_.limits.time + kMercy;
    while (!is_over_) {
      std::array<pollfd, 4> waiting{
          {{stop, POLLIN, 0}, {control_.get(), POLLIN, 0}, {answer_.get(), POLLIN, 0}, {complaints_.get(), POLLIN, 0}}};
      const Duration left = std::max<Duration>(end - clock_.steady(), Duration::zero());
      const auto millis = std::chrono::ceil<std::chrono::milliseconds>(left).count();
      const int ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(millis));
      if (ready < 0 && errno == EINTR) continue;
      if (ready <= 0) return give_up("it cannot be ended");
      if (waiting[0].revents != 0) return give_up(std::string(kEndedByStop));
      if (waiting[2].revents != 0) read_answer();
      if (waiting[3].revents != 0) read_complaints();
      // Its last words come before it says that it has ended.
      if (waiting[1].revents != 0 && waiting[2].revents == 0 && waiting[3].revents == 0) read_end();
    }
  }

  ProgramOutcome take() {
    if (!outcome_.problem.empty()) {
      const std::string_view last = trim(complaints_text_);
      constexpr size_t kShown = 300;
      if (!last.empty())
        outcome_.problem += ": " + visible(last.substr(last.size() - std::min(kShown, last.size())), kShown);
    }
    return std::move(outcome_);
  }

 private:
  void give_up(std::string why) {
    outcome_.problem = std::move(why);
    is_over_ = true;
  }

  // Returns the bytes that have come; nothing at the end, of which the descriptor is closed.
  static std::string_view read_some(Descriptor& from, std::array<char, 65536>& buffer) {
    const ssize_t got = ::read(from.get(), buffer.data(), buffer.size());
    if (got > 0) return {buffer.data(), static_cast<size_t>(got)};
    if (got == 0 || (errno != EINTR && errno != EAGAIN)) from.reset();
    return {};
  }

  void read_answer() {
    outcome_.answer += read_some(answer_, buffer_);
    if (outcome_.answer.size() > call_.longest_answer)
      give_up(fmt::format("its answer has more than {} bytes", call_.longest_answer));
  }

  void read_complaints() {
    complaints_text_ += read_some(complaints_, buffer_);
    if (complaints_text_.size() > kComplaints) complaints_text_.erase(0, complaints_text_.size() - kComplaints);
  }

  void read_end() {
    std::array<unsigned char, 5> message{};
    const ssize_t got = ::recv(control_.get(), message.data(), message.size(), MSG_WAITALL);
    if (got != static_cast<ssize_t>(message.size())) return give_up("its supervisor has died");
    unsigned bits = 0;
    for (size_t i = 1; i < message.size(); ++i) bits |= unsigned{message[i]} << (8 * (i - 1));
    const auto status = static_cast<int>(bits);
    is_over_ = true;
    if (message[0] == kTimeIsOver)
      outcome_.problem = "it takes longer than " + format_duration(call_.limits.time);
    else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
      outcome_.problem = "it was ended " + how_it_ended(status);
  }

  const ProgramCall& call_;
  const Clock& clock_;
  pid_t pid_ = -1;
  Descriptor answer_, complaints_, control_;
  std::array<char, 65536> buffer_{};
  std::string complaints_text_;
  ProgramOutcome outcome_;
  bool is_over_ = false;
};

}  // namespace

ProgramOutcome run_program(const std::vector<std::string>& supervisor, const ProgramCall& call, int stop,
                           const Clock& clock) {
  Running running(call, clock);
  if (auto started = running.start(supervisor); !started) return {{}, std::move(started).error().message};
  running.wait(stop);
  return running.take();
}

}  // namespace caddis::process
