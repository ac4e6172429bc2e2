// Where everything of a collection lies. Names only: no file is touched here.
//
//   <collection>/archive/*.warc.gz         WARC files of all crawls; ".open" behind the name while one is written
//   <collection>/mirror/<host>/…           documents as plain files, if a writer mirrors them
//   <collection>/archive-folders.txt       further folders with WARC files, if there are any
//   <collection>/indexes/*.cdxj, *.cdx     sorted indexes: <launch>.cdxj of a launch, index.cdxj of what was added
//   <collection>/pages/pages.jsonl         the pages of all launches
//   <collection>/crawls/<launch>/          launch.h
//   <collection>/crawls/lock               held by whoever crawls (lock.h)
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace caddis::collection {

// What the name of a WARC file ends in while it is written.
inline constexpr char kOpenSuffix[] = ".open";

class Layout {
 public:
  // `folder` is that of the collection, also a relative one.
  explicit Layout(std::string folder) : folder_(std::move(folder)) {}

  const std::string& folder() const { return folder_; }
  std::string archive() const { return inner("archive"); }
  std::string indexes() const { return inner("indexes"); }
  std::string pages() const { return inner("pages"); }
  std::string page_list() const { return pages() + "/pages.jsonl"; }
  std::string crawls() const { return inner("crawls"); }
  std::string lock_file() const { return crawls() + "/lock"; }
  // The index of what was added by `caddis index add`.
  std::string added_index() const { return indexes() + "/index.cdxj"; }
  // The index of one launch.
  std::string index_of(std::string_view launch) const;
  // The digest index that belongs to an index in that folder: "<launch>.digests" beside "<launch>.cdxj".
  std::string digests_of(std::string_view index_name) const;
  // The documents that a mirror has as plain files.
  std::string mirror() const { return inner("mirror"); }
  // Further folders with archive files: archive_folders.h.
  std::string archive_folder_list() const { return inner("archive-folders.txt"); }
  // A folder that settings name: one within the collection, unless it is a whole path.
  std::string within(std::string_view folder) const;
  // The folders that every collection has.
  std::vector<std::string> folders() const { return {archive(), crawls(), indexes(), pages()}; }

 private:
  std::string inner(std::string_view name) const;

  std::string folder_;
};

// True for the name of a sorted index: *.cdxj, *.cdx.
bool is_index_name(std::string_view file_name);

}  // namespace caddis::collection
