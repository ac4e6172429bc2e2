// Counts of the fetches of a step: by protocol, by kind of login, and with cookies. They are parts of the
// step in the processors report ("fetch/http2", "fetch/digest", "fetch/cookies-kept").
//
// Written by the lane alone; `report` may be called from any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <vector>

#include "caddis/cookies/cookie_counts.h"
#include "caddis/visit/step.h"

namespace caddis::visit {

class FetchCounts {
 public:
  // The fetch of the URL at hand, which is on record (record_fetch), and its login: Basic or Digest.
  void add(const Visit& visit);
  // A login by a form that has ended.
  void add_form(bool has_failed) { form_.add(has_failed); }
  void add(const cookies::CookieCounts& counts);

  void report(std::vector<StepPart>& parts) const;

 private:
  static constexpr auto kProtocols = std::to_array<std::string_view>({"http", "http2", "ftp", "sftp", "whois", "file"});

  struct Count {
    std::atomic<uint64_t> times = 0, failed = 0;

    void add(bool has_failed) {
      ++times;
      if (has_failed) ++failed;
    }
    StepPart part(std::string_view name) const {
      return {.name = name,
              .times = times.load(std::memory_order_relaxed),
              .failed = failed.load(std::memory_order_relaxed)};
    }
  };
  // Fields Set-Cookie by what became of them, and cookies that had to go.
  struct Cookies {
    Count kept, too_large, refused, over_domain, over_total;
  };

  std::array<Count, kProtocols.size()> protocols_;
  Count basic_, digest_, form_;
  Cookies cookies_;
};

}  // namespace caddis::visit
