// A digest index in its file: which payloads are known, and the captures that hold them (docs/formats/digest-index.md).
//
// The file is mapped, so that an index of any size costs the memory that look-ups touch. A look-up reads one bucket of
// the table, and for each original that it compares one block. The whole digest is compared, never a part of it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/dedup/index_info.h"
#include "caddis/dedup/index_key.h"
#include "caddis/dedup/original.h"
#include "caddis/dedup/original_block.h"
#include "caddis/io/files.h"
#include "caddis/io/mapping.h"
#include "caddis/io/small_blocks.h"

namespace caddis::dedup {

// Any thread.
class DigestIndex : public Originals {
 public:
  // ErrorCode::unsupported for a file that is no digest index of this version, corrupt for a damaged one, conflict for
  // one made by other rules than `key`.
  static Result<std::unique_ptr<DigestIndex>> open(io::Files& files, const std::string& path, const IndexKey& key);
  // By its own rules, whatever they are. ErrorCode::unsupported if this version does not know them.
  static Result<std::unique_ptr<DigestIndex>> open(io::Files& files, const std::string& path);

  // A digest of another algorithm than the index has finds nothing; a text that is no digest is ErrorCode::parse.
  Result<std::optional<Match>> find(Strategy strategy, const Question& question) const override;

  // All originals in the order of their URLs, each with its raw digest.
  using Use = std::function<Result<void>(std::string_view digest, const Original& original)>;
  Result<void> each(const Use& use) const;
  // The originals of exactly this URL, the same way. Passes over the whole table once.
  Result<void> each_of_url(std::string_view url, const Use& use) const;

  // Raw beginnings of the digests with the most URLs, the most first, with how many.
  struct Shared {
    std::string digest;  // labelled
    uint64_t urls;
    Original earliest;
  };
  Result<std::vector<Shared>> most_shared(size_t most) const;

  // Reads all of the file. ErrorCode::corrupt names what is damaged.
  Result<void> check() const;

  const IndexInfo& info() const { return info_; }
  const std::string& path() const { return path_; }
  uint64_t file_size() const { return file_->bytes().size(); }

 private:
  struct Range {
    uint32_t begin, end;
    bool empty() const { return begin == end; }
  };
  struct Asked;

  DigestIndex(std::string path, IndexKey key, std::unique_ptr<io::Mapping> file, IndexInfo info);
  std::string_view section(const Section& section) const { return file_->bytes().substr(section.offset, section.size); }
  std::string_view entry(uint32_t number) const { return table_.substr(number * kTableEntrySize, kTableEntrySize); }

  Range bucket(uint32_t number) const;
  // The entries of a digest.
  Range entries_of(std::string_view digest) const;
  // The entries among them that have the key, without the copy of the earliest.
  Range entries_of_key(Range range, uint32_t key_hash) const;
  uint32_t first_not_below(Range range, size_t at, std::string_view bytes) const;

  Result<std::optional<Match>> find_any(Range range, const Asked& asked) const;
  Result<std::optional<Match>> find_like(Strategy strategy, Range range, const Asked& asked) const;
  // The original of an entry; nothing if it has another digest than asked.
  Result<std::optional<Original>> load(uint32_t entry, const Asked& asked) const;
  Likeness likeness(const Original& original, const Asked& asked) const;

  Result<OriginalBlock> block(uint64_t number) const;
  // Originals from..to in their order; both at the beginning of a block, or at the end.
  Result<void> each_between(uint64_t from, uint64_t to, const Use& use) const;
  Result<std::pair<uint64_t, uint64_t>> blocks_of_url(std::string_view url) const;
  std::unexpected<Error> damaged(std::string_view what) const;

  const std::string path_;
  const IndexKey key_;
  const std::unique_ptr<io::Mapping> file_;
  const IndexInfo info_;
  const std::string_view table_, buckets_, directory_;
  const io::BlockDecompressor decompressor_;
};

}  // namespace caddis::dedup
