// Which lines of a log are wanted: those that meet every kind of condition, and of each kind at least one.
//
// Hosts, domains and patterns are about the URL of a line; of a line of outlinks.jsonl about the page with the link.
//
// Immutable; any thread. No memory is allocated for a line, unless it is asked for by a pattern.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/logs/json_column.h"
#include "caddis/logs/json_line.h"
#include "caddis/logs/log_line.h"

namespace re2 {
class RE2;
}

namespace caddis::logs {

struct FilterOptions {
  std::vector<std::string> hosts;    // "a.example": exactly this one
  std::vector<std::string> domains;  // "example": it, and the hosts below it
  // "404", "5xx", "200-299", "-9998", "ok", "captured", "excluded", "failed"; words of the new logs: "dns-failed"
  std::vector<std::string> statuses;
  std::vector<std::string> mimes;        // "text/html", "image/*"
  std::vector<std::string> seeds, vias;  // URLs
  std::vector<std::string> annotations;  // beginnings; of lines of crawl.log
  // "rule=reject url", "domain=a.example": columns of lines in JSON; "-" or nothing: the line does not say
  std::vector<std::string> members;
  std::vector<std::string> regexes;  // RE2, somewhere in the URL
  std::string from, to;              // "2026-01-02T03", "20260102": `to` with all that it covers
};

class LogFilter {
 public:
  // ErrorCode::config for a condition that cannot be understood.
  static Result<LogFilter> create(const FilterOptions& options);
  LogFilter(LogFilter&&) noexcept;
  LogFilter& operator=(LogFilter&&) noexcept;
  ~LogFilter();

  bool matches(const LogLine& line) const;
  bool matches(const JsonLine& line) const;
  // Every line matches, whatever stands there.
  bool is_empty() const { return is_empty_; }

 private:
  struct StatusRange {
    int from = 0, to = 0;
    std::string outcome;  // or this: one of the three, or a word
  };

  LogFilter();
  Result<void> add_status(std::string_view text);
  bool matches_time(std::string_view time) const;
  bool matches_status(std::optional<int> status, std::string_view word, std::string_view url) const;
  bool matches_members(const JsonLine& line) const;
  bool matches_host(std::string_view host) const;
  bool matches_mime(std::string_view mime) const;
  bool matches_url(std::string_view url) const;

  FilterOptions options_;
  std::string from_, to_;  // digits
  std::vector<StatusRange> statuses_;
  std::vector<std::pair<JsonColumn, std::string>> members_;
  std::vector<std::unique_ptr<re2::RE2>> regexes_;
  bool is_empty_ = true;
};

}  // namespace caddis::logs
