#include "caddis/repair/group_undo.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "caddis/frontier/bytes.h"
#include "caddis/repair/store_rows.h"

namespace caddis::repair {
namespace {

using frontier::LeaseKind;

constexpr uint8_t kVersion = 1;
constexpr uint8_t kKind = 0x0f, kSeed = 0x10, kAttributes = 0x20;
// Far beyond what a group holds.
constexpr uint64_t kMaxStreams = 1000, kMaxVisits = 10'000'000;

std::unexpected<Error> damaged() { return fail(ErrorCode::corrupt, "the row of a group is damaged"); }

// Prefix-compressed strings, read back.
void take(frontier::Reader& in, std::string& text) {
  const uint64_t shared = in.varint();
  const std::string_view rest = in.string();
  text.resize(std::min<uint64_t>(shared, text.size()));
  text += rest;
}

}  // namespace

void UndoEntries::put(std::string_view text, std::string& before) {
  const auto [differs, unused] = std::ranges::mismatch(before, text);
  const auto shared = static_cast<size_t>(differs - before.begin());
  frontier::put_varint(bytes_, shared);
  frontier::put_string(bytes_, text.substr(shared));
  before.replace(shared, std::string::npos, text.substr(shared));
}

void UndoEntries::add(const frontier::Lease& lease) {
  const frontier::Candidate& what = lease.candidate;
  const bool is_url = lease.kind == LeaseKind::url;
  const std::string attributes = is_url ? what.attributes.write() : std::string();
  bytes_ += static_cast<char>(static_cast<uint8_t>(lease.kind) | (what.is_seed ? kSeed : 0) |
                              (attributes.empty() ? 0 : kAttributes));
  put(is_url ? what.url : lease.origin, first_);
  put(is_url ? what.via : lease.host, second_);
  if (!is_url) return;
  put(what.seed, seed_);
  frontier::put_string(bytes_, what.hops);
  if (!attributes.empty()) frontier::put_string(bytes_, attributes);
}

std::string encode_group_undo(const store::StreamEnds& before, const UndoEntries& visits, std::string_view seen) {
  std::string out;
  out.reserve(visits.bytes().size() + seen.size() + 256);
  out += static_cast<char>(kVersion);
  frontier::put_varint(out, before.size());
  for (const store::StreamEnd& end : before) {
    frontier::put_string(out, end.name);
    frontier::put_varint(out, end.generation);
    frontier::put_varint(out, end.length);
  }
  frontier::put_string(out, visits.bytes());
  frontier::put_string(out, seen);
  return out;
}

Result<GroupUndo> decode_group_undo(std::string_view bytes) {
  frontier::Reader in(bytes);
  if (in.u8() != kVersion)
    return fail(ErrorCode::unsupported,
                "the row of a group has an unknown version: go on with the Caddis that wrote it");
  GroupUndo record;
  const uint64_t streams = in.varint();
  if (streams > kMaxStreams) return damaged();
  for (uint64_t i = 0; i < streams && in.ok(); ++i) {
    store::StreamEnd end;
    end.name = in.string();
    end.generation = static_cast<uint32_t>(in.varint());
    end.length = in.varint();
    record.before.push_back(std::move(end));
  }
  frontier::Reader visits(in.string());
  record.seen = in.string();
  if (!in.ok() || !in.at_end() || record.seen.size() % sizeof(uint64_t) != 0) return damaged();
  std::string first, second, seed;
  while (visits.ok() && !visits.at_end() && record.visits.size() < kMaxVisits) {
    const uint8_t flags = visits.u8();
    UndoEntry visit;
    if ((flags & kKind) > static_cast<uint8_t>(LeaseKind::login)) return damaged();
    visit.kind = static_cast<LeaseKind>(flags & kKind);
    take(visits, first);
    take(visits, second);
    if (visit.kind == LeaseKind::url) {
      take(visits, seed);
      visit.candidate = {first, second, std::string(visits.string()), {}, seed, (flags & kSeed) != 0};
      if ((flags & kAttributes) != 0) {
        TRY(visit.candidate.attributes, frontier::Attributes::read(visits.string()));
      }
    } else {
      visit.origin = first;
      visit.host = second;
    }
    record.visits.push_back(std::move(visit));
  }
  if (!visits.ok() || !visits.at_end()) return damaged();
  return record;
}

std::string group_row(uint64_t number) { return fmt::format("{}{:016x}", kGroupRow, number); }

Result<uint64_t> number_of_group_row(std::string_view key) {
  uint64_t number = 0;
  key.remove_prefix(std::min(key.size(), kGroupRow.size()));
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), number, 16);
  if (error != std::errc() || end != key.data() + key.size()) return damaged();
  return number;
}

}  // namespace caddis::repair
