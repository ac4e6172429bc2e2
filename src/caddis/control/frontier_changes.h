// Handlers of the control API that change what a running crawl has in its frontier (POST of api/openapi.yaml). Each
// returns a document as JSON; bad input is ErrorCode::parse and changes nothing.
//
// On the crawl's loop.
#pragma once

#include <string>

#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/control/router.h"
#include "caddis/crawl/operator.h"

namespace caddis::control {

Result<std::string> add_urls(crawl::Operator& crawl, const Call& call);
// Ends seeds, a URL a line.
aio::Task<Result<std::string>> remove_seeds(crawl::Operator& crawl, Call call);
Result<std::string> delete_urls(crawl::Operator& crawl, const Call& call);
Result<std::string> change_host(crawl::Operator& crawl, const Call& call);
Result<std::string> retire_queue(crawl::Operator& crawl, const Call& call);
Result<std::string> wake_hosts(crawl::Operator& crawl, const Call& call);
Result<std::string> end_visit(crawl::Operator& crawl, const Call& call);

}  // namespace caddis::control
