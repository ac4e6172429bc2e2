// The settings of the section `alerts`: who is told of what happens to a crawl while nobody looks.
#pragma once

#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/settings/schema.h"

namespace caddis::alerts {

struct AlertSettings {
  std::vector<std::string> about = {"ends", "pauses", "alerts"};
  std::string webhook;
  std::vector<std::string> mail_to;
  std::string mail_from;
  std::string mail_command = "/usr/sbin/sendmail -t";
  Duration interval = std::chrono::minutes(1);

  bool tells_anybody() const { return !webhook.empty() || !mail_to.empty(); }
  bool operator==(const AlertSettings&) const = default;
};

}  // namespace caddis::alerts

namespace caddis::settings {
template <>
const Schema& schema_of<alerts::AlertSettings>();
}  // namespace caddis::settings
