// Events of a crawl, or of a server, that people want to hear of, and the messages that tell of them. Plain values, any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/alerts/alert_settings.h"
#include "caddis/base/clock.h"

namespace caddis::alerts {

enum class Kind : uint8_t { end, pause, alert };
inline constexpr std::array kKinds = {Kind::end, Kind::pause, Kind::alert};
// As the setting `alerts.about` has it: "ends".
std::string_view name_of(Kind kind);

struct Event {
  Kind kind = Kind::alert;
  WallTime time{};
  std::string text;
};

// The crawl that is spoken of, or the server.
struct Subject {
  std::string name;  // of a crawl, that of its launch
  std::string folder;
  std::string host;                 // the machine
  std::string_view word = "crawl";  // for what it is
};

struct Message {
  std::vector<Event> events;
  uint64_t left_out = 0;  // further events, which were too many
};

// The subject's word names it:
// {"crawl": …, "folder": …, "host": …, "events": [{"kind": …, "time": …, "text": …}], "left_out": 0}
std::string to_json(const Subject& subject, const Message& message);
// A mail with its headers. Nothing of an event can become a header.
std::string to_mail(const Subject& subject, const Message& message, const AlertSettings& settings);

}  // namespace caddis::alerts
