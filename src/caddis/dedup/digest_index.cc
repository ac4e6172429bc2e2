// The table is sorted by digest, and the buckets say where the entries end whose digests begin with the same bits. Within
// a digest entries are in the order of key hash and date, and a copy of the earliest ends them if there are several
// (table_builder.h). An entry leads to an original by its ordinal, whose block is found by division.
#include "caddis/dedup/digest_index.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "caddis/base/strings.h"
#include "caddis/dedup/bytes.h"
#include "caddis/dedup/payload_digest.h"
#include "caddis/dedup/table_builder.h"
#include "caddis/io/checksum.h"

namespace caddis::dedup {
namespace {

constexpr size_t kHashAt = kPrefixSize - 1, kOrdinalAt = kHashAt + 4;
// Originals of one digest and one key that are compared: what is beyond them is stored once more, and nothing is lost.
constexpr uint32_t kMostCompared = 1000;
constexpr uint64_t kScanned = 1 << 24;  // originals whose digests are held at once when all are read
static_assert(kScanned % kOriginalsPerBlock == 0);

using Prefix = std::array<char, kPrefixSize>;

uint32_t hash_of(std::string_view entry) { return get_number<uint32_t>(entry.data() + kHashAt); }
uint32_t ordinal_of(std::string_view entry) { return get_number<uint32_t>(entry.data() + kOrdinalAt); }

// The first number in [begin, end) for which `is_below` is false.
template <class IsBelow>
uint32_t partition_point(uint32_t begin, uint32_t end, const IsBelow& is_below) {
  while (begin < end) {
    const uint32_t middle = begin + (end - begin) / 2;
    if (is_below(middle))
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

// Has the processor read all of a bucket at the same time, instead of what a search wants, one after the other.
void fetch_soon(std::string_view bytes) {
  constexpr size_t kLine = 64, kMost = 16 * kLine;
  for (size_t at = 0; at < std::min(bytes.size(), kMost); at += kLine) __builtin_prefetch(bytes.data() + at);
}

Result<void> check_section(const Section& section, uint64_t offset, uint64_t size) {
  if (section.offset == offset && section.size == size) return {};
  return fail(ErrorCode::corrupt, "its sections do not fit together");
}

// The sections have to follow each other, to have the sizes that go with the counts, and to fill the file.
Result<void> check_layout(const IndexInfo& info, uint64_t end) {
  if (info.bucket_bits < kLeastBuckets || info.bucket_bits > kMostBuckets || info.entries > UINT32_MAX ||
      info.originals > UINT32_MAX)
    return fail(ErrorCode::corrupt, "its counts make no sense");
  const uint64_t blocks = (info.originals + kOriginalsPerBlock - 1) / kOriginalsPerBlock;
  const auto behind = [](const Section& section) { return section.offset + section.size; };
  if (info.blocks.size > end || info.dictionary.size > end)
    return fail(ErrorCode::corrupt, "its sections are too long");
  TRY_VOID(check_section(info.blocks, kIndexHeadSize, info.blocks.size));
  TRY_VOID(check_section(info.directory, behind(info.blocks), blocks * sizeof(uint64_t)));
  TRY_VOID(check_section(info.dictionary, behind(info.directory), info.dictionary.size));
  TRY_VOID(check_section(info.table, behind(info.dictionary), info.entries * kTableEntrySize));
  TRY_VOID(check_section(info.buckets, behind(info.table), sizeof(uint32_t) << info.bucket_bits));
  return behind(info.buckets) == end ? Result<void>() : fail(ErrorCode::corrupt, "it is not as long as it says");
}

Result<void> check_sum(std::string_view bytes, const Section& section, std::string_view name) {
  if (io::crc32(bytes.substr(section.offset, section.size)) == section.checksum) return {};
  return fail(ErrorCode::corrupt, "the checksum of its " + std::string(name) + " is wrong");
}

Result<IndexInfo> read_info(std::string_view bytes) {
  if (!bytes.starts_with(kIndexHead.substr(0, kIndexHead.find('/') + 1)))
    return fail(ErrorCode::unsupported, "it is no digest index; make one with caddis dedup build");
  if (!bytes.starts_with(kIndexHead))
    return fail(ErrorCode::unsupported,
                "it is a digest index of another version; make it anew with caddis dedup build");
  if (bytes.size() < kIndexHeadSize + kIndexTrailerSize || !bytes.ends_with(kIndexEnd))
    return fail(ErrorCode::corrupt, "it was cut; make it anew with caddis dedup build");
  const std::string_view trailer = bytes.substr(bytes.size() - kIndexTrailerSize);
  const auto size = get_number<uint32_t>(trailer.data());
  const uint64_t behind_info = bytes.size() - kIndexTrailerSize;
  if (size > behind_info - kIndexHeadSize) return fail(ErrorCode::corrupt, "its end makes no sense; make it anew");
  const std::string_view text = bytes.substr(behind_info - size, size);
  if (io::crc32(text) != get_number<uint32_t>(trailer.data() + sizeof size))
    return fail(ErrorCode::corrupt, "the checksum of its end is wrong; make it anew");
  TRY(IndexInfo info, parse_info(text));
  TRY_VOID(check_layout(info, behind_info - size));
  TRY_VOID(check_sum(bytes, info.directory, "directory"));
  TRY_VOID(check_sum(bytes, info.dictionary, "dictionary"));
  TRY_VOID(check_sum(bytes, info.buckets, "buckets"));
  return info;
}

}  // namespace

struct DigestIndex::Asked {
  std::string digest;  // raw
  std::string_view url;
  std::string url_key;
  uint32_t key_hash;
};

DigestIndex::DigestIndex(std::string path, IndexKey key, std::unique_ptr<io::Mapping> file, IndexInfo info)
    : path_(std::move(path)),
      key_(std::move(key)),
      file_(std::move(file)),
      info_(std::move(info)),
      table_(section(info_.table)),
      buckets_(section(info_.buckets)),
      directory_(section(info_.directory)),
      decompressor_(section(info_.dictionary)) {}

Result<std::unique_ptr<DigestIndex>> DigestIndex::open(io::Files& files, const std::string& path, const IndexKey& key) {
  TRY(auto file, io::map_file(files, path));
  auto info = read_info(file->bytes());
  if (!info) return pass(std::move(info).error(), path);
  if (!key.makes_keys_of(info->rules))
    return fail(ErrorCode::conflict, path + ": its URLs are known by the rules '" + info->rules +
                                         "', and they are asked for by '" + key.rules +
                                         "'; make it anew from its sources: caddis dedup build --key-policy '" +
                                         key.notation + "'");
  return std::unique_ptr<DigestIndex>(new DigestIndex(path, key, std::move(file), *std::move(info)));
}

Result<std::unique_ptr<DigestIndex>> DigestIndex::open(io::Files& files, const std::string& path) {
  TRY(auto file, io::map_file(files, path));
  auto info = read_info(file->bytes());
  if (!info) return pass(std::move(info).error(), path);
  auto key = index_key_of(info->rules);
  if (!key) return pass(std::move(key).error(), path);
  return std::unique_ptr<DigestIndex>(new DigestIndex(path, *std::move(key), std::move(file), *std::move(info)));
}

std::unexpected<Error> DigestIndex::damaged(std::string_view what) const {
  return fail(ErrorCode::corrupt, path_ + ": " + std::string(what) + "; make it anew with caddis dedup build");
}

// ---- the table

DigestIndex::Range DigestIndex::bucket(uint32_t number) const {
  const auto end_of = [this](uint32_t i) { return get_number<uint32_t>(buckets_.data() + i * sizeof(uint32_t)); };
  const Range range{number == 0 ? 0 : end_of(number - 1), end_of(number)};
  return range.begin <= range.end && range.end <= info_.entries ? range : Range{0, 0};
}

DigestIndex::Range DigestIndex::entries_of(std::string_view digest) const {
  const Range all = bucket(bucket_of(digest, info_.bucket_bits));
  const std::string_view wanted = digest.substr(1, kPrefixSize - 1);
  fetch_soon(table_.substr(all.begin * kTableEntrySize, (all.end - all.begin) * kTableEntrySize));
  const auto order = [&](uint32_t i) { return std::memcmp(entry(i).data(), wanted.data(), wanted.size()); };
  const uint32_t begin = partition_point(all.begin, all.end, [&](uint32_t i) { return order(i) < 0; });
  if (begin == all.end || order(begin) != 0) return {begin, begin};
  return {begin, partition_point(begin, all.end, [&](uint32_t i) { return order(i) <= 0; })};
}

DigestIndex::Range DigestIndex::entries_of_key(Range range, uint32_t key_hash) const {
  const uint32_t end = range.end - range.begin > 1 ? range.end - 1 : range.end;
  const auto hash = [this](uint32_t i) { return hash_of(entry(i)); };
  const uint32_t begin = partition_point(range.begin, end, [&](uint32_t i) { return hash(i) < key_hash; });
  return {begin, partition_point(begin, end, [&](uint32_t i) { return hash(i) <= key_hash; })};
}

// ---- looking up

Result<std::optional<Match>> DigestIndex::find(Strategy strategy, const Question& question) const {
  if (strategy == Strategy::off) return std::nullopt;
  auto digest = parse_digest(question.digest);
  if (!digest) return fail(ErrorCode::parse, "'" + std::string(question.digest) + "' is no digest (sha1:… in base32)");
  if (digest->algorithm != info_.algorithm) return std::nullopt;
  const Range range = entries_of(digest->raw);
  if (range.empty()) return std::nullopt;
  Asked asked{std::move(digest->raw), question.url, std::string(question.url_key), 0};
  if (asked.url_key.empty()) asked.url_key = key_.of(question.url);
  asked.key_hash = key_hash(asked.url_key);
  auto found = strategy == Strategy::any ? find_any(range, asked) : find_like(strategy, range, asked);
  if (!found) return damaged(found.error().message);
  return found;
}

Result<std::optional<Match>> DigestIndex::find_any(Range range, const Asked& asked) const {
  const uint32_t earliest = range.end - 1;
  TRY(auto original, load(earliest, asked));
  // Another digest with the same beginning may be the earlier one.
  for (uint32_t i = range.begin; !original && i < earliest && i - range.begin < kMostCompared; ++i) {
    TRY(original, load(i, asked));
  }
  if (!original) return std::nullopt;
  const Likeness like = likeness(*original, asked);
  return Match{*std::move(original), like};
}

Result<std::optional<Match>> DigestIndex::find_like(Strategy strategy, Range range, const Asked& asked) const {
  std::optional<Match> same_key;
  const Range keyed = entries_of_key(range, asked.key_hash);
  for (uint32_t i = keyed.begin; i < keyed.end && i - keyed.begin < kMostCompared; ++i) {
    TRY(auto original, load(i, asked));
    if (!original) continue;
    const Likeness like = likeness(*original, asked);
    if (like == Likeness::url) return Match{*std::move(original), like};
    if (like == Likeness::canonical && !same_key) same_key = Match{*std::move(original), like};
    if (same_key && strategy == Strategy::canonical) return same_key;
  }
  if (strategy == Strategy::url) return std::nullopt;
  if (same_key || strategy == Strategy::canonical) return same_key;
  return find_any(range, asked);
}

Likeness DigestIndex::likeness(const Original& original, const Asked& asked) const {
  if (original.url == asked.url) return Likeness::url;
  return key_.of(original.url) == asked.url_key ? Likeness::canonical : Likeness::digest;
}

Result<std::optional<Original>> DigestIndex::load(uint32_t number, const Asked& asked) const {
  const uint32_t ordinal = ordinal_of(entry(number));
  if (ordinal >= info_.originals) return fail(ErrorCode::corrupt, "an entry of an original that is not there");
  TRY(const OriginalBlock found, block(ordinal / kOriginalsPerBlock));
  const size_t place = ordinal % kOriginalsPerBlock;
  if (found.digest_rest(place) != std::string_view(asked.digest).substr(kPrefixSize)) return std::nullopt;
  TRY(Original original, found.original(place));
  return original;
}

// ---- the originals

Result<OriginalBlock> DigestIndex::block(uint64_t number) const {
  const uint64_t blocks = directory_.size() / sizeof(uint64_t);
  const auto offset_of = [&](uint64_t i) {
    return i == blocks ? info_.directory.offset : get_number<uint64_t>(directory_.data() + i * sizeof(uint64_t));
  };
  const uint64_t begin = offset_of(number), end = offset_of(number + 1);
  if (begin < kIndexHeadSize || begin > end || end > info_.directory.offset)
    return fail(ErrorCode::corrupt, "a block of originals outside of its section");
  const uint64_t count = std::min<uint64_t>(kOriginalsPerBlock, info_.originals - number * kOriginalsPerBlock);
  return OriginalBlock::open(file_->bytes().substr(begin, end - begin), count,
                             io::digest_size(info_.algorithm) - kPrefixSize, decompressor_);
}

Result<void> DigestIndex::each(const Use& use) const {
  for (uint64_t from = 0; from < info_.originals; from += kScanned)
    TRY_VOID(each_between(from, std::min(from + kScanned, info_.originals), use));
  return {};
}

Result<void> DigestIndex::each_between(uint64_t from, uint64_t to, const Use& use) const {
  std::vector<Prefix> prefixes(to - from);
  std::vector<bool> seen(to - from);
  for (uint32_t number = 0; number < 1U << info_.bucket_bits; ++number) {
    const Range range = bucket(number);
    for (uint32_t i = range.begin; i < range.end; ++i) {
      const uint64_t ordinal = ordinal_of(entry(i));
      if (ordinal < from || ordinal >= to) continue;
      Prefix& prefix = prefixes[ordinal - from];
      prefix[0] = static_cast<char>(number >> (info_.bucket_bits - kLeastBuckets));
      entry(i).copy(prefix.data() + 1, kPrefixSize - 1);
      seen[ordinal - from] = true;
    }
  }
  if (!std::ranges::all_of(seen, std::identity())) return damaged("an original that no entry of the table names");
  for (uint64_t at = from; at < to; at += kOriginalsPerBlock) {
    auto found = block(at / kOriginalsPerBlock);
    if (!found) return damaged(found.error().message);
    const auto entries = found->all();
    if (!entries) return damaged(entries.error().message);
    for (size_t i = 0; i < entries->size(); ++i) {
      const Prefix& prefix = prefixes[at - from + i];
      TRY_VOID(
          use(std::string(prefix.data(), prefix.size()).append((*entries)[i].digest_rest), (*entries)[i].original));
    }
  }
  return {};
}

Result<std::pair<uint64_t, uint64_t>> DigestIndex::blocks_of_url(std::string_view url) const {
  const StoredUrl wanted = split_url(url);
  std::optional<Error> problem;
  const auto first_of = [&](uint32_t number) -> std::pair<std::string, uint8_t> {
    const auto found = block(number);
    const auto first = found ? found->original(0) : std::unexpected(found.error());
    if (!first) {
      problem = first.error();
      return {};
    }
    const StoredUrl split = split_url(first->url);
    return {std::string(split.rest), split.scheme};
  };
  const std::pair<std::string, uint8_t> asked{std::string(wanted.rest), wanted.scheme};
  const auto blocks = static_cast<uint32_t>(directory_.size() / sizeof(uint64_t));
  const uint32_t begin = partition_point(0, blocks, [&](uint32_t i) { return first_of(i) < asked; });
  const uint32_t end = partition_point(begin, blocks, [&](uint32_t i) { return first_of(i) <= asked; });
  if (problem) return damaged(problem->message);
  return std::pair<uint64_t, uint64_t>(begin == 0 ? 0 : begin - 1, end);
}

Result<void> DigestIndex::each_of_url(std::string_view url, const Use& use) const {
  TRY(const auto blocks, blocks_of_url(url));
  const uint64_t end = std::min<uint64_t>(blocks.second * kOriginalsPerBlock, info_.originals);
  return each_between(blocks.first * kOriginalsPerBlock, end, [&](std::string_view digest, const Original& original) {
    return original.url == url ? use(digest, original) : Result<void>();
  });
}

// ---- as a whole

Result<std::vector<DigestIndex::Shared>> DigestIndex::most_shared(size_t most) const {
  struct Group {
    uint32_t entries, bucket, last;
  };
  std::vector<Group> groups;  // a heap, the smallest in front
  const auto larger = [](const Group& a, const Group& b) {
    return a.entries != b.entries ? a.entries > b.entries : a.last < b.last;
  };
  for (uint32_t number = 0; number < 1U << info_.bucket_bits; ++number) {
    const Range range = bucket(number);
    for (uint32_t i = range.begin, begin = i; i < range.end; ++i) {
      if (i + 1 < range.end && entry(i).substr(0, kHashAt) == entry(i + 1).substr(0, kHashAt)) continue;
      groups.push_back({i + 1 - begin, number, i});
      std::ranges::push_heap(groups, larger);
      if (groups.size() > most) {
        std::ranges::pop_heap(groups, larger);
        groups.pop_back();
      }
      begin = i + 1;
    }
  }
  std::ranges::sort_heap(groups, larger);
  std::vector<Shared> shared;
  for (const Group& group : groups) {
    std::string digest(1, static_cast<char>(group.bucket >> (info_.bucket_bits - kLeastBuckets)));
    digest += entry(group.last).substr(0, kHashAt);
    const uint32_t ordinal = ordinal_of(entry(group.last));
    const auto found = block(ordinal / kOriginalsPerBlock);
    if (ordinal >= info_.originals || !found) return damaged("an entry of an original that is not there");
    digest += found->digest_rest(ordinal % kOriginalsPerBlock);
    TRY(Original original, found->original(ordinal % kOriginalsPerBlock));
    const uint64_t urls = group.entries > 1 ? group.entries - 1 : 1;
    shared.push_back({digest_text(info_.algorithm, digest), urls, std::move(original)});
  }
  return shared;
}

Result<void> DigestIndex::check() const {
  if (auto sound = check_sum(file_->bytes(), info_.table, "table"); !sound) return damaged(sound.error().message);
  if (auto sound = check_sum(file_->bytes(), info_.blocks, "originals"); !sound) return damaged(sound.error().message);
  return each([](std::string_view, const Original&) { return Result<void>(); });
}

}  // namespace caddis::dedup
