#include "caddis/frontier/queue.h"

#include "caddis/frontier/bytes.h"
#include "caddis/frontier/chunk.h"

namespace caddis::frontier {
namespace {

constexpr uint8_t kQueueVersion = 1, kHostVersion = 1, kRetryVersion = 1;

uint64_t to_micros(WallTime time) { return static_cast<uint64_t>(time.time_since_epoch().count()); }
WallTime from_micros(uint64_t micros) { return WallTime(std::chrono::microseconds(static_cast<int64_t>(micros))); }

std::unexpected<Error> damaged(std::string_view what) {
  return fail(ErrorCode::corrupt, "the frontier holds a damaged " + std::string(what) + " row");
}

}  // namespace

std::string write_queue_row(const Queue& queue) {
  std::string out;
  out += static_cast<char>(kQueueVersion);
  put_varint(out, queue.queued);
  put_varint(out, queue.finished);
  put_varint(out, queue.next_retry);
  for (const QueueLine& line : queue.lines) {
    put_varint(out, line.head);
    put_varint(out, line.tail);
    put_varint(out, line.index);
  }
  return out;
}

Result<void> read_queue_row(std::string_view bytes, Queue& queue) {
  Reader in(bytes);
  if (in.u8() != kQueueVersion) return damaged("queue");
  queue.queued = in.varint();
  queue.finished = in.varint();
  queue.next_retry = in.varint();
  for (QueueLine& line : queue.lines) {
    line.head = in.varint();
    line.tail = in.varint();
    line.index = static_cast<uint32_t>(in.varint());
  }
  if (!in.ok() || !in.at_end()) return damaged("queue");
  return {};
}

std::string write_host_row(const Host& host) {
  std::string out;
  out += static_cast<char>(kHostVersion);
  put_varint(out, to_micros(host.addresses_expire));
  put_varint(out, host.addresses.size());
  for (const std::string& address : host.addresses) put_string(out, address);
  put_varint(out, host.failures);
  put_varint(out, host.probes);
  put_varint(out, host.aside ? 1 : 0);
  put_varint(out, static_cast<uint64_t>(-static_cast<int64_t>(host.given_up)));
  put_varint(out, to_micros(host.retry_at));
  return out;
}

Result<void> read_host_row(std::string_view bytes, Host& host) {
  Reader in(bytes);
  if (in.u8() != kHostVersion) return damaged("host");
  host.addresses_expire = from_micros(in.varint());
  const uint64_t count = in.varint();
  for (uint64_t i = 0; i < count && in.ok(); ++i) host.addresses.emplace_back(in.string());
  host.failures = static_cast<uint32_t>(in.varint());
  host.probes = static_cast<uint32_t>(in.varint());
  host.aside = in.varint() != 0;
  host.given_up = static_cast<int>(-static_cast<int64_t>(in.varint()));
  host.retry_at = from_micros(in.varint());
  if (!in.ok() || !in.at_end()) return damaged("host");
  return {};
}

std::string write_retry_row(const Retry& retry) {
  std::string out;
  out += static_cast<char>(kRetryVersion);
  put_varint(out, retry.attempt);
  out += encode_chunk(std::span(&retry.what, 1));
  return out;
}

Result<Retry> read_retry_row(std::string_view bytes) {
  Reader in(bytes);
  Retry retry;
  if (in.u8() != kRetryVersion) return damaged("retry");
  retry.attempt = static_cast<uint32_t>(in.varint());
  size_t header = 1;
  while (header < bytes.size() && (static_cast<unsigned char>(bytes[header]) & 0x80) != 0) ++header;
  if (!in.ok() || header + 1 >= bytes.size()) return damaged("retry");
  TRY(auto items, decode_chunk(bytes.substr(header + 1)));
  if (items.size() != 1) return damaged("retry");
  retry.what = std::move(items.front());
  return retry;
}

std::string name_key(uint16_t partition, std::string_view name) {
  std::string key;
  key += static_cast<char>(partition >> 8);
  key += static_cast<char>(partition & 0xff);
  key += name;
  return key;
}

std::string chunk_key(uint16_t partition, std::string_view origin, size_t precedence, uint64_t number) {
  std::string key = name_key(partition, origin);
  key += '\0';
  key += static_cast<char>(precedence);
  put_be64(key, number);
  return key;
}

std::string retry_key(uint16_t partition, std::string_view origin, WallTime due, uint64_t number) {
  std::string key = name_key(partition, origin);
  key += '\0';
  put_be64(key, to_micros(due));
  put_be64(key, number);
  return key;
}

std::string_view name_in_key(std::string_view key) { return key.size() < 2 ? std::string_view() : key.substr(2); }

}  // namespace caddis::frontier
