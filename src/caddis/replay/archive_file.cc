#include "caddis/replay/archive_file.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/log.h"
#include "caddis/sources/record_source.h"

namespace caddis::replay {
namespace {

// Takes what stands in front of the next separator, and both off.
std::string_view take_part(std::string_view& text, std::string_view separator) {
  const size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + separator.size());
  return part;
}

// "cannot open /data/a.warc" as "cannot open a.warc". The first part of a sentence names the thing alone, by a path that may be
// relative; an address stays as it is.
std::string without_folders(std::string_view part, bool is_first) {
  if (part.contains("://")) return std::string(part);
  size_t path = part.starts_with('/') ? 0 : part.find(" /");
  if (path == part.npos && !is_first) return std::string(part);
  path = path == part.npos ? 0 : part.find('/', path);
  return std::string(part.substr(0, path)) + std::string(io::base_name(part.substr(path)));
}

// A memento of another archive, whose file has its address for a name.
bool is_address(std::string_view name) { return name.contains("://"); }

// The sentences of an error, each once, with the names of files for their paths. `name` is that of the file.
std::string for_readers(std::string_view message, const std::string& name) {
  std::vector<std::string> sentences;
  while (!message.empty()) {
    std::string_view rest = take_part(message, "; ");
    const std::string_view first = take_part(rest, ": ");
    std::string sentence = is_address(name) && first.ends_with('/' + name) ? name : without_folders(first, true);
    while (!rest.empty()) sentence += ": " + without_folders(take_part(rest, ": "), false);
    if (std::ranges::find(sentences, sentence) == sentences.end()) sentences.push_back(std::move(sentence));
  }
  std::string told;
  for (const std::string& sentence : sentences) told += (told.empty() ? "" : "; ") + sentence;
  return told;
}

// Whether it was not told yet. A bounded number is remembered; further files are not told.
bool is_new(const Collection& collection, const std::string& file) {
  constexpr size_t kMost = 10'000;
  static std::mutex mutex;
  static std::set<std::pair<std::string, std::string>> told;
  const std::scoped_lock lock(mutex);
  return told.size() < kMost && told.emplace(collection.path(), file).second;
}

}  // namespace

Result<std::unique_ptr<io::File>> open_for_reader(const Collection& collection, const cdx::Capture& capture) {
  auto file = collection.open_archive(capture);
  if (file || !sources::check_file_name(capture.filename)) return file;
  const auto& [code, message] = file.error();
  // The other archive tells of its own, and an index that leads elsewhere has nothing there.
  if (is_address(capture.filename)) return fail(code, for_readers(message, capture.filename));
  if (is_new(collection, capture.filename)) log_warn("replay", "{}: {}", collection.name(), message);
  return fail(ErrorCode::io, for_readers(message, capture.filename));
}

}  // namespace caddis::replay
