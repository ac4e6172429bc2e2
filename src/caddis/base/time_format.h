// Dates as the field writes them. All in UTC.
#pragma once

#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"

namespace caddis {

std::string timestamp14(WallTime time);     // 20260102030405
std::string timestamp17(WallTime time);     // 20260102030405006
std::string rfc3339(WallTime time);         // 2026-01-02T03:04:05Z, seconds as in WARC 1.0
std::string rfc3339_millis(WallTime time);  // 2026-01-02T03:04:05.006Z
std::string rfc3339_micros(WallTime time);  // 2026-01-02T03:04:05.000006Z, as WARC 1.1 allows
std::string http_date(WallTime time);       // Fri, 02 Jan 2026 03:04:05 GMT (RFC 9110, 5.6.7)

// 1 to 17 digits; a short one stands for the first instant of what it names ("2026" is 2026-01-01T00:00:00Z).
Result<WallTime> parse_timestamp(std::string_view digits);
// The last second (of a 14-digit stamp) that a short one covers: "2026" is 2026-12-31T23:59:59Z.
Result<WallTime> parse_timestamp_end(std::string_view digits);
// W3CDTF of any granularity (WARC-Date): 2026, 2026-01, 2026-01-02, 2026-01-02T03:04Z, with up to nine fractional
// digits.
Result<WallTime> parse_w3c_date(std::string_view text);
// The three date forms of RFC 9110 (IMF-fixdate, RFC 850, asctime).
Result<WallTime> parse_http_date(std::string_view text);

// Durations for people: "1h30m", "250ms", "2d"; a bare number is seconds. Refuses anything else.
Result<Duration> parse_duration(std::string_view text);
std::string format_duration(Duration duration);  // 1h30m, 2m5s, 250ms, 0s
// Sizes for people: "4GB" (decimal), "4GiB" (binary), a bare number is bytes.
Result<long long> parse_size(std::string_view text);
std::string format_size(long long bytes);  // 1.5 GB

}  // namespace caddis
