#include "caddis/text/time_zone.h"

#include <fmt/format.h>
#include <unicode/basictz.h>
#include <unicode/timezone.h>
#include <unicode/tztrans.h>

#include <string>

#include "caddis/base/visible.h"

namespace caddis::text {
namespace {

UDate milliseconds(std::chrono::sys_seconds moment) {
  return static_cast<UDate>(moment.time_since_epoch().count()) * U_MILLIS_PER_SECOND;
}

}  // namespace

struct TimeZone::Data {
  std::unique_ptr<const icu::TimeZone> zone;
};

TimeZone::TimeZone(std::unique_ptr<const Data> data) : data_(std::move(data)) {}
TimeZone::~TimeZone() = default;

Result<std::shared_ptr<const TimeZone>> TimeZone::find(std::string_view name) {
  const auto id = icu::UnicodeString::fromUTF8(icu::StringPiece(name.data(), static_cast<int32_t>(name.size())));
  std::unique_ptr<const icu::TimeZone> zone(icu::TimeZone::createTimeZone(id));
  if (zone == nullptr || *zone == icu::TimeZone::getUnknown())
    return fail(ErrorCode::config, fmt::format("'{}' is no time zone, such as Europe/Vienna or UTC", visible(name)));
  return std::shared_ptr<const TimeZone>(new TimeZone(std::make_unique<const Data>(std::move(zone))));
}

std::chrono::seconds TimeZone::offset_at(std::chrono::sys_seconds moment) const {
  int32_t standard = 0, summer = 0;
  UErrorCode error = U_ZERO_ERROR;
  data_->zone->getOffset(milliseconds(moment), 0, standard, summer, error);
  return std::chrono::seconds((standard + summer) / U_MILLIS_PER_SECOND);
}

std::optional<std::chrono::sys_seconds> TimeZone::next_change(std::chrono::sys_seconds moment) const {
  const auto* const zone = dynamic_cast<const icu::BasicTimeZone*>(data_->zone.get());
  icu::TimeZoneTransition change;
  if (zone == nullptr || !zone->getNextTransition(milliseconds(moment), 0, change)) return {};
  return std::chrono::sys_seconds(std::chrono::seconds(static_cast<int64_t>(change.getTime() / U_MILLIS_PER_SECOND)));
}

}  // namespace caddis::text
