#include "caddis/dedup/citations.h"

#include <algorithm>
#include <unordered_map>

#include "caddis/base/hash.h"
#include "caddis/dedup/index_lines.h"
#include "caddis/dedup/payload_digest.h"

namespace caddis::dedup {
namespace {

// A payload is known by 64 bits here: two in 10^9 may be taken for one, and a count be wrong.
uint64_t fingerprint(const PayloadDigest& digest) { return siphash(digest.raw, 0, 0); }

std::vector<std::pair<uint64_t, uint64_t>> largest(const std::unordered_map<uint64_t, uint64_t>& counts, size_t most) {
  std::vector<std::pair<uint64_t, uint64_t>> sorted;  // count, fingerprint
  for (const auto& [payload, count] : counts) sorted.emplace_back(count, payload);
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(std::min(most, sorted.size()));
  std::ranges::partial_sort(sorted, middle, std::greater());
  sorted.erase(middle, sorted.end());
  return sorted;
}

void take(Cited& cited, const cdx::Capture& capture, const PayloadDigest& digest) {
  cited.digest = digest_text(digest.algorithm, digest.raw);
  const bool is_earlier = cited.timestamp.empty() || capture.timestamp < cited.timestamp;
  if (capture.is_revisit() || !is_earlier) return;
  cited.url = capture.url;
  cited.timestamp = capture.timestamp;
  cited.filename = capture.filename;
}

}  // namespace

Result<std::vector<Cited>> most_cited(io::Files& files, const std::string& collection, size_t most) {
  std::unordered_map<uint64_t, uint64_t> counts;
  TRY_VOID(each_capture(files, collection, [&](const cdx::Capture& capture) -> Result<void> {
    if (!capture.is_revisit()) return {};
    if (const auto digest = parse_digest(capture.digest)) ++counts[fingerprint(*digest)];
    return {};
  }));
  const auto sorted = largest(counts, most);
  counts.clear();
  std::vector<Cited> cited(sorted.size());
  for (size_t i = 0; i < sorted.size(); ++i) {
    cited[i].revisits = sorted[i].first;
    counts[sorted[i].second] = i;
  }
  TRY_VOID(each_capture(files, collection, [&](const cdx::Capture& capture) -> Result<void> {
    const auto digest = parse_digest(capture.digest);
    const auto place = digest ? counts.find(fingerprint(*digest)) : counts.end();
    if (place != counts.end()) take(cited[place->second], capture, *digest);
    return {};
  }));
  return cited;
}

}  // namespace caddis::dedup
