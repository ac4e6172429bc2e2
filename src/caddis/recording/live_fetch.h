// One URL fetched from the live web and recorded, for whoever shows the collection: what a page of the archive asks for
// and the archive has not. The request is that of the browser, without what is of its own site: cookies, log-ins, Origin.
//
// Belongs to the proxy's loop.
#pragma once

#include <string>

#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/http/server.h"
#include "caddis/url/url.h"

namespace caddis::recording {

class RecordProxy;

// Returns when the capture is durable. `asked`: the request of the browser, whose fields tell what it takes. `via`: the
// captured page that asked. ErrorCode::io, with words for people, if the site gives no answer, or nothing can be kept.
aio::Task<Result<void>> fetch_and_record(RecordProxy& proxy, const http::ServerRequest& asked, url::Url url,
                                         std::string via);

}  // namespace caddis::recording
