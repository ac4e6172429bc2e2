// One response, recorded in one piece and in pieces of every size the input asks for, by turns fed and put in place:
// the outcome has to be the same.
#include <algorithm>
#include <cstdint>
#include <span>

#include "caddis/base/blank_line.h"
#include "caddis/base/check.h"
#include "caddis/http/recorder.h"
#include "caddis/io/digest.h"
#include "caddis/io/memory_files.h"

using namespace caddis;

namespace {

http::FetchResult record(io::SpoolFolder& folder, std::string_view bytes, size_t piece, const http::Limits& limits) {
  http::ResponseRecorder recorder(folder, limits, "GET");
  for (bool fed = true; !bytes.empty() && recorder.wants_more(); fed = !fed) {
    const std::span<char> place = fed ? std::span<char>() : recorder.place();
    const size_t count = std::min({piece, bytes.size(), place.empty() ? bytes.size() : place.size()});
    if (place.empty()) {
      CADDIS_CHECK(recorder.feed(bytes.substr(0, count)).has_value());
    } else {
      bytes.copy(place.data(), count);
      recorder.fed_in_place(count);
    }
    bytes.remove_prefix(count);
  }
  return recorder.finish(recorder.wants_more() ? http::ResponseRecorder::End::closed
                                               : http::ResponseRecorder::End::complete);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  io::MemoryFiles files;
  io::SpoolFolder folder(files, "spool");
  const http::Limits limits = {.max_body = 1000, .max_head = 200, .memory = 64};
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto whole = record(folder, bytes, size, limits);
  const auto pieces = record(folder, bytes, 1 + data[size - 1] % 32, limits);
  CADDIS_CHECK(whole.has_value() == pieces.has_value());
  if (!whole) return 0;
  const std::string stored = *whole->response.to_string(size);
  CADDIS_CHECK(stored == *pieces->response.to_string(size));
  CADDIS_CHECK(bytes.substr(whole->interim.size(), stored.size()) == stored);
  CADDIS_CHECK(whole->block_digest == io::sha1(stored) && whole->block_digest == pieces->block_digest);
  CADDIS_CHECK(whole->payload_digest == pieces->payload_digest && whole->truncated == pieces->truncated);
  // Bytes behind the end come in one piece with it, or are never asked for.
  if (whole->surplus == pieces->surplus) CADDIS_CHECK(whole->framing.keep_alive == pieces->framing.keep_alive);
  const std::string body = stored.substr(whole->head_size);
  const size_t readers_head = std::min(after_blank_line(stored), whole->head_size);
  CADDIS_CHECK(whole->head_size_for_readers == readers_head);
  if (readers_head < whole->head_size)
    CADDIS_CHECK(whole->payload_digest == io::sha1(stored.substr(readers_head)));
  else
    CADDIS_CHECK(whole->payload_digest == io::sha1(whole->payload_is_body ? body : io::dechunk(body).bytes));
  return 0;
}
