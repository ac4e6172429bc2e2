#include "simweb/oracle/collection.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "caddis/collection/launch.h"
#include "caddis/logs/log_files.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/source.h"
#include "caddis/warc/views.h"

namespace simweb {
namespace {

using caddis::io::join_path;

constexpr size_t kMaxWarcinfo = 1 << 20;

// What the file's first record says; nothing where it does not say, or the file has none.
caddis::Result<std::string> crawl_of(caddis::io::Files& files, const std::string& path) {
  TRY(const auto file, files.open_read(path));
  const caddis::warc::FileSource source(*file);
  caddis::warc::Reader reader(source);
  TRY(caddis::warc::Record* const record, reader.next());
  if (record == nullptr || record->type() != caddis::warc::RecordType::warcinfo) return std::string();
  TRY(const std::string block, record->read_all(kMaxWarcinfo));
  for (auto& [name, value] : caddis::warc::parse_warc_fields(block))
    if (name == "caddis-crawl") return std::move(value);
  return std::string();
}

caddis::Result<void> find_archives(caddis::io::Files& files, const std::string& folder, CollectionFiles& found) {
  const std::string archive = caddis::collection::Layout(folder).archive();
  const std::string& where = files.is_directory(archive) ? archive : folder;
  TRY(const auto entries, files.list(where));
  for (const auto& entry : entries) {
    if (entry.name.find(".warc") == std::string::npos) continue;
    const std::string path = join_path(where, entry.name);
    auto crawl = crawl_of(files, path);
    if (!crawl) return caddis::pass(std::move(crawl.error()), path);
    found.archives.push_back({path, std::move(*crawl)});
  }
  return {};
}

caddis::Result<void> find_logs(caddis::io::Files& files, const std::string& folder, CollectionFiles& found) {
  TRY(const auto launches, caddis::collection::launch_folders(files, caddis::collection::Layout(folder)));
  for (const caddis::collection::Launch& launch : launches) {
    if (files.exists(launch.crawl_log())) found.logs.push_back({launch.crawl_log(), launch.name});
    std::vector<CollectionFile> outcomes;
    bool has_all = true;
    for (const char* log : {"http", "dns", "failures", "not-crawled"}) {
      TRY(const auto parts, caddis::logs::files_of_log(files, fmt::format("{}/{}.jsonl", launch.logs(), log)));
      has_all = has_all && !parts.empty();
      for (const std::string& part : parts) outcomes.push_back({part, launch.name});
    }
    if (has_all) found.outcome_logs.insert(found.outcome_logs.end(), outcomes.begin(), outcomes.end());
  }
  return {};
}

}  // namespace

caddis::Result<CollectionFiles> find_collection_files(caddis::io::Files& files, const std::string& folder,
                                                      const std::vector<std::string>& more_logs,
                                                      const std::string& only) {
  CollectionFiles found;
  TRY_VOID(find_archives(files, folder, found));
  TRY_VOID(find_logs(files, folder, found));
  for (const std::string& log : more_logs) found.logs.push_back({log, ""});
  std::set<std::string> crawls;
  for (const auto* list : {&found.archives, &found.logs})
    for (const CollectionFile& file : *list)
      if (!file.crawl.empty()) crawls.insert(file.crawl);
  if (!only.empty() && !crawls.contains(only)) {
    return caddis::fail(caddis::ErrorCode::not_found,
                        fmt::format("{}: no crawl {} in it{}{}", folder, only, crawls.empty() ? "" : "; there are ",
                                    fmt::join(crawls, ", ")));
  }
  for (auto* list : {&found.archives, &found.logs, &found.outcome_logs}) {
    for (CollectionFile& file : *list)
      if (file.crawl.empty() && crawls.size() == 1) file.crawl = *crawls.begin();
    if (!only.empty()) std::erase_if(*list, [&](const CollectionFile& file) { return file.crawl != only; });
  }
  return found;
}

}  // namespace simweb
