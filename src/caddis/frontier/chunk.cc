#include "caddis/frontier/chunk.h"

#include <algorithm>

#include "caddis/base/check.h"
#include "caddis/frontier/bytes.h"

namespace caddis::frontier {
namespace {

constexpr uint8_t kVersion = 1;
constexpr uint8_t kSeed = 1, kForce = 2, kSameContext = 4, kAgain = 8, kAttributes = 16;
constexpr uint64_t kMaxItems = 1 << 20;

std::unexpected<Error> damaged() { return fail(ErrorCode::corrupt, "a damaged frontier chunk"); }

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
                           (item.again ? kAgain : 0) | (item.attributes.empty() ? 0 : kAttributes));
  out += item.hops.empty() ? '\0' : item.hops.back();
  put_varint(out, shared);
  put_string(out, std::string_view(item.url).substr(shared));
  if (!same_context) put_string(out, item.context);
  if (!item.attributes.empty()) put_string(out, item.attributes.write());
}

}  // namespace

bool share_chunk(const Candidate& a, const Candidate& b) {
  return a.via == b.via && a.seed == b.seed && page_hops(a) == page_hops(b);
}

std::string encode_chunk(std::span<const Candidate> candidates) {
  CADDIS_CHECK(!candidates.empty() && candidates.size() <= kMaxItems);
  const Candidate& first = candidates.front();
  constexpr size_t kAnItem = 64;  // is enough for most, whose beginnings are shared
  std::string out;
  out.reserve(first.via.size() + first.seed.size() + first.url.size() + candidates.size() * kAnItem);
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

Result<ChunkReader> ChunkReader::open(std::shared_ptr<const std::string> bytes) {
  ChunkReader reader;
  reader.bytes_ = std::move(bytes);
  const std::string& all = *reader.bytes_;
  Reader in(all);
  const auto span = [&] {
    const std::string_view text = in.string();
    return Span{all.size() - in.rest().size() - text.size(), text.size()};
  };
  if (in.u8() != kVersion) return fail(ErrorCode::corrupt, "a frontier chunk of unknown version");
  reader.via_ = span();
  reader.seed_ = span();
  reader.hops_ = span();
  reader.left_ = in.varint();
  if (!in.ok() || reader.left_ > kMaxItems) return damaged();
  reader.next_ = all.size() - in.rest().size();
  if (!reader.read_item()) return damaged();
  if (reader.left_ <= 1) return reader;
  for (ChunkReader ahead = reader; ahead.left_-- > 1;)
    if (!ahead.read_item()) return damaged();
  return reader;
}

// False where what it stands before is none.
bool ChunkReader::read_item() {
  if (left_ == 0) return next_ == bytes_->size();
  Reader in(std::string_view(*bytes_).substr(next_));
  flags_ = in.u8();
  hop_ = static_cast<char>(in.u8());
  const uint64_t shared = in.varint();
  const std::string_view rest = in.string();
  if (!in.ok() || shared > url_.size()) return false;
  url_.resize(shared);
  url_ += rest;
  if ((flags_ & kSameContext) == 0) {
    const std::string_view context = in.string();
    context_ = {bytes_->size() - in.rest().size() - context.size(), context.size()};
  }
  attributes_ = {};
  if ((flags_ & kAttributes) != 0) {
    const std::string_view attributes = in.string();
    attributes_ = {bytes_->size() - in.rest().size() - attributes.size(), attributes.size()};
    if (!Attributes::read(attributes)) return false;
  }
  next_ = bytes_->size() - in.rest().size();
  return in.ok() && (left_ > 1 || in.at_end());
}

Candidate ChunkReader::front() const {
  CADDIS_DCHECK(left_ > 0);
  Candidate item;
  item.url = url_;
  item.via = text(via_);
  item.seed = text(seed_);
  item.context = text(context_);
  item.hops.reserve(hops_.size + 1);
  item.hops = text(hops_);
  if (hop_ != '\0') item.hops += hop_;
  item.is_seed = (flags_ & kSeed) != 0;
  item.force = (flags_ & kForce) != 0;
  item.again = (flags_ & kAgain) != 0;
  if (attributes_.size > 0) item.attributes = Attributes::read(text(attributes_)).value_or(Attributes());
  return item;
}

void ChunkReader::pop() {
  CADDIS_DCHECK(left_ > 0);
  --left_;
  CADDIS_CHECK(read_item());
}

Result<std::vector<Candidate>> decode_chunk(std::string_view bytes) {
  TRY(ChunkReader reader, ChunkReader::open(std::make_shared<const std::string>(bytes)));
  std::vector<Candidate> items;
  items.reserve(std::min<uint64_t>(reader.left(), bytes.size() / 4 + 1));
  while (!reader.at_end()) {
    items.push_back(reader.front());
    reader.pop();
  }
  return items;
}

}  // namespace caddis::frontier
