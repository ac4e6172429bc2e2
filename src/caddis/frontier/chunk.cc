#include "caddis/frontier/chunk.h"

#include <algorithm>

#include "caddis/base/check.h"
#include "caddis/frontier/bytes.h"

namespace caddis::frontier {
namespace {

constexpr uint8_t kVersion = 1;
constexpr uint8_t kSeed = 1, kForce = 2, kSameContext = 4, kAgain = 8;
constexpr uint64_t kMaxItems = 1 << 20;

std::string_view page_hops(const Candidate& candidate) {
  std::string_view hops = candidate.hops;
  if (!hops.empty()) hops.remove_suffix(1);
  return hops;
}

void encode_item(std::string& out, const Candidate& item, const Candidate& before) {
  const auto [differs, unused] = std::ranges::mismatch(before.url, item.url);
  const size_t shared = static_cast<size_t>(differs - before.url.begin());
  const bool same_context = item.context == before.context;
  out += static_cast<char>((item.is_seed ? kSeed : 0) | (item.force ? kForce : 0) | (same_context ? kSameContext : 0) |
                           (item.again ? kAgain : 0));
  out += item.hops.empty() ? '\0' : item.hops.back();
  put_varint(out, shared);
  put_string(out, std::string_view(item.url).substr(shared));
  if (!same_context) put_string(out, item.context);
}

}  // namespace

bool share_chunk(const Candidate& a, const Candidate& b) {
  return a.via == b.via && a.seed == b.seed && page_hops(a) == page_hops(b);
}

std::string encode_chunk(std::span<const Candidate> candidates) {
  CADDIS_CHECK(!candidates.empty() && candidates.size() <= kMaxItems);
  const Candidate& first = candidates.front();
  std::string out;
  out += static_cast<char>(kVersion);
  put_string(out, first.via);
  put_string(out, first.seed);
  put_string(out, page_hops(first));
  put_varint(out, candidates.size());
  Candidate none;
  const Candidate* before = &none;
  for (const Candidate& item : candidates) {
    CADDIS_DCHECK(share_chunk(item, first));
    encode_item(out, item, *before);
    before = &item;
  }
  return out;
}

Result<std::vector<Candidate>> decode_chunk(std::string_view bytes) {
  Reader in(bytes);
  if (in.u8() != kVersion) return fail(ErrorCode::corrupt, "a frontier chunk of unknown version");
  Candidate item;
  item.via = in.string();
  item.seed = in.string();
  const std::string hops(in.string());
  const uint64_t count = in.varint();
  if (!in.ok() || count > kMaxItems) return fail(ErrorCode::corrupt, "a damaged frontier chunk");
  std::vector<Candidate> items;
  items.reserve(std::min<uint64_t>(count, bytes.size() / 4 + 1));
  for (uint64_t i = 0; i < count; ++i) {
    const uint8_t flags = in.u8();
    const char hop = static_cast<char>(in.u8());
    const uint64_t shared = in.varint();
    const std::string_view rest = in.string();
    if (!in.ok() || shared > item.url.size()) return fail(ErrorCode::corrupt, "a damaged frontier chunk");
    item.url.resize(shared);
    item.url += rest;
    if ((flags & kSameContext) == 0) item.context = in.string();
    item.is_seed = (flags & kSeed) != 0;
    item.force = (flags & kForce) != 0;
    item.again = (flags & kAgain) != 0;
    item.hops = hops;
    if (hop != '\0') item.hops += hop;
    items.push_back(item);
  }
  if (!in.ok() || !in.at_end()) return fail(ErrorCode::corrupt, "a damaged frontier chunk");
  return items;
}

}  // namespace caddis::frontier
