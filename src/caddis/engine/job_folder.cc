#include "caddis/engine/job_folder.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/base/visible.h"
#include "caddis/io/links.h"

namespace caddis::engine {
namespace {

constexpr size_t kLongestName = 64;
constexpr size_t kStampLength = 14;
constexpr uint64_t kTail = 256 * 1024;  // bytes of job.log that are looked at
constexpr size_t kLongestLine = 4000;

bool is_name_char(char c) { return is_alnum(c) || c == '.' || c == '_' || c == '-'; }

}  // namespace

bool is_job_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && name.front() != '.' && name.front() != '-' &&
         std::ranges::all_of(name, is_name_char);
}

bool is_launch_name(std::string_view name) {
  if (name.size() < kStampLength || !std::ranges::all_of(name.substr(0, kStampLength), is_digit)) return false;
  const std::string_view rest = name.substr(kStampLength);
  return rest.empty() ||
         (rest.size() > 1 && rest.size() < 6 && rest[0] == '-' && std::ranges::all_of(rest.substr(1), is_digit));
}

bool JobFolder::has_config() const { return files_->exists(yaml()) || files_->exists(cxml()); }

bool JobFolder::is_cxml() const { return !files_->exists(yaml()) && files_->exists(cxml()); }

std::vector<std::string> JobFolder::launches() const {
  std::vector<std::string> found;
  const auto entries = files_->list(path_);
  if (!entries) return found;
  for (const io::DirectoryEntry& entry : *entries)
    if (entry.is_directory && !entry.is_link && is_launch_name(entry.name)) found.push_back(entry.name);
  // "…-10" follows "…-9".
  std::ranges::sort(found, {}, [](const std::string& name) {
    return std::pair(name.substr(0, kStampLength),
                     name.size() > kStampLength ? parse_int(name.substr(kStampLength + 1)).value_or(0) : 0);
  });
  return found;
}

Result<std::string> JobFolder::find_launch(std::string_view name) const {
  const std::vector<std::string> all = launches();
  if (name == "latest" && !all.empty()) return all.back();
  if (std::ranges::count(all, name) > 0) return std::string(name);
  return fail(ErrorCode::not_found, fmt::format("job '{}' has no launch '{}'", io::base_name(path_), name));
}

std::optional<collection::Launch> JobFolder::crawl_of(std::string_view launch_name) const {
  const auto found = collection::latest_launch(*files_, launch(launch_name));
  return found ? *found : std::nullopt;
}

Result<std::string> JobFolder::make_launch(WallTime now) const {
  const std::string stamp = timestamp14(now);
  std::string name = stamp;
  for (int number = 2; files_->exists(launch(name)); ++number) name = fmt::format("{}-{}", stamp, number);
  TRY_VOID(files_->make_dirs(launch(name)));
  return name;
}

bool JobFolder::link(std::string_view launch_name) const {
  const std::string folder = launch(launch_name);
  (void)io::make_link(std::string(launch_name), path_ + "/latest");
  const auto crawl = crawl_of(launch_name);
  if (!crawl) return false;
  bool done = true;
  for (const std::string_view name : {"logs", "reports", "state", "crawl.yaml"})
    done &=
        io::make_link(fmt::format("crawls/{}/{}", crawl->name, name), fmt::format("{}/{}", folder, name)).has_value();
  return io::make_link("archive", folder + "/warcs").has_value() && done;
}

void JobFolder::write_log(WallTime now, std::string_view level, std::string_view text) const {
  const auto file = files_->open_append(log());
  if (!file) return;
  std::string lines;
  for (const std::string_view line : split(trim(text), '\n'))
    lines += fmt::format("{} {} {}\n", rfc3339(now), level, visible(line, kLongestLine));
  (void)(*file)->append(lines);
}

std::vector<std::string> JobFolder::log_tail(size_t lines) const {
  std::vector<std::string> tail;
  const auto file = files_->open_read(log());
  if (!file) return tail;
  const uint64_t size = (*file)->size().value_or(0);
  const uint64_t begin = size > kTail ? size - kTail : 0;
  std::string text(size - begin, '\0');
  text.resize((*file)->read_at(begin, text.data(), text.size()).value_or(0));
  for (const std::string_view line : split(text, '\n'))
    if (!line.empty()) tail.emplace_back(line);
  if (tail.size() > lines) tail.erase(tail.begin(), tail.end() - static_cast<std::ptrdiff_t>(lines));
  return tail;
}

}  // namespace caddis::engine
