// Conditions on records, from patterns of users. A record matches if all that are given hold; of a list one is enough.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/inspect/record_facts.h"
#include "caddis/warc/reader.h"

namespace re2 {
class RE2;
}

namespace caddis::inspect {

struct FilterOptions {
  std::vector<std::string> types;     // "response", "revisit", …
  std::vector<std::string> urls;      // regular expressions, found anywhere in the URL
  std::vector<std::string> statuses;  // "200", "4xx", "200-299"
  std::vector<std::string> mimes;     // "text/html", "image/*"
  std::string from, to;               // timestamps of 4 to 14 digits; both are included
  std::vector<std::string> headers;   // "Name: REGEX", of the record or of its HTTP message; all must hold
  bool inverted = false;              // those that do not match
};

class RecordFilter {
 public:
  // ErrorCode::config if something of it cannot be understood.
  static Result<RecordFilter> create(const FilterOptions& options);
  RecordFilter(RecordFilter&&) noexcept;
  RecordFilter& operator=(RecordFilter&&) noexcept;
  ~RecordFilter();

  bool matches(const warc::Record& record, const RecordFacts& facts) const;

 private:
  using Pattern = std::unique_ptr<re2::RE2>;

  RecordFilter();
  bool all_hold(const warc::Record& record, const RecordFacts& facts) const;
  bool date_holds(const warc::Header& header) const;
  bool status_holds(int status) const;
  bool mime_holds(const std::string& mime) const;
  bool headers_hold(const warc::Header& header, const RecordFacts& facts) const;

  std::vector<std::string> types_, mimes_;
  std::vector<Pattern> urls_;
  std::vector<std::pair<int, int>> statuses_;
  std::optional<WallTime> from_, to_;
  std::vector<std::pair<std::string, Pattern>> headers_;
  bool inverted_ = false;
};

}  // namespace caddis::inspect
