// Bytes of a server of HTTP/2, cut into pieces: the session must neither crash nor run away, and hand the recorder what makes
// the same exchange however it is cut.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "caddis/http/http2_session.h"
#include "caddis/http/recorder.h"
#include "caddis/io/memory_files.h"

namespace {

using namespace caddis;

std::string outcome(std::string_view bytes, size_t piece) {
  io::MemoryFiles files;
  io::SpoolFolder spools(files, "spool");
  const http::Limits limits{.max_head = 4096};
  http::ResponseRecorder recorder(spools, limits, "GET");
  http::Http2Session session;
  session.begin({.headers = {{"Host", "h"}}}, recorder, limits.max_head);
  session.output();
  while (!bytes.empty() && !session.is_over() && !session.has_ended() && !recorder.is_cut()) {
    if (!session.feed(bytes.substr(0, piece))) std::abort();  // a spool in memory does not fail
    session.output();
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
  const bool has_ended = session.has_ended();
  session.finish();
  const auto result = recorder.finish(http::ResponseRecorder::End::closed);
  if (!result || result->truncated == http::Truncated::head) return {};
  if (result->response.size() > (1U << 20)) std::abort();
  return *result->response.to_string(1 << 20) + (has_ended ? " end" : "");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string whole = outcome(bytes, size + 1);
  const std::string cut = outcome(bytes, 1);
  // A fault may be noticed later or sooner.
  if (whole.ends_with(" end") && cut.ends_with(" end") && whole != cut) std::abort();
  return 0;
}
