// From the end of a visit to what follows from it: the URL is done or waits again, its host is left alone, backed off
// or abandoned, and what others waited for is free.
//
// Belongs to the frontier's thread.
#pragma once

#include "caddis/frontier/frontier_parts.h"
#include "caddis/frontier/lease.h"

namespace caddis::frontier {

class Settlement {
 public:
  explicit Settlement(FrontierParts& parts) : parts_(parts) {}

  // Each lease is finished exactly once; that is checked.
  Outcome finish(const Disposition& disposition);

 private:
  // The outcome of the visit, and whether all queues of the host are to be planned anew.
  struct Settled {
    Outcome outcome = Outcome::again;
    bool host_changed = false;
  };
  void pause(const OpenLease& lease, const Disposition& disposition);
  Settled settle(const OpenLease& lease, const Disposition& disposition);
  Settled settle_url(const OpenLease& lease, const Disposition& disposition);
  Settled settle_prerequisite(Queue& queue, const Disposition& disposition);
  bool is_final_login(const OpenLease& lease, const Disposition& disposition);
  void settle_login(const OpenLease& lease, const Disposition& disposition);
  void accept_robots(Queue& queue, const Disposition& disposition);
  void consume(const OpenLease& lease, const Disposition& disposition);
  void retry_later(Queue& queue, const UrlPlace& place, const Disposition& disposition);
  void observe_page(const Host& host, const Disposition& disposition);
  void release(const OpenLease& lease);

  FrontierParts& parts_;
};

}  // namespace caddis::frontier
