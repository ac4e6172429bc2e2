#include "caddis/crawl/crawl_log.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "caddis/base/fetch_status.h"
#include "caddis/base/json_text.h"
#include "caddis/commit/commit_group.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/visit/log_entry.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {
namespace {

bool is_arc(std::string_view file) { return file.ends_with(".arc") || file.ends_with(".arc.gz"); }

}  // namespace

// The lines of one group, where some wait for the places of their captures.
class CrawlLog::Write final : public commit::StagedWrite {
 public:
  Write(std::string lines, std::vector<Unfinished> unfinished)
      : lines_(std::move(lines)), unfinished_(std::move(unfinished)) {}

  Result<void> append(commit::GroupOutput& out) override {
    std::string text;
    size_t begin = 0;
    for (const Unfinished& line : unfinished_) {
      text.append(lines_, begin, line.end - 1 - begin).append(" ").append(extra_info(line)).append("\n");
      begin = line.end;
    }
    TRY_VOID(out.streams().append(kLogStream, text.append(lines_, begin)));
    return {};
  }

 private:
  // Heritrix's members, as far as there are any.
  static std::string extra_info(const Unfinished& line) {
    JsonObject object;
    if (line.size > 0) object.add("contentSize", line.size);
    if (line.place == nullptr || line.place->file.empty()) return object.finish();
    if (is_arc(line.place->file)) return object.add("arcFilename", line.place->file).finish();
    return object.add("warcFilename", line.place->file).add("warcFileOffset", line.place->offset).finish();
  }

  const std::string lines_;
  const std::vector<Unfinished> unfinished_;
};

Result<void> CrawlLog::open(store::StreamSet& streams) { return streams.open_stream(kLogStream, path_); }

void CrawlLog::stage(commit::CommitGroup& group) {
  if (unfinished_.empty()) return group.append(kLogStream, std::exchange(lines_, {}));
  group.add(std::make_unique<Write>(std::exchange(lines_, {}), std::exchange(unfinished_, {})));
}

void CrawlLog::add(const visit::LoggedVisit& visited) {
  const visit::LogEntry& entry = visited.entry;
  visit::append_log_line(lines_, entry, settings_.content_size);
  if (!settings_.extra_info) return;
  const bool is_answer = is_success(entry.status) && entry.status != status::kDnsOk;
  unfinished_.push_back({lines_.size(), is_answer ? entry.size : 0, visited.place});
}

void CrawlLog::on_final(visit::VisitResult& result) {
  for (const visit::LoggedVisit& visited : result.visited) add(visited);
}

void CrawlLog::on_deleted(const visit::LoggedVisit& record) { add(record); }

}  // namespace caddis::crawl
