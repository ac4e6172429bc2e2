// The frontier of a crawl, to be looked at: of one that runs through the control API, of a stopped one by the command
// line, with the same paths and queries (GET /queues, /hosts/{host}, /url and /urls of api/openapi.yaml).
//
// Belongs to the loop of the crawl.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/control/router.h"
#include "caddis/frontier/frontier.h"

namespace caddis::control {

// A URL as it would be scheduled, and the sheets that hold for it.
struct AskedUrl {
  frontier::ScheduledUrl scheduled;
  std::vector<std::string> sheets;
};

struct FrontierView {
  frontier::Frontier& frontier;
  std::function<Result<AskedUrl>(std::string_view url)> ask_about;
  // Lists of queues hold those that are not resident as well.
  bool reads_all_rows = false;
};

// The handlers of these paths: each returns a document as JSON.
Result<std::string> list_queues(const FrontierView& view, const Call& call);
Result<std::string> explain_host(const FrontierView& view, const Call& call);
Result<std::string> explain_url(const FrontierView& view, const Call& call);
Result<std::string> list_waiting(const FrontierView& view, const Call& call);

// The URLs that a query selects by host, regex (RE2, found anywhere in the URL), limit, marker, nearest.
Result<frontier::WaitingQuery> waiting_query(const Parameters& parameters);

}  // namespace caddis::control
