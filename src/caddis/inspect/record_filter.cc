#include "caddis/inspect/record_filter.h"

#include <re2/re2.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/warc/payload.h"
#include "fmt/format.h"

namespace caddis::inspect {
namespace {

std::unexpected<Error> wrong(std::string_view what, std::string_view value, std::string_view instead) {
  return fail(ErrorCode::config, fmt::format("{} \"{}\" is none: {}", what, value, instead));
}

Result<std::unique_ptr<re2::RE2>> pattern_of(std::string_view text) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  auto pattern = std::make_unique<re2::RE2>(re2::StringPiece(text.data(), text.size()), options);
  if (!pattern->ok()) return wrong("the regular expression", text, pattern->error());
  return pattern;
}

bool found(const re2::RE2& pattern, std::string_view text) {
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), pattern);
}

// "200", "4xx", "200-299".
Result<std::pair<int, int>> statuses_of(std::string_view text) {
  const auto unknown = [&] { return wrong("the status", text, "write 200, 4xx or 200-299"); };
  if (text.size() == 3 && is_digit(text[0]) && to_lower(text.substr(1)) == "xx") {
    const int hundred = (text[0] - '0') * 100;
    return std::pair(hundred, hundred + 99);
  }
  const size_t dash = text.find('-');
  const auto first = parse_int(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : parse_int(text.substr(dash + 1));
  if (!first || !last || *first < 0 || *last > 999 || *first > *last) return unknown();
  return std::pair(static_cast<int>(*first), static_cast<int>(*last));
}

}  // namespace

RecordFilter::RecordFilter() = default;
RecordFilter::RecordFilter(RecordFilter&&) noexcept = default;
RecordFilter& RecordFilter::operator=(RecordFilter&&) noexcept = default;
RecordFilter::~RecordFilter() = default;

Result<RecordFilter> RecordFilter::create(const FilterOptions& options) {
  RecordFilter filter;
  filter.inverted_ = options.inverted;
  for (const std::string& type : options.types) filter.types_.push_back(to_lower(type));
  for (const std::string& mime : options.mimes) filter.mimes_.push_back(to_lower(mime));
  for (const std::string& url : options.urls) {
    TRY(auto pattern, pattern_of(url));
    filter.urls_.push_back(std::move(pattern));
  }
  for (const std::string& status : options.statuses) {
    TRY(const auto range, statuses_of(status));
    filter.statuses_.push_back(range);
  }
  if (!options.from.empty()) {
    TRY(filter.from_, parse_timestamp(options.from));
  }
  if (!options.to.empty()) {
    TRY(filter.to_, parse_timestamp_end(options.to));
    *filter.to_ += std::chrono::seconds(1);  // all of the last second counts
  }
  for (const std::string& header : options.headers) {
    const size_t colon = header.find(':');
    if (colon == std::string::npos) return wrong("the condition", header, "write 'Name: REGEX'");
    TRY(auto pattern, pattern_of(trim(std::string_view(header).substr(colon + 1))));
    filter.headers_.emplace_back(trim(std::string_view(header).substr(0, colon)), std::move(pattern));
  }
  return filter;
}

bool RecordFilter::matches(const warc::Record& record, const RecordFacts& facts) const {
  return all_hold(record, facts) != inverted_;
}

bool RecordFilter::all_hold(const warc::Record& record, const RecordFacts& facts) const {
  const warc::Header& header = record.header();
  if (!types_.empty() && std::ranges::find(types_, to_lower(header.get("WARC-Type"))) == types_.end()) return false;
  const auto in_url = [&](const Pattern& pattern) { return found(*pattern, header.target_uri()); };
  if (!urls_.empty() && std::ranges::none_of(urls_, in_url)) return false;
  return date_holds(header) && status_holds(facts.status) && mime_holds(facts.mime) && headers_hold(header, facts);
}

bool RecordFilter::date_holds(const warc::Header& header) const {
  if (!from_ && !to_) return true;
  const auto date = header.date();
  return date && (!from_ || *date >= *from_) && (!to_ || *date < *to_);
}

bool RecordFilter::status_holds(int status) const {
  if (statuses_.empty()) return true;
  return std::ranges::any_of(statuses_,
                             [&](const auto& range) { return status >= range.first && status <= range.second; });
}

bool RecordFilter::mime_holds(const std::string& mime) const {
  if (mimes_.empty()) return true;
  return std::ranges::any_of(mimes_, [&](const std::string& wanted) {
    if (wanted.ends_with("/*")) return mime.starts_with(std::string_view(wanted).substr(0, wanted.size() - 1));
    return mime == wanted;
  });
}

bool RecordFilter::headers_hold(const warc::Header& header, const RecordFacts& facts) const {
  const warc::HttpHead http(facts.http_head);
  return std::ranges::all_of(headers_, [&](const auto& wanted) {
    const auto& [name, pattern] = wanted;
    const auto values = header.all(name);
    const auto matches = [&](std::string_view value) { return found(*pattern, value); };
    if (std::ranges::any_of(values, matches)) return true;
    const std::string_view in_message = http.get(name);
    return !in_message.empty() && matches(in_message);
  });
}

}  // namespace caddis::inspect
