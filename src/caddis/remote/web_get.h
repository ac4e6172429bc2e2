// GET requests to other servers, on a loop: an index that is followed, records that lie elsewhere. Certificates have to be
// trusted. Redirects are not followed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/dns/settings.h"
#include "caddis/http/head.h"
#include "caddis/http/request.h"
#include "caddis/io/spool.h"

namespace caddis::remote {

struct WebRequest {
  std::string address;                          // http or https
  std::vector<http::Header> headers;            // besides Host and User-Agent
  uint64_t max_body = 1 << 20;                  // bytes
  size_t memory = 1 << 20;                      // bytes of it that are held in memory
  Duration timeout = std::chrono::seconds(20);  // for all of it, the name servers' answer too
  bool may_be_cut = false;                      // a longer body is given up to `max_body`; otherwise it is an error
};

struct WebAnswer {
  int status = 0;
  http::ResponseHead head;
  std::shared_ptr<const io::Spool> body;  // without transfer coding
  bool is_cut = false;

  std::string_view header(std::string_view name) const { return head.find(name).value_or(std::string_view()); }
  // ErrorCode::limit if it has more bytes.
  Result<std::string> text(uint64_t limit = 64 << 20) const { return body->to_string(limit); }
};

// For people: without its query and user, which may be secrets.
std::string shown_address(std::string_view address);

// The system's name servers, which are waited for less long than by crawls.
dns::Settings patient_for_requests();

class WebGet {
 public:
  // The loop and the folder outlive it. `names` says how names of hosts are looked up.
  WebGet(aio::Loop& loop, io::SpoolFolder& spools, dns::Settings names = patient_for_requests());
  ~WebGet();
  WebGet(const WebGet&) = delete;
  WebGet& operator=(const WebGet&) = delete;

  // Errors name the address. ErrorCode::limit for a longer body, timeout, config for what is no address of http or https.
  aio::Task<Result<WebAnswer>> get(WebRequest request);
  // Ends what runs.
  void abort();
  // To be awaited before it is destroyed, when no request runs any more. Waits for name servers that are asked still, for
  // their own timeouts.
  aio::Task<void> end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace caddis::remote
