#include "caddis/repair/earlier_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "caddis/base/counted.h"
#include "caddis/base/strings.h"
#include "caddis/repair/lost_captures.h"
#include "caddis/repair/store_rows.h"
#include "caddis/store/stream_repair.h"

namespace caddis::repair {
namespace {

constexpr uint64_t kMostList = uint64_t{1} << 30;

Result<store::StreamRepair> open_streams(const Subject& subject) {
  return store::StreamRepair::open(subject.files, subject.kv, kStreams, subject.orphans, subject.launch.collection);
}

bool counts(const store::ShortFile& file) { return file.stream != kSeenStream && file.stream != kCdxStream; }

bool is_moved(const store::ShortFile& file, MissingFiles word) {
  return word == MissingFiles::moved && file.is_missing && is_archive_stream(file.stream) && file.is_complete;
}

std::string loss_of(const store::ShortFile& file, MissingFiles word) {
  if (is_moved(file, word))
    return fmt::format("{} is not there any more: it was moved, and its captures stand", file.path);
  if (file.is_missing) return fmt::format("{} is not there any more", file.path);
  return fmt::format("{}: the disk has lost {} that it had said were safe", file.path,
                     counted(file.committed - file.found, "byte"));
}

std::string loss_of_captures(const EarlierDamage& damage) {
  std::string told = fmt::format("{} in what is gone", counted(damage.urls.size(), "capture was", "captures were"));
  if (!damage.requests.empty()) told += fmt::format(", and {} to a POST", counted(damage.requests.size(), "answer"));
  return damage.why_unknown.empty() ? told : fmt::format("{}, and perhaps others: {}", told, damage.why_unknown);
}

std::string way_out(const EarlierDamage& damage, MissingFiles word) {
  const bool is_missing = std::ranges::any_of(damage.damaged, &store::ShortFile::is_missing);
  if (!is_missing || can_settle(damage, word)) return {};
  return "put what is missing back (a link will do), or say what became of it: '--missing moved' where finished WARC "
         "files "
         "are kept elsewhere now; '--missing lost' writes the URLs of what was captured in them into a list for the "
         "next "
         "crawl";
}

// The lines that are there, and those that are new.
Result<void> add_to_list(const Subject& subject, const std::vector<std::string>& urls) {
  const std::string path = lost_urls_file(subject.launch);
  std::set<std::string> all(urls.begin(), urls.end());
  if (subject.files.exists(path)) {
    TRY(const std::string before, subject.files.read_all(path, kMostList));
    for (const std::string_view line : split(before, '\n'))
      if (!line.empty()) all.emplace(line);
  }
  return subject.files.write_atomically(path, fmt::format("{}\n", fmt::join(all, "\n")));
}

}  // namespace

std::string lost_urls_file(const collection::Launch& launch) { return launch.folder() + "/lost-urls.txt"; }

Result<EarlierDamage> inspect_earlier(const Subject& subject) {
  EarlierDamage found;
  found.launch = subject.launch.name;
  TRY(const auto streams, open_streams(subject));
  TRY(found.damaged, streams.shorter());
  for (const store::ShortFile& file : found.damaged)
    if (file.stream == kCdxStream) found.why_unknown = fmt::format("the index journal {} is not whole", file.path);
  std::erase_if(found.damaged, [](const store::ShortFile& file) { return !counts(file); });
  std::vector<store::ShortFile> archives;
  std::ranges::copy_if(found.damaged, std::back_inserter(archives),
                       [](const store::ShortFile& file) { return is_indexed_archive_stream(file.stream); });
  auto lost = find_lost_captures(subject.files, streams.parts(kCdxStream), archives);
  if (lost) {
    found.urls = std::move(lost->urls);
    found.requests = std::move(lost->requests);
  } else {
    found.why_unknown = lost.error().message;
  }
  return found;
}

bool can_settle(const EarlierDamage& damage, MissingFiles word) {
  return word == MissingFiles::lost || std::ranges::all_of(damage.damaged, [&](const store::ShortFile& file) {
           return !file.is_missing || is_moved(file, word);
         });
}

std::vector<std::string> sentences(const EarlierDamage& damage, MissingFiles word) {
  std::vector<std::string> told;
  if (damage.damaged.empty()) return told;
  for (const store::ShortFile& file : damage.damaged) told.push_back(loss_of(file, word));
  const auto stands = [&](const store::ShortFile& file) { return is_moved(file, word); };
  if (!std::ranges::all_of(damage.damaged, stands)) told.push_back(loss_of_captures(damage));
  if (std::string way = way_out(damage, word); !way.empty()) told.push_back(std::move(way));
  return told;
}

// The list is written first: whoever dies behind it finds the same damage again.
Result<std::vector<std::string>> settle(const Subject& subject, const EarlierDamage& damage, MissingFiles word) {
  std::vector<std::string> done = sentences(damage, word);
  if (!can_settle(damage, word)) return fail(ErrorCode::config, way_out(damage, word));
  std::vector<store::ShortFile> gone;
  for (const store::ShortFile& file : damage.damaged)
    if (!is_moved(file, word)) gone.push_back(file);
  if (!gone.empty() && !damage.urls.empty()) {
    TRY_VOID(add_to_list(subject, damage.urls));
    done.push_back(fmt::format("their URLs are in {}: give them to the next crawl (caddis crawl --seeds FILE)",
                               lost_urls_file(subject.launch)));
  }
  TRY(auto streams, open_streams(subject));
  for (const store::ShortFile& file : damage.damaged) streams.cut(file.path, file.is_missing ? 0 : file.found);
  TRY_VOID(streams.move_aside());
  store::Batch batch;
  streams.stage(batch);
  TRY_VOID(subject.kv.write(batch, store::Durability::synced));
  return done;
}

}  // namespace caddis::repair
