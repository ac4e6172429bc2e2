// The frontier's memory of hosts and queues, and their rows on disk (docs/formats/frontier.md).
//
// A Host is what politeness, DNS and failures are about; a Queue is the URLs of one origin (scheme, host, port) of it.
// A host serves one visit at a time, so a queue's cursor is always exact.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/frontier/candidate.h"
#include "caddis/robots/robots.h"

namespace caddis::frontier {

struct Queue;

struct Host {
  std::string name;
  uint16_t partition = 0;

  // On disk.
  std::vector<std::string> addresses;
  WallTime addresses_expire{};
  uint32_t failures = 0;  // in a row
  uint32_t probes = 0;    // since it was set aside
  bool aside = false;
  int given_up = 0;     // the status its URLs get, 0 while there is hope
  WallTime retry_at{};  // not before, after a failure

  // In memory.
  SteadyTime next_allowed{};
  bool busy = false;
  bool waits_for_address = false;
  std::string busy_address;  // the slot it holds
  size_t address_index = 0;  // moves on after a failed connection
  std::deque<Queue*> line;   // queues that are due while the host is busy
  Duration last_fetch{};
  uint64_t finished = 0;
};

// The place of a queue's next URL in one precedence class: item `index` of the chunk `head`; chunks [head, tail) exist.
struct QueueLine {
  uint64_t head = 0, tail = 0;
  uint32_t index = 0;
  std::deque<Candidate> loaded;  // the rest of chunk `head`, where it has been read
  bool is_loaded = false;
  bool empty() const { return head == tail; }
};

struct Retry {
  Candidate what;
  uint32_t attempt = 2;
};

struct Queue {
  std::string origin;
  Host* host = nullptr;

  // On disk.
  uint64_t queued = 0;  // URLs in chunks and retries
  uint64_t finished = 0;
  std::array<QueueLine, kPrecedences> lines;
  uint64_t next_retry = 0;  // number for the next retry row
  std::map<std::pair<WallTime, uint64_t>, Retry> retries;
  WallTime robots_expire{};
  std::shared_ptr<const robots::Robots> robots;
  std::optional<Duration> crawl_delay;

  // In memory.
  enum class State : uint8_t { idle, waiting, host_busy, address_busy, visiting };
  State state = State::idle;
  uint64_t due_stamp = 0;  // the entry of the due heap that counts
  bool dirty = false;

  bool has_lines() const { return !lines[0].empty() || !lines[1].empty() || !lines[2].empty(); }
  bool has_work() const { return has_lines() || !retries.empty(); }
};

// Rows. `read_*` give ErrorCode::corrupt for bytes that are no such row.
std::string write_queue_row(const Queue& queue);
Result<void> read_queue_row(std::string_view bytes, Queue& queue);
std::string write_host_row(const Host& host);
Result<void> read_host_row(std::string_view bytes, Host& host);
std::string write_retry_row(const Retry& retry);
Result<Retry> read_retry_row(std::string_view bytes);

// Keys: 2 bytes of partition, the name, and for rows of a queue a zero byte and what tells them apart.
std::string name_key(uint16_t partition, std::string_view name);
std::string chunk_key(uint16_t partition, std::string_view origin, size_t precedence, uint64_t number);
std::string retry_key(uint16_t partition, std::string_view origin, WallTime due, uint64_t number);
// The name in a key made by name_key.
std::string_view name_in_key(std::string_view key);

}  // namespace caddis::frontier
