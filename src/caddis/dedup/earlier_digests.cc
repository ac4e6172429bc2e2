#include "caddis/dedup/earlier_digests.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "caddis/base/counted.h"
#include "caddis/base/hash.h"
#include "caddis/base/log.h"
#include "caddis/collection/launch.h"
#include "caddis/dedup/digest_index.h"
#include "caddis/dedup/index_builder.h"
#include "caddis/dedup/known_originals.h"
#include "caddis/dedup/settings.h"
#include "caddis/io/file_stamp.h"
#include "caddis/io/files.h"

namespace caddis::dedup {
namespace {

using Index = std::unique_ptr<DigestIndex>;

// Files of captures, and the key by which the digest index of them is made.
struct Sources {
  std::vector<std::string> files;
  const IndexKey& key;
};

Result<void> build(io::Files& files, const Sources& sources, const std::string& path) {
  log_info("dedup", "makes the digest index {} of {}", path,
           sources.files.size() == 1 ? sources.files.front() : counted(sources.files.size(), "file"));
  TRY(auto filter, CaptureFilter::create({.any_status = true, .include_mime = {}, .exclude_mime = {}}));
  WriterOptions options;
  options.key = sources.key;
  IndexBuilder builder(files, path, options, std::move(filter));
  for (const std::string& source : sources.files) TRY_VOID(builder.add(source));
  TRY_VOID(builder.finish());
  return {};
}

// A collection may have moved, and its files may have got other times: the size of a file tells that it is the same.
bool is_made_of(io::Files& files, const IndexInfo& info, const std::string& source) {
  const auto stamp = io::stamp_of(files, source);
  return stamp && std::ranges::any_of(info.sources, [&](const SourceFile& file) {
           return io::base_name(file.name) == io::base_name(source) && file.stamp.size == stamp->size;
         });
}

// Their digest index, made if need be.
Result<Index> open_of(io::Files& files, const Sources& sources, const std::string& path) {
  if (files.exists(path)) {
    auto known = DigestIndex::open(files, path, sources.key);
    if (known && std::ranges::all_of(sources.files, [&](const std::string& source) {
          return is_made_of(files, (*known)->info(), source);
        }))
      return known;
  }
  TRY_VOID(build(files, sources, path));
  return DigestIndex::open(files, path, sources.key);
}

// Files of `folder` that are sorted indexes, by name.
Result<std::vector<std::string>> indexes_in(io::Files& files, const std::string& folder) {
  std::vector<std::string> names;
  if (!files.exists(folder)) return names;
  TRY(const auto entries, files.list(folder));
  for (const auto& entry : entries)
    if (collection::is_index_name(entry.name)) names.push_back(entry.name);
  std::ranges::sort(names);
  return names;
}

// A path of its own for the digest index of a file that lies elsewhere.
std::string known_path(const collection::Launch& launch, const std::string& source) {
  return fmt::format("{}/{:016x}.digests", launch.known_digests(), siphash(source, 0, 0));
}

// Captures elsewhere, added to those that are known.
class Elsewhere {
 public:
  Elsewhere(io::Files& files, const collection::Launch& launch, const IndexKey& key, KnownOriginals& known)
      : files_(files), launch_(launch), key_(key), known_(known) {}

  // Another collection, a folder of archive files, or a file. Digest indexes that lie beside indexes are used if they go
  // by the same key.
  Result<void> add(const std::string& path) {
    if (!files_.is_directory(path)) return add_file(path);
    const collection::Layout other(path);
    TRY(const auto names, indexes_in(files_, other.indexes()));
    if (names.empty()) return add_archives(path);
    for (const std::string& name : names) {
      const std::string index = other.indexes() + "/" + name, beside = other.digests_of(name);
      if (index == launch_.index()) continue;
      const auto open =
          files_.exists(beside) ? DigestIndex::open(files_, beside, key_) : fail(ErrorCode::not_found, "");
      const bool is_usable = open && is_made_of(files_, (*open)->info(), index);
      TRY_VOID(add_file(is_usable ? beside : index));
    }
    return {};
  }

 private:
  Result<void> add_file(const std::string& path) {
    TRY(const SourceKind kind, kind_of(files_, path));
    if (kind != SourceKind::digest_index) return add_made_of({path}, path);
    TRY(Index index, DigestIndex::open(files_, path, key_));
    known_.add(std::move(index));
    return {};
  }

  // A collection without indexes, its further folders included.
  Result<void> add_archives(const std::string& path) {
    TRY(auto sources, find_sources(files_, path));
    return add_made_of(std::move(sources), path);
  }

  Result<void> add_made_of(std::vector<std::string> sources, const std::string& path) {
    TRY_VOID(files_.make_dirs(launch_.known_digests()));
    TRY(Index index, open_of(files_, {std::move(sources), key_}, known_path(launch_, path)));
    known_.add(std::move(index));
    return {};
  }

  io::Files& files_;
  const collection::Launch& launch_;
  const IndexKey& key_;
  KnownOriginals& known_;
};

}  // namespace

Result<void> add_earlier_digests(io::Files& files, const collection::Launch& launch, const EarlierCaptures& earlier,
                                 KnownOriginals& known, std::vector<std::string>& notices) {
  const collection::Layout layout = launch.layout();
  TRY(const auto names, indexes_in(files, layout.indexes()));
  for (const std::string& name : names) {
    const std::string path = layout.indexes() + "/" + name;
    if (path == launch.index()) continue;
    auto index = open_of(files, {{path}, earlier.key}, layout.digests_of(name));
    if (index)
      known.add(*std::move(index));
    else
      notices.push_back(fmt::format("captures of {} are not compared with: {}", path, index.error().message));
  }
  Elsewhere elsewhere(files, launch, earlier.key, known);
  for (const std::string& other : earlier.against) {
    if (remote_index(other)) continue;  // the lanes ask them
    if (auto added = elsewhere.add(other); !added) return pass(std::move(added).error(), "dedup.against");
  }
  return {};
}

}  // namespace caddis::dedup
