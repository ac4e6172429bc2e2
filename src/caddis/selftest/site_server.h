// Serves the site of the selftest on loopback, on a thread of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "caddis/base/error.h"
#include "caddis/selftest/site.h"

namespace caddis::selftest {

class SiteServer {
 public:
  // On a free port. The site must outlive it.
  static Result<std::unique_ptr<SiteServer>> start(Site& site);
  SiteServer(const SiteServer&) = delete;
  SiteServer& operator=(const SiteServer&) = delete;
  ~SiteServer();

  // "http://127.0.0.1:40123", without a slash behind.
  const std::string& origin() const { return origin_; }
  // From then on nothing is answered, and the site belongs to the caller's thread.
  void stop();

 private:
  struct Parts;
  SiteServer();

  std::unique_ptr<Parts> parts_;
  std::string origin_;
};

}  // namespace caddis::selftest
