// A web site that tries what a crawl has to cope with, and knows what has to become of each of its URLs: it is served on
// loopback, and nothing of it leaves the machine.
//
// Pages are made once. They and the counts of requests belong to the loop that serves them while it runs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/aio/task.h"
#include "caddis/http/server.h"

namespace caddis::selftest {

enum class Coding : uint8_t { none, gzip, brotli };
enum class Delivery : uint8_t {
  whole,       // with a length
  chunked,     // by RFC 9112 section 7.1
  cut,         // the connection ends before the length that was told
  to_visitor,  // only to those who bring the cookie of the site
};

struct Page {
  std::string path;
  std::string tries;  // "a page that is packed by gzip"
  int status = 200;
  std::string mime = "text/html; charset=utf-8";
  std::string body = {};  // as it is read: without coding
  Coding coding = Coding::none;
  Delivery delivery = Delivery::whole;
  http::ServerHeaders headers = {};
  // The status that crawl.log has to have for it: HTTP's, or one of ours below 0.
  int fate = 200;
};

// The body with its coding, as it is sent.
std::string sent_body(const Page& page);

class Site {
 public:
  Site();

  // By path. The trap is none of them: it has no end.
  const std::map<std::string, Page>& pages() const { return pages_; }
  // The answer to a request for any of its URLs.
  aio::Task<http::ServerResponse> answer(const http::ServerRequest& request);
  // How often a path was asked for.
  uint64_t requests(const std::string& path) const;
  // How many different URLs of the trap were asked for.
  uint64_t trapped() const;

  static constexpr std::string_view kTrap = "/calendar/";

 private:
  void add(Page page);
  void add_ways();
  void add_answers();
  std::string start_page() const;

  std::map<std::string, Page> pages_;
  std::map<std::string, uint64_t> requests_;
};

}  // namespace caddis::selftest
