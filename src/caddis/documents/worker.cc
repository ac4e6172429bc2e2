#include "caddis/documents/worker.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <string>

#include "caddis/documents/confinement.h"
#include "caddis/documents/document.h"
#include "caddis/documents/worker_messages.h"

namespace caddis::documents {
namespace {

constexpr int kIdle = 60'000;  // milliseconds

bool send_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(kWorkerSocket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

// Returns the descriptor of the document, or -1 if there is none.
int receive(Request& request) {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  iovec piece{&request, sizeof request};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t got = 0;
  do got = ::recvmsg(kWorkerSocket, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL);
  while (got < 0 && errno == EINTR);
  const cmsghdr* const rights = CMSG_FIRSTHDR(&message);
  if (rights == nullptr || rights->cmsg_type != SCM_RIGHTS) return -1;
  int descriptor = -1;
  std::memcpy(&descriptor, CMSG_DATA(rights), sizeof descriptor);
  if (got == static_cast<ssize_t>(sizeof request) && request.format < kFormats) return descriptor;
  (void)::close(descriptor);
  return -1;
}

// The bytes are sealed: nobody can cut them while they are read.
Found read_request(const Request& request, int descriptor) {
  void* const bytes = ::mmap(nullptr, request.size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  (void)::close(descriptor);
  if (bytes == MAP_FAILED) {
    Found found;
    found.problem = "there is no memory for the document";
    return found;
  }
  const Limits limits{.links = request.links,
                      .url_length = request.url_length,
                      .unpacked = request.unpacked,
                      .entries = request.entries};
  Found found =
      read_document(static_cast<Format>(request.format), {static_cast<const char*>(bytes), request.size}, limits);
  (void)::munmap(bytes, request.size);
  return found;
}

bool answer(const Found& found) {
  const std::string body = encode_answer(found);
  std::string message;
  const auto length = static_cast<uint32_t>(body.size());
  for (int shift = 0; shift < 32; shift += 8) message += static_cast<char>(length >> shift & 0xFF);
  return send_all(message + body);
}

bool is_asked() {
  pollfd waiting{kWorkerSocket, POLLIN, 0};
  int ready = 0;
  do ready = ::poll(&waiting, 1, kIdle);
  while (ready < 0 && errno == EINTR);
  return ready > 0;
}

}  // namespace

int run_worker(uint64_t memory) {
  // It ends with the crawl; a signal of the terminal is not meant for it.
  (void)::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ, SIGUSR1, SIGUSR2})
    (void)std::signal(number, SIG_IGN);
  // Too little memory is to fail one document, by an exception.
  std::set_new_handler(nullptr);
  const bool is_filtered = confine_worker(memory);
  const char hello = is_filtered ? kConfinedBySeccomp : kConfinedByLimits;
  if (!send_all({&hello, 1})) return 1;
  while (is_asked()) {
    Request request;
    const int descriptor = receive(request);
    if (descriptor < 0) break;
    allow_processor_time(request.seconds);
    if (!answer(read_request(request, descriptor))) break;
  }
  return 0;
}

}  // namespace caddis::documents
