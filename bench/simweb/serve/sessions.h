// The sessions of hosts with a form, and the pages that each still shows. Internal to serve/. Belongs to the server's thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "simweb/judge/recorder.h"
#include "simweb/world/settings.h"

namespace simweb {

class Sessions {
 public:
  // Both outlive it.
  Sessions(const WebSettings& settings, Recorder& recorder) : settings_(settings), recorder_(recorder) {}

  // Returns the cookie of a new session, if `body` is what the form of the host sends when it is filled in rightly.
  std::optional<std::string> begin(HostId host, std::string_view body);
  // Whether a Cookie field names a session of the host that still shows a page, which this one is then.
  bool shows(HostId host, std::string_view cookies);

 private:
  struct Session {
    std::string cookie;
    uint64_t left = 0;  // pages
    bool has_ended = false;
  };

  const WebSettings& settings_;
  Recorder& recorder_;
  // The latest session of a host alone: who logs in again has no use for others.
  std::unordered_map<HostId, Session> sessions_;
  uint64_t begun_ = 0;
};

}  // namespace simweb
