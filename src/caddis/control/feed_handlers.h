// Handlers of the control API that are about feeds: the sites whose feeds are polled, named by another program or looked at
// (api/openapi.yaml, docs/feeds.md). Each returns the sites it is about as JSON.
//
// On the crawl's loop.
#pragma once

#include <string>

#include "caddis/base/error.h"
#include "caddis/control/router.h"
#include "caddis/crawl/operator.h"

namespace caddis::control {

Result<std::string> list_feeds(crawl::Operator& crawl, const Call& call);
// All or none. ErrorCode::config if one of them is none, ErrorCode::conflict if the settings or the database name it.
Result<std::string> name_feed_sites(crawl::Operator& crawl, const Call& call);
// ErrorCode::not_found if there is no such site.
Result<std::string> poll_feed_site(crawl::Operator& crawl, const Call& call);
Result<std::string> remove_feed_site(crawl::Operator& crawl, const Call& call);

}  // namespace caddis::control
