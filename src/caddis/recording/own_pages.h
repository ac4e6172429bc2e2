// The pages of the proxy itself: what it records and the certificate to trust, and what it says in place of a site that
// it cannot reach.
//
// Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "caddis/http/server.h"
#include "caddis/recording/recording.h"
#include "caddis/recording/upstream.h"

namespace caddis::recording {

// The host under which they are found through the proxy, beside the proxy's own address.
inline constexpr std::string_view kOwnHost = "caddis.proxy";

// The certificate that browsers have to trust for HTTPS.
struct ProxyCertificate {
  std::string pem, der, fingerprint;
};

struct OwnPagesFacts {
  const ProxyCertificate& certificate;
  const RecordingTotals& totals;
  std::string_view collection, recording;
  std::string_view trouble;  // why nothing can be written; empty while it can
};

// `/`, `/status` (JSON), `/ca.pem` and `/ca.cer`.
http::ServerResponse own_page(std::string_view path, const OwnPagesFacts& facts);

// In place of an answer that there is none of.
http::ServerResponse failure_page(std::string_view url, const UpstreamFailure& failure);
// For what cannot be asked.
http::ServerResponse refusal_page(int status, std::string_view title, std::string_view text);

}  // namespace caddis::recording
