#include "caddis/crawl/earlier_digests.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "caddis/base/hash.h"
#include "caddis/base/log.h"
#include "caddis/collection/launch.h"
#include "caddis/crawl/known_originals.h"
#include "caddis/dedup/digest_index.h"
#include "caddis/dedup/index_builder.h"
#include "caddis/dedup/settings.h"
#include "caddis/io/file_stamp.h"
#include "caddis/io/files.h"

namespace caddis::crawl {
namespace {

using Index = std::unique_ptr<dedup::DigestIndex>;

Result<void> build(io::Files& files, const std::string& source, const std::string& path) {
  log_info("dedup", "makes the digest index {} of {}", path, source);
  TRY(auto filter, dedup::CaptureFilter::create({.any_status = true, .include_mime = {}, .exclude_mime = {}}));
  dedup::IndexBuilder builder(files, path, {}, std::move(filter));
  TRY_VOID(builder.add(source));
  TRY_VOID(builder.finish());
  return {};
}

// A collection may have moved, and its files may have got other times: the size of the index tells that it is the same.
bool is_made_of(io::Files& files, const dedup::IndexInfo& info, const std::string& source) {
  const auto stamp = io::stamp_of(files, source);
  return stamp && std::ranges::any_of(info.sources, [&](const dedup::SourceFile& file) {
           return io::base_name(file.name) == io::base_name(source) && file.stamp.size == stamp->size;
         });
}

// The digest index of a file of captures, made if need be.
Result<Index> open_of(io::Files& files, const std::string& source, const std::string& path) {
  if (files.exists(path)) {
    auto known = dedup::DigestIndex::open(files, path);
    if (known && is_made_of(files, (*known)->info(), source)) return known;
  }
  TRY_VOID(build(files, source, path));
  return dedup::DigestIndex::open(files, path);
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

Result<void> add_file(io::Files& files, const collection::Launch& launch, const std::string& path,
                      KnownOriginals& known) {
  TRY(const dedup::SourceKind kind, dedup::kind_of(files, path));
  if (kind == dedup::SourceKind::digest_index) {
    TRY(Index index, dedup::DigestIndex::open(files, path));
    known.add(std::move(index));
    return {};
  }
  TRY_VOID(files.make_dirs(launch.known_digests()));
  TRY(Index index, open_of(files, path, known_path(launch, path)));
  known.add(std::move(index));
  return {};
}

// Another collection, or a file. Digest indexes that lie beside indexes are used as they are.
Result<void> add_other(io::Files& files, const collection::Launch& launch, const std::string& path,
                       KnownOriginals& known) {
  const collection::Layout other(path);
  if (!files.exists(other.indexes())) return add_file(files, launch, path, known);
  TRY(const auto names, indexes_in(files, other.indexes()));
  for (const std::string& name : names) {
    const std::string index = other.indexes() + "/" + name, beside = other.digests_of(name);
    if (index == launch.index()) continue;
    const auto open = files.exists(beside) ? dedup::DigestIndex::open(files, beside) : fail(ErrorCode::not_found, "");
    const bool is_usable = open && is_made_of(files, (*open)->info(), index);
    TRY_VOID(add_file(files, launch, is_usable ? beside : index, known));
  }
  return {};
}

}  // namespace

Result<void> add_earlier_digests(io::Files& files, const collection::Launch& launch,
                                 const std::vector<std::string>& against, KnownOriginals& known,
                                 std::vector<std::string>& notices) {
  const collection::Layout layout = launch.layout();
  TRY(const auto names, indexes_in(files, layout.indexes()));
  for (const std::string& name : names) {
    const std::string path = layout.indexes() + "/" + name;
    if (path == launch.index()) continue;
    auto index = open_of(files, path, layout.digests_of(name));
    if (index)
      known.add(*std::move(index));
    else
      notices.push_back(fmt::format("captures of {} are not compared with: {}", path, index.error().message));
  }
  for (const std::string& other : against) {
    if (dedup::remote_index(other)) continue;  // the lanes ask them
    if (auto added = add_other(files, launch, other, known); !added)
      return pass(std::move(added).error(), "dedup.against");
  }
  return {};
}

}  // namespace caddis::crawl
