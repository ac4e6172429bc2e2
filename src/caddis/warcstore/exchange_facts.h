// The facts of an HTTP exchange, as its records have them (archive/capture.h).
//
// Pure functions; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "caddis/aio/network.h"
#include "caddis/archive/capture.h"
#include "caddis/http/exchange.h"
#include "caddis/http/head.h"
#include "caddis/warc/writer.h"

namespace caddis::warcstore {

// Whether packing such a body again would be in vain.
bool is_incompressible(std::string_view mime, const http::ResponseHead& head);

// The value of WARC-Truncated; nothing for a response that is whole.
std::optional<warc::Truncated> warc_reason(http::Truncated truncated);

// Adds the fields of TLS. The connection is told of with the first capture that came over it: later ones have
// `is_known`.
void add_tls(archive::CaptureMetadata& metadata, const aio::TlsInfo& tls, bool is_known);

}  // namespace caddis::warcstore
