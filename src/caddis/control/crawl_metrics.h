// The metrics of a crawl, for Prometheus: one table, of which the answer to GET /metrics and docs/metrics.md are made.
//
// On the crawl's loop, but for the page.
#pragma once

#include <string>

#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/control/router.h"
#include "caddis/crawl/operator.h"
#include "caddis/http/server.h"

namespace caddis::control {

// Answers GET /metrics.
aio::Task<Result<http::ServerResponse>> tell_metrics(crawl::Operator& crawl, Call call);

// The table as a reference page.
std::string metrics_markdown();

}  // namespace caddis::control
