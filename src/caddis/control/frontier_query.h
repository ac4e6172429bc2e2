// Questions to the frontier as they stand in a request's query: "host=a.example&regex=%5C.pdf%24&limit=50". The command
// line asks a stopped crawl with the same words.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/crawl/operator.h"
#include "caddis/frontier/frontier.h"

namespace caddis::control {

using Parameters = std::map<std::string, std::string, std::less<>>;

// ErrorCode::parse where there is one that is not among `known` (blank-separated).
Result<Parameters> parse_parameters(std::string_view query, std::string_view known);
// "1", "true", "yes" or nothing after the name; "0", "false", "no".
Result<bool> flag(const Parameters& parameters, std::string_view name, bool otherwise);
// host, regex (RE2, found anywhere in the URL), limit (1 to 10,000), marker, nearest.
Result<frontier::WaitingQuery> waiting_query(const Parameters& parameters);

// A URL as it would be scheduled, and the sheets that hold for it.
struct AskedUrl {
  frontier::ScheduledUrl scheduled;
  std::vector<std::string> sheets;
};

// The answer to GET /queues, /hosts/<host>, /url and /urls as JSON; ErrorCode::unsupported for any other path. `all`:
// every row is read for /queues.
Result<std::string> look(frontier::Frontier& frontier, std::string_view path, std::string_view query, bool all,
                         const std::function<Result<AskedUrl>(std::string_view)>& ask_about);

}  // namespace caddis::control
