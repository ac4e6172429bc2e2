// The addresses with a key (origins.h) under which those who are logged in are shown captures: captured pages have no
// log-in, so the key says for whom they are. A key is worth what the log-in is: it ends when its user logs out, is
// removed, loses the role or gets another password, and after two hours without use. Whoever comes back is given another one.
//
// Any thread; what tells of the log-in may block.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "caddis/base/clock.h"
#include "caddis/replay/origins.h"
#include "caddis/viewing/rule.h"

namespace caddis::replay {

// Returns the text that stands for the log-in of a viewer as it is now; empty: there is none any more.
using Standing = std::function<std::string(const viewing::Viewer&)>;

class ViewerKeys {
 public:
  static constexpr Duration kLongestUnused = std::chrono::hours(2);

  // `secret`: that of the Origins. Without `standing`, keys end by time alone. `clock` must outlive it.
  ViewerKeys(std::string secret, const Clock& clock, Standing standing)
      : secret_(std::move(secret)), clock_(clock), standing_(std::move(standing)) {}
  // Whether it is known how log-ins stand.
  bool has_log_in() const { return static_cast<bool>(standing_); }
  // The key of a collection for that viewer; those who are not known share one. Leads nowhere if the log-in is another one by now
  // than when the viewer was let in.
  std::string key_of(std::string_view collection, const viewing::Viewer& viewer);
  // The owner of a key, with the standing by which it holds.
  std::optional<viewing::Viewer> viewer_of(std::string_view key, std::string_view collection);

 private:
  struct Owner {
    std::string collection, user, role, standing;
    SteadyTime used;
  };
  std::string standing_of(const viewing::Viewer& viewer) const { return standing_ ? standing_(viewer) : "-"; }
  bool is_used(const Owner& owner) const { return clock_.steady() - owner.used <= kLongestUnused; }
  std::string new_key(const std::string& subject);
  void make_room();

  const std::string secret_;
  const Clock& clock_;
  const Standing standing_;
  std::mutex mutex_;
  uint64_t made_ = 0;
  std::map<std::string, Owner, std::less<>> owners_;        // by key
  std::map<std::string, std::string, std::less<>> latest_;  // key by collection, user and role
};

// The same text (a target, a URL) with the key in it, if there is one, made unreadable: for logs. It stands behind the
// server's base path.
std::string hide_key(std::string_view text, std::string_view base = {});

}  // namespace caddis::replay
