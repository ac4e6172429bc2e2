// A collection as replay sees it: its index, its archive files, its list of pages, and what its crawls' logs know.
//
// Several may be one under a name of their own, an aggregate (aggregate.h): it has no files, and each capture in it says
// which of its members holds it.
//
// A collection without an index (a folder of archives, a single file) is indexed into memory when it is opened. Methods
// may be called from any thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/cdx/capture_filter.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/collection/launch.h"
#include "caddis/collection/metadata.h"
#include "caddis/io/files.h"
#include "caddis/sources/source_file.h"

namespace caddis::replay {

struct Page {
  std::string url, title, timestamp;  // 14 digits, empty where the list does not say
};

struct PageList {
  std::vector<Page> first;  // at most Collection::kListedPages
  uint64_t count = 0;
  bool exact = true;  // false: the list is large, and was estimated from its beginning
  // Titles in what was read of the list, by "20260102030405 URL"; also those of what is hidden. Null for an aggregate.
  std::shared_ptr<const std::map<std::string, std::string, std::less<>>> titles = nullptr;
};

class Collection {
 public:
  static constexpr size_t kListedPages = 500;

  // `path` is a collection's folder, an archive file, or a WACZ file.
  // `launch`: only what it has captured is shown; empty: all. ErrorCode::not_found if there is no such launch.
  static Result<std::unique_ptr<Collection>> open(io::Files& files, const Clock& clock, const std::string& path,
                                                  const std::string& launch = {});
  // One that has no folder: the lines that its index is given, and records that lie there. `records` may be null.
  friend std::unique_ptr<Collection> collection_in_memory(io::Files& files, const Clock& clock, std::string name,
                                                          std::string title,
                                                          std::shared_ptr<sources::RecordSource> records);
  // Records and captures that lie elsewhere, besides its own. Before it is shared between threads.
  void add_sources(const sources::OpenSources& more);
  // The same as somebody sees it for whom some captures are hidden: in `index`, `pages`, and what `may_speak_of` says. It
  // must not outlive the whole.
  std::unique_ptr<Collection> seen_through(std::shared_ptr<const cdx::CaptureFilter> filter);

  // Reads what tells of a collection in words. Any thread.
  using Words = std::function<Result<collection::Metadata>()>;
  // Several as one. Members are none themselves; of captures equally near that of an earlier member comes first. Without
  // `words` it has none.
  static std::unique_ptr<Collection> join(std::string name, std::vector<std::shared_ptr<Collection>> members,
                                          Words words = {});
  // The ones with which an aggregate was joined.
  const Words& words() const { return view_.words; }
  // The members of an aggregate, in order; empty for others.
  const std::vector<std::shared_ptr<Collection>>& members() const { return view_.members; }
  // The collection whose record a capture of this one is: the member of an aggregate, else itself.
  Collection& holder_of(const cdx::Capture& capture) {
    return view_.members.empty() ? *this : *view_.members.at(capture.member - 1);
  }

  const std::string& name() const { return name_; }
  // Empty for an aggregate, as is launches() of it.
  const std::string& path() const { return layout_.folder(); }
  // What tells of it in words: metadata.yaml of its folder, or what a package says of itself; of an aggregate its `words`.
  // Empty for a single archive file. ErrorCode::config, which names file and line, if it cannot be read.
  Result<collection::Metadata> metadata() const;
  // Its title, for people; its name if it has none.
  std::string heading() const;
  const Clock& clock() const { return clock_; }
  cdx::CaptureIndex& index() { return index_; }
  // The captures that revisits may refer to: all of this collection.
  // What is hidden, too: the payload of a revisit is that of its original.
  cdx::CaptureIndex& originals() {
    return view_.whole != nullptr ? view_.whole->originals() : unlimited_ ? *unlimited_ : index_;
  }
  // The launch that it is limited to; empty: none.
  const std::string& launch() const {
    if (!view_.members.empty()) return view_.members.front()->launch();
    return view_.whole != nullptr ? view_.whole->launch() : launch_;
  }
  // Whether a text for people may stand on a page: it names no URL of which something is hidden.
  bool may_speak_of(std::string_view text) const;

  // Opens the file in which the record of a capture stands at its offset: in its own folders, also while a crawl still writes
  // it, else where its sources say. ErrorCode::not_found names where it was looked for.
  Result<std::unique_ptr<io::File>> open_archive(const cdx::Capture& capture) const;
  // What of it cannot be used (files of its index, archives that were to be indexed), in words for people.
  std::vector<std::string> problems();
  // From pages/pages.jsonl; empty where there is none. Read anew only when the file has another size, and of a large
  // one only the beginning.
  std::shared_ptr<const PageList> pages() const;
  // Latest first.
  std::vector<collection::Launch> launches() const;

 private:
  Collection(io::Files& files, const Clock& clock, std::string name, std::string path, std::string index_folder);
  static Result<std::unique_ptr<Collection>> open_package(io::Files& files, const Clock& clock,
                                                          const std::string& path);
  Collection(Collection& whole, std::shared_ptr<const cdx::CaptureFilter> filter);
  Collection(std::string name, std::vector<std::shared_ptr<Collection>> members, Words words);
  std::shared_ptr<const PageList> pages_of_members() const;
  std::shared_ptr<const PageList> pages_as_seen() const;
  Result<void> limit_to(const std::string& launch);
  Result<void> index_archives(const std::string& where);
  std::vector<std::string> own_places(std::string_view filename) const;

  std::unique_ptr<io::Files> package_;  // what files_ is, for a collection in a package
  io::Files& files_;
  const Clock& clock_;
  // Another one, or several, as this one shows them.
  struct View {
    Collection* whole = nullptr;
    std::shared_ptr<const cdx::CaptureFilter> filter;
    std::vector<std::shared_ptr<Collection>> members;
    Words words;  // of members as one
  };
  const View view_;
  std::string name_;
  collection::Layout layout_;
  cdx::CaptureIndex index_;
  std::string launch_;
  std::unique_ptr<cdx::CaptureIndex> unlimited_;  // if index_ is limited to a launch
  std::map<std::string, std::string, std::less<>>
      indexed_;  // name in the index -> path, of archives indexed at opening
  std::vector<std::shared_ptr<sources::RecordSource>> records_;  // its own folders first
  struct Opening {
    std::vector<std::string> problems;
    std::optional<collection::Metadata> words;  // of what has no folder of its own
  };
  Opening opening_;  // as it was opened
  mutable std::mutex pages_mutex_;
  struct ReadPages {
    uint64_t size = 0;  // of the file
    std::shared_ptr<const PageList> list = std::make_shared<PageList>();
  };
  mutable ReadPages pages_;
};

std::unique_ptr<Collection> collection_in_memory(io::Files& files, const Clock& clock, std::string name,
                                                 std::string title, std::shared_ptr<sources::RecordSource> records);

// True for a folder that holds `archive`, `indexes` or a file of sources.
bool is_collection(io::Files& files, const std::string& path);

// The collections at `path`: the folder itself, the collections in it, or one archive file. An Error where there is
// nothing to serve, saying what was looked for. Each has the sources of its own file (sources::kSourceFile), and those of
// `sources`, a file for all, if it is not empty.
Result<std::vector<std::shared_ptr<Collection>>> open_collections(io::Files& files, const Clock& clock,
                                                                  const std::string& path,
                                                                  const std::string& launch = {},
                                                                  const std::string& sources = {});

}  // namespace caddis::replay
