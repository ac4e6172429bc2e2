#include "caddis/documents/worker_process.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string>
#include <utility>

#include "caddis/base/time_format.h"
#include "caddis/documents/worker_messages.h"
#include "caddis/process/child.h"

namespace caddis::documents {
namespace {

constexpr Duration kStart = std::chrono::seconds(30);  // for the hello

}  // namespace

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const std::vector<std::string>& command,
                                                            const Clock& clock) {
  TRY(auto ends, process::connected_pair());
  auto pid = process::spawn(command, {{ends.second.get(), kWorkerSocket}});
  if (!pid) return pass(std::move(pid).error(), "cannot start a document worker");
  std::unique_ptr<WorkerProcess> worker(new WorkerProcess(*pid, ends.first.release(), clock));
  worker->last_used_ = clock.steady();
  return worker;
}

WorkerProcess::~WorkerProcess() {
  (void)::close(socket_);
  end_process();
}

// Once it has been waited for, its number may be that of another process.
void WorkerProcess::end_process() {
  if (std::exchange(has_ended_, true)) return;
  (void)::kill(pid_, SIGKILL);
  status_ = process::wait_for(pid_);
}

bool WorkerProcess::is_alive() {
  if (!has_ended_) has_ended_ = ::waitpid(pid_, &status_, WNOHANG) == pid_;
  return !has_ended_;
}

Error WorkerProcess::ended() {
  end_process();  // it may have closed its socket, and run on
  return {ErrorCode::closed, "the document worker was ended " + process::how_it_ended(status_)};
}

Result<void> WorkerProcess::send(const Question& question, Duration time_limit) {
  TRY(const process::Descriptor file, process::sealed_file(question.bytes));
  const int number = file.get();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time_limit).count() + 1;
  Request request{.size = question.bytes.size(),
                  .links = question.limits.links,
                  .url_length = question.limits.url_length,
                  .unpacked = question.limits.unpacked,
                  .entries = question.limits.entries,
                  .seconds = static_cast<uint32_t>(seconds),
                  .format = static_cast<uint32_t>(question.format)};
  iovec piece{&request, sizeof request};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* const rights = CMSG_FIRSTHDR(&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(rights), &number, sizeof number);
  ssize_t sent = 0;
  do sent = ::sendmsg(socket_, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  // The socket's buffer is empty: a request fits, or the other end is closed.
  if (sent != static_cast<ssize_t>(sizeof request)) return std::unexpected(ended());
  return {};
}

Result<void> WorkerProcess::receive(char* into, size_t size, SteadyTime deadline) {
  while (size > 0) {
    const Duration left = deadline - clock_.steady();
    pollfd waiting{socket_, POLLIN, 0};
    const auto millis = std::chrono::ceil<std::chrono::milliseconds>(std::max(left, Duration::zero())).count();
    const int ready = ::poll(&waiting, 1, static_cast<int>(millis));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return fail(ErrorCode::timeout, "the document worker does not answer");
    const ssize_t got = ::recv(socket_, into, size, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return std::unexpected(ended());
    into += got;
    size -= static_cast<size_t>(got);
  }
  return {};
}

Result<Found> WorkerProcess::read(const Question& question, Duration time_limit) {
  if (documents_ == 0) {
    char hello = 0;
    TRY_VOID(receive(&hello, 1, clock_.steady() + kStart));
    is_filtered_ = hello == kConfinedBySeccomp;
  }
  ++documents_;
  const SteadyTime deadline = clock_.steady() + time_limit;
  TRY_VOID(send(question, time_limit));
  std::array<unsigned char, 4> head{};
  if (auto got = receive(reinterpret_cast<char*>(head.data()), head.size(), deadline); !got) {
    if (got.error().code != ErrorCode::timeout) return std::unexpected(std::move(got).error());
    return fail(ErrorCode::timeout, "reading it takes longer than " + format_duration(time_limit));
  }
  uint64_t length = 0;
  for (size_t i = 0; i < head.size(); ++i) length |= uint64_t{head[i]} << (8 * i);
  if (length > longest_answer(question.limits))
    return fail(ErrorCode::corrupt, "the answer of the document worker is damaged");
  std::string bytes(length, '\0');
  TRY_VOID(receive(bytes.data(), bytes.size(), deadline));
  last_used_ = clock_.steady();
  return decode_answer(bytes, question.limits);
}

}  // namespace caddis::documents
