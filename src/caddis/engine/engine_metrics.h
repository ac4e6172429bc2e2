// The engine's answer to Prometheus: numbers of its own, and those of all running jobs with the label `job`; and whether it
// can do its work.
#pragma once

#include <string>

#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/engine/jobs.h"
#include "caddis/http/server.h"

namespace caddis::engine {

// Answers GET /metrics. Crawls are asked on workers, all in turn; one that does not answer is left out.
aio::Task<http::ServerResponse> tell_engine_metrics(aio::Loop& loop, aio::Blocking& workers, Jobs& jobs);
// Answers GET /readyz: not ready if the disk of the jobs is full.
http::ServerResponse tell_engine_readiness(const Jobs& jobs);

// The metrics of its own, as a part of a reference page.
std::string engine_metrics_markdown();

}  // namespace caddis::engine
