// Handlers of the control API for the reports of a crawl (api/openapi.yaml). A report is made when somebody asks for
// it, which takes time: it is as of the last commit.
//
// On the crawl's loop.
#pragma once

#include <string>

#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/control/router.h"
#include "caddis/crawl/operator.h"
#include "caddis/http/server.h"

namespace caddis::control {

// The names of all reports.
Result<std::string> list_reports(crawl::Operator& crawl, const Call& call);
// The report that the path names, as text, JSON or CSV.
aio::Task<Result<http::ServerResponse>> make_report(crawl::Operator& crawl, Call call);
// Writes all of them; returns when they are on disk.
aio::Task<Result<std::string>> write_reports(crawl::Operator& crawl, Call call);

}  // namespace caddis::control
