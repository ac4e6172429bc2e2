#include "caddis/wacz/gather.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "caddis/cdx/capture_index.h"
#include "caddis/cdx/indexer.h"
#include "caddis/cdx/line.h"
#include "caddis/collection/archive_folders.h"
#include "caddis/collection/launch.h"
#include "caddis/wacz/each_line.h"

namespace caddis::wacz {
namespace {

bool is_packable(std::string_view name) { return name.ends_with(".warc.gz") || name.ends_with(".warc"); }

void add(Gathered& gathered, const std::string& path) {
  const std::string name(io::base_name(path));
  if (is_packable(name))
    gathered.archives.push_back({name, path});
  else if (name.ends_with(collection::kOpenSuffix))
    gathered.remarks.push_back(name + " is still being written, and left out");
  else
    gathered.remarks.push_back(name +
                               " is left out: a package holds .warc.gz and .warc files ('caddis warc convert' "
                               "and 'caddis warc recompress' make them)");
}

Result<std::set<std::string, std::less<>>> archives_of_index(io::Files& files, const std::string& index) {
  std::set<std::string, std::less<>> names;
  TRY(auto file, files.open_read(index));
  TRY_VOID(each_line(std::move(file), index, [&](std::string_view line) -> Result<void> {
    if (const auto capture = cdx::parse_line(line)) names.insert(capture->filename);
    return {};
  }));
  return names;
}

}  // namespace

Result<Gathered> gather_files(io::Files& files, const std::vector<std::string>& paths) {
  Gathered gathered;
  for (const std::string& path : paths) {
    TRY(const auto found, cdx::find_archives(files, path));
    for (const std::string& archive : found) add(gathered, archive);
  }
  return gathered;
}

Result<Gathered> gather_collection(io::Files& files, const std::string& collection, const std::string& launch) {
  const collection::Layout layout(collection);
  if (!files.is_directory(collection)) return fail(ErrorCode::not_found, collection + ": no such folder");
  Gathered gathered;
  if (launch.empty()) {
    for (const std::string& folder : collection::archive_folders(files, layout)) {
      if (!files.is_directory(folder)) continue;
      TRY(const auto found, cdx::find_archives(files, folder));
      for (const std::string& archive : found) add(gathered, archive);
    }
    if (files.exists(layout.page_list())) gathered.pages = layout.page_list();
    return gathered;
  }
  const collection::Launch one{collection, launch};
  if (!files.exists(one.index()))
    return fail(ErrorCode::not_found,
                fmt::format("{} is not there: the launch has not ended, or is none of {}", one.index(), collection));
  TRY(const auto names, archives_of_index(files, one.index()));
  for (const std::string& name : names) {
    const auto places = collection::places_of_archive(files, layout, name);
    const auto place = std::ranges::find_if(places, [&](const std::string& path) { return files.exists(path); });
    if (place == places.end())
      gathered.remarks.push_back(name + " is named by the index, but not there");
    else
      add(gathered, *place);
  }
  return gathered;
}

}  // namespace caddis::wacz
