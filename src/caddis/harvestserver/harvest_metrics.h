// The answer of a harvest server to Prometheus, and whether it can do its work.
#pragma once

#include <string>

#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/harvestserver/parts.h"
#include "caddis/http/server.h"

namespace caddis::harvestserver {

// The numbers as text. Any thread.
Result<std::string> harvest_metrics(const Parts& parts);
// Answers GET /metrics of a server; the database is asked on a worker. If it does not answer, so does 503.
aio::Task<http::ServerResponse> tell_harvest_metrics(aio::Loop& loop, aio::Blocking& workers, const Parts& parts);
// Answers GET /readyz: not ready if the database does not answer, or the disk of the archive is full.
aio::Task<http::ServerResponse> tell_harvest_readiness(aio::Loop& loop, aio::Blocking& workers, const Parts& parts);

// The metrics, as a part of a reference page.
std::string harvest_metrics_markdown();

}  // namespace caddis::harvestserver
