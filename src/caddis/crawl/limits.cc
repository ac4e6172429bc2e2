#include "caddis/crawl/limits.h"

#include <fmt/format.h>

#include "caddis/base/time_format.h"

namespace caddis::crawl {
namespace {

double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

class List {
 public:
  void documents(std::string_view name, uint64_t used, int64_t limit) {
    add(name, static_cast<double>(used), static_cast<double>(limit), std::to_string(used), std::to_string(limit));
  }
  void bytes(std::string_view name, uint64_t used, int64_t limit) {
    add(name, static_cast<double>(used), static_cast<double>(limit), format_size(static_cast<long long>(used)),
        format_size(limit));
  }
  void time(std::string_view name, Duration used, Duration limit) {
    add(name, seconds(used), seconds(limit), format_duration(std::chrono::floor<std::chrono::seconds>(used)),
        format_duration(limit));
  }
  std::vector<LimitUse> take() { return std::move(list_); }

 private:
  void add(std::string_view name, double used, double limit, std::string_view used_text, std::string_view limit_text) {
    if (limit > 0) list_.push_back({name, used, limit, fmt::format("{}: {} of {}", name, used_text, limit_text)});
  }
  std::vector<LimitUse> list_;
};

}  // namespace

std::vector<LimitUse> limits_in_use(const config::LimitSettings& settings, const LimitCounts& counts) {
  List list;
  list.documents("max-documents", counts.documents, settings.max_documents);
  list.bytes("max-bytes", counts.bytes, settings.max_bytes);
  list.bytes("max-novel-bytes", counts.novel_bytes, settings.max_novel_bytes);
  list.bytes("max-warc-bytes", counts.warc_bytes, settings.max_warc_bytes);
  list.time("max-time", counts.time, settings.max_time);
  list.time("max-silence", counts.silence, settings.max_silence);
  list.time("max-idle", counts.idle, settings.max_idle);
  return list.take();
}

std::optional<ReachedLimit> limit_reached(const config::LimitSettings& settings, const LimitCounts& counts) {
  for (const LimitUse& limit : limits_in_use(settings, counts)) {
    if (limit.used < limit.limit) continue;
    const std::string most = limit.text.substr(limit.text.rfind(" of ") + 4);
    return ReachedLimit{limit.name, fmt::format("reached {} ({})", limit.name, most)};
  }
  return std::nullopt;
}

void Activity::look(SteadyTime now, bool may_visit, uint64_t received, uint64_t begun, uint64_t visiting) {
  const Duration passed = looked_ && may_visit ? now - *looked_ : Duration(0);
  looked_ = now;
  silence_ = received == received_ ? silence_ + passed : Duration(0);
  idle_ = begun == begun_ && visiting == 0 ? idle_ + passed : Duration(0);
  received_ = received;
  begun_ = begun;
}

}  // namespace caddis::crawl
