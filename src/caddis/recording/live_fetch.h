// One URL fetched from the live web for whoever shows it: recorded, as what a page of the archive asks for and the archive
// has not; or for a look alone. The request is that of the browser, without what is of its own site: cookies, log-ins,
// Origin.
//
// Belongs to the loop of the upstream.
#pragma once

#include <cstdint>
#include <string>

#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/http/server.h"
#include "caddis/recording/upstream.h"
#include "caddis/url/url.h"

namespace caddis::recording {

class RecordProxy;

// The most that is fetched, for nobody sees how much comes, and would end what has no end.
struct LiveLimits {
  Duration within = std::chrono::minutes(5);
  uint64_t bytes = 1 << 30;  // of a response
};

// A request of a browser on its way out. `keeps_request`: with its method, its body, and the range that it asks for;
// otherwise it is a GET of all.
struct LiveAsk {
  const http::ServerRequest& asked;
  const url::Url& url;
  const std::string& via;  // the captured page that asked; may be empty
  bool keeps_request = false;
};

// The response. `ask` outlives it. A failure has words for people.
aio::Task<UpstreamResult> fetch_live(Upstream& upstream, LiveAsk ask, LiveLimits limits);

// Returns when the capture is durable. `asked`: the request of the browser, whose fields tell what it takes. `via`: the
// captured page that asked. ErrorCode::io, with words for people, if the site gives no answer, or nothing can be kept.
aio::Task<Result<void>> fetch_and_record(RecordProxy& proxy, const http::ServerRequest& asked, url::Url url,
                                         std::string via);

}  // namespace caddis::recording
