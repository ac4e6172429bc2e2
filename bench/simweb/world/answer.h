// An answer as it goes over the wire, in pieces to be gathered. Most pieces are blocks that the World owns; the rest
// lies in the Answer itself, which is therefore neither copied nor moved, but used again for the next request.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simweb/world/page.h"

namespace simweb {

enum class Transfer : uint8_t {
  whole,    // head and body; then the connection is kept, unless `close`
  cut,      // head and the first `cut` bytes of the body, then an orderly close
  reset,    // the same, then a reset (RST)
  hang,     // the same, then silence until the client goes (`cut` 0 and an empty head: not a byte)
  drip,     // head, then `drip_bytes` of the body every `drip_interval` ms
  endless,  // head, then the body again and again until the client goes
};

struct Request {
  HostId host = 0;
  PageRef page;
  uint32_t attempt = 0;  // how often this was asked before; see counts_attempts
  int64_t window = 0;    // time / WebSettings::feed_period, for pages that change
  bool accepts_gzip = true;
  bool http10 = false;  // never chunked, always closed
  bool http2 = false;   // never chunked, never closed
  // False: the door of the host is closed for it (doors.h). Of Kind::login_form true: the form was filled in rightly.
  bool let_in = true;
  std::string_view session;  // for who has filled in the form: the cookie of the session that begins
  std::string_view if_none_match;
};

struct Answer {
  Answer() = default;
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;

  int status = 0;
  Transfer transfer = Transfer::whole;
  bool close = false;  // the connection ends after it, whatever its head says
  uint64_t cut = 0;
  uint32_t delay = 0;  // ms before the first byte
  uint32_t drip_bytes = 0, drip_interval = 0;
  std::string head;                    // with its empty line
  std::vector<std::string_view> body;  // with transfer coding
  uint64_t body_size = 0;
  uint64_t declared = 0;  // Content-Length as the head says, where there is one
  bool gzip = false, chunked = false;

  // Room for what was made for this answer alone, which `body` points into.
  struct Part {
    const char* block = nullptr;  // null: in `text`, at `begin`
    size_t begin = 0, size = 0;
  };
  std::string text;
  std::vector<Part> parts, framed;
};

}  // namespace simweb
