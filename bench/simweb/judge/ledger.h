// What is remembered about every host and URL that was asked for: a few bits for a numbered page, a small row for what
// was asked more than once or has no number, 72 bytes for a host. Memory grows with what is asked, not with the
// web. Not thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "simweb/world/world.h"

namespace simweb {

// Time is microseconds since the recorder's start throughout.
struct HostRow {
  HostId id = 0;
  uint32_t requests = 0;
  uint32_t active = 0, most_active = 0;            // requests
  uint32_t connections = 0, most_connections = 0;  // open ones that served it
  bool robots_known = false;                       // robots.txt was answered for good
  bool asks_who = false;                           // its last answer was a 401
  int64_t last_end = -1;
  int64_t smallest_gap = -1;
  std::vector<uint8_t> pages;  // Progress of each number, 2 bits
};

enum class Progress : uint8_t {
  none,
  asked,     // under way, or refused until later
  broken,    // its answer broke off or was none, by design or because the client went
  answered,  // for good
};

struct UrlRow {
  uint32_t asked = 0;
  Progress progress = Progress::none;
  int64_t not_before = 0;  // Retry-After
};

class Ledger {
 public:
  // The host's row, valid until the next call for a new host.
  HostRow& host(HostId id);
  const HostRow* find(HostId id) const;
  const std::vector<HostRow>& rows() const { return rows_; }

  Progress progress(const HostRow& host, const PageRef& page) const;
  // Notes a request; how often the URL was asked before.
  uint32_t note_asked(HostRow& host, const PageRef& page);
  // Notes the end of an answer, `broken` or `answered`; whether it is the URL's first end. A later one can only better
  // it.
  bool note_end(HostRow& host, const PageRef& page, Progress end);
  // The row of a URL that was asked more than once or has no number, made where `make`.
  UrlRow* url(HostId host, const PageRef& page, bool make);

 private:
  static uint64_t key(HostId host, const PageRef& page);
  void set(HostRow& host, const PageRef& page, Progress progress);

  static constexpr size_t kBlock = 1024;
  using Block = std::array<uint32_t, kBlock>;   // 1 + place in rows_, or 0
  std::vector<std::unique_ptr<Block>> blocks_;  // by host number
  std::vector<HostRow> rows_;
  std::unordered_map<uint64_t, UrlRow> urls_;
};

}  // namespace simweb
