#include "caddis/harvestserver/announcer.h"

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <utility>

#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/harvest/notices.h"
#include "caddis/harvestserver/keeper.h"
#include "caddis/harvestserver/log_modules.h"

namespace caddis::harvestserver {
namespace {

constexpr int64_t kDay = 86'400;
constexpr size_t kMostHeard = 1000;  // lines that are kept in mind
constexpr std::string_view kMore = "the log of the server has more warnings today than are told: look into it";

alerts::Kind kind_of(harvest::NoticeKind kind) {
  switch (kind) {
    case harvest::NoticeKind::job:
      return alerts::Kind::end;
    case harvest::NoticeKind::still:
      return alerts::Kind::pause;
    case harvest::NoticeKind::file:
      return alerts::Kind::alert;
  }
  return alerts::Kind::alert;
}

std::string_view without_slash(std::string_view address) {
  while (address.ends_with('/')) address.remove_suffix(1);
  return address;
}

}  // namespace

Announcer::Announcer(aio::Loop& loop, alerts::Webhook& webhook, process::Programs& programs, const Parts& parts,
                     alerts::Subject subject)
    : parts_(parts), desk_(loop, webhook, programs, std::move(subject), std::bind_front(&Announcer::hears, this)) {}

bool Announcer::hears(std::string_view module, std::string_view text) {
  if (module == kJobsLog || module == kCopiesLog) return false;
  const int64_t now = parts_.now();
  const std::lock_guard lock(mutex_);
  std::erase_if(heard_, [&](const auto& one) { return now - one.second >= kDay; });
  std::string line = fmt::format("{}: {}", module, text);
  if (heard_.contains(line)) return false;
  if (heard_.size() >= kMostHeard) {
    if (heard_.emplace(std::string(kMore), now).second) desk_.tell(alerts::Kind::alert, std::string(kMore));
    return false;
  }
  return heard_.emplace(std::move(line), now).second;
}

void Announcer::look(int64_t since) {
  const HarvestSettings& settings = parts_.settings.harvest;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(settings.lost_after);
  harvest::NoticeRules rules{.silence = seconds.count(), .since = since, .least_free = settings.low_disk, .stores = {}};
  if (parts_.keeper != nullptr) rules.stores = parts_.keeper->names();
  const auto news =
      parts_.database.write([&](sql::Connection& c) { return harvest::new_notices(c, rules, parts_.now()); });
  if (!news) {
    log_error("harvest", "cannot look for what is to be told: {}", news.error().message);
    return;
  }
  const std::string_view address = without_slash(settings.address);
  for (const harvest::Notice& one : *news)
    desk_.tell(kind_of(one.kind), address.empty() ? one.text : fmt::format("{} {}/#{}", one.text, address, one.page));
}

}  // namespace caddis::harvestserver
