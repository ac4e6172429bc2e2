#include "caddis/replay/crawl_log.h"

#include <algorithm>
#include <optional>

#include "caddis/base/fetch_status.h"
#include "caddis/base/strings.h"

namespace caddis::replay {
namespace {

constexpr size_t kChunk = 4u << 20;
constexpr size_t kMaxVisits = 20;

// Fields are padded with blanks: the next one, cut from the front of `line`.
std::string_view take_field(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(word.size());
  return word;
}

std::optional<LoggedVisit> parse_visit(std::string_view line, std::string_view url) {
  LoggedVisit visit;
  visit.time = take_field(line);
  const auto status = parse_int(take_field(line));
  (void)take_field(line);
  if (!status || take_field(line) != url) return std::nullopt;
  visit.status = static_cast<int>(*status);
  for (int i = 5; i <= 11; ++i) (void)take_field(line);
  visit.annotations = take_field(line);
  return visit;
}

// Of whole lines, the last of which may still be being written.
std::vector<LoggedVisit> visits_in(std::string_view lines, std::string_view url) {
  std::vector<LoggedVisit> found;
  const std::string needle = ' ' + std::string(url) + ' ';
  for (size_t hit = lines.find(needle); hit != std::string_view::npos; hit = lines.find(needle, hit + 1)) {
    const size_t before = lines.rfind('\n', hit);
    const size_t start = before == std::string_view::npos ? 0 : before + 1;
    const size_t end = lines.find('\n', hit);
    if (end == std::string_view::npos) break;
    if (auto visit = parse_visit(lines.substr(start, end - start), url)) found.push_back(*std::move(visit));
  }
  return found;
}

}  // namespace

CrawlLogSearch::CrawlLogSearch(io::Files& files, const collection::Launch& launch, std::string_view url)
    : launch_(launch.name), url_(url) {
  const std::string path = launch.crawl_log();
  auto file = files.exists(path) ? files.open_read(path) : fail(ErrorCode::not_found, path);
  if (!file) return;
  const auto size = (*file)->size();
  if (!size) return;
  file_ = *std::move(file);
  end_ = *size;
  found_.complete = end_ == 0;
}

bool CrawlLogSearch::finish(bool complete) {
  found_.complete = complete;
  std::vector<LoggedVisit>& visits = found_.visits;
  if (visits.size() > kMaxVisits) visits.erase(visits.begin(), visits.end() - kMaxVisits);
  file_.reset();
  return true;
}

bool CrawlLogSearch::step() {
  if (!file_) return true;
  if (end_ == 0 || found_.visits.size() >= kMaxVisits) return finish(true);
  const uint64_t start = end_ > kChunk ? end_ - kChunk : 0;
  std::string buffer(end_ - start, '\0');
  const auto got = file_->read_at(start, buffer.data(), buffer.size());
  if (!got || *got != buffer.size()) return finish(false);
  end_ = start;
  buffer += rest_;
  const size_t lines = start == 0 ? 0 : buffer.find('\n') + 1;  // 0 also where none begins here
  rest_ = start == 0 || lines == 0 ? std::string() : buffer.substr(0, lines);
  if (start > 0 && lines == 0) return false;  // no line of a crawl is so long
  std::vector<LoggedVisit> found = visits_in(std::string_view(buffer).substr(lines), url_);
  for (LoggedVisit& visit : found) visit.launch = launch_;
  found.insert(found.end(), found_.visits.begin(), found_.visits.end());
  found_.visits = std::move(found);
  return end_ == 0 ? finish(true) : false;
}

LogSearch find_in_crawl_log(io::Files& files, const collection::Launch& launch, std::string_view url,
                            const Clock& clock, SteadyTime until) {
  CrawlLogSearch search(files, launch, url);
  while (clock.steady() < until)
    if (search.step()) break;
  return std::move(search.found());
}

std::string_view words_for_status(int status) {
  if (const StatusInfo* const info = find_status(status); info != nullptr && !info->reason.empty()) return info->reason;
  if (is_success(status)) return "its server answered, and the answer should be in the archive";
  return "the crawler gave no reason that is known here";
}

}  // namespace caddis::replay
