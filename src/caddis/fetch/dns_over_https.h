// Questions of a resolver as requests to a server of DNS over HTTPS (RFC 8484): POST, over connections that stay open.
//
// Its client is none of the crawl's: what it sends and receives is no part of the web that is archived, and goes through
// no proxy. The certificate has to be trusted, with TLS 1.2 at least. Belongs to the loop's thread.
#pragma once

#include <memory>

#include "caddis/aio/loop.h"
#include "caddis/base/error.h"
#include "caddis/dns/resolver.h"
#include "caddis/fetch/proxies.h"

namespace caddis::fetch {

// A resolver by these settings: of DNS over HTTPS if they name a server of it, whose own address `find` gives, else of
// name servers. ErrorCode::config: the server cannot be found, or something is malformed. `loop` outlives it.
Result<std::unique_ptr<dns::Resolver>> make_resolver(aio::Loop& loop, const dns::Settings& settings,
                                                     const FindServer& find = find_server);

}  // namespace caddis::fetch
