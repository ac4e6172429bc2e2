// From a request to its answer: the host that a connection has turned to, its doors, and what the judge is told of it.
// One for each connection, by whatever version of HTTP. Internal to serve/.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "simweb/serve/request_head.h"
#include "simweb/serve/site.h"

namespace simweb {

// An answer that is to be sent, and how.
struct Reply {
  std::unique_ptr<Answer> answer;
  std::optional<Asked> asked;  // nothing for answers that the world does not give, and to HEAD
  bool head_only = false;
  uint64_t limit = 0;  // bytes of the body that may go at once
  bool again = false;  // the body is sent over and over
};

class Desk {
 public:
  // `address` is the one the client connected to.
  Desk(Site& site, uint32_t address, bool tls) : site_(site), address_(address), tls_(tls) {}
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;
  ~Desk() { leave_host(); }

  // `body`: of a POST, all of it.
  Reply reply(const RequestHead& head, std::string_view body, bool http2);
  // An answer that is none of the web's pages, and the last one on its connection.
  Reply refusal(int status);
  // Tells the judge. `whole`: all of it was sent, or all that there was to be.
  void ended(const std::optional<Asked>& asked, const Answer& answer, bool whole);
  void leave_host();

 private:
  bool turn_to_host(std::string_view name);
  bool lets_in(const RequestHead& head, const PageRef& page);

  Site& site_;
  const uint32_t address_;
  const bool tls_;
  std::string host_name_;  // as in the last request; empty: none yet
  bool host_known_ = false;
  NamedHost named_;
  HostFacts host_;
};

}  // namespace simweb
