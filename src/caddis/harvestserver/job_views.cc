#include "caddis/harvestserver/job_views.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/collection/layout.h"
#include "caddis/collection/metadata.h"
#include "caddis/io/links.h"

namespace caddis::harvestserver {

JobViews::JobViews(io::Files& files, const std::string& data_folder)
    : files_(files), folder_(data_folder + "/shown"), archive_(data_folder + "/archive") {}

Result<void> JobViews::begin() {
  if (files_.exists(folder_)) TRY_VOID(io::remove_tree(folder_));
  TRY_VOID(files_.make_dirs(folder_));
  // A folder with one of the name "archive" would be a collection itself.
  return io::make_link(archive_, folder_ + "/harvests");
}

Result<std::string> JobViews::show(int64_t job, const std::string& title, const std::vector<std::string>& indexes) {
  const std::string name = fmt::format("job-{}", job);
  const std::lock_guard lock(mutex_);
  if (const auto known = std::ranges::find(shown_, name); known != shown_.end()) {
    // It may have brought more since.
    TRY_VOID(link_indexes(folder_ + "/" + name, indexes));
    shown_.erase(known);
  } else {
    TRY_VOID(make(name, title, indexes));
  }
  shown_.push_front(name);
  while (shown_.size() > kMost) {
    TRY_VOID(io::remove_tree(folder_ + "/" + shown_.back()));
    shown_.pop_back();
  }
  return name;
}

Result<void> JobViews::link_indexes(const std::string& view, const std::vector<std::string>& indexes) const {
  const collection::Layout whole(archive_), one(view);
  for (const std::string& index : indexes)
    TRY_VOID(io::make_link(whole.indexes() + "/" + index, one.indexes() + "/" + index));
  return {};
}

// Under another name first: it is there as a whole.
Result<void> JobViews::make(const std::string& name, const std::string& title,
                            const std::vector<std::string>& indexes) const {
  const std::string begun = fmt::format("{}/.{}", folder_, name), place = folder_ + "/" + name;
  const collection::Layout whole(archive_), one(begun);
  if (files_.exists(begun)) TRY_VOID(io::remove_tree(begun));
  TRY_VOID(files_.make_dirs(one.indexes()));
  TRY_VOID(link_indexes(begun, indexes));
  TRY_VOID(io::make_link(whole.archive(), one.archive()));
  // The rules of the archive hold for this, too; they may be written later.
  TRY_VOID(io::make_link(archive_ + "/access.yaml", begun + "/access.yaml"));
  TRY_VOID(collection::change_metadata(files_, one, {{"title", title}}));
  return files_.rename(begun, place);
}

}  // namespace caddis::harvestserver
