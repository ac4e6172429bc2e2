// The certificates that a proxy of ours shows browsers for the hosts they ask for, made by its own authority.
//
// One loop.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>

#include "caddis/access/authority.h"
#include "caddis/aio/tls_over.h"
#include "caddis/base/error.h"

namespace caddis::cli {

class ProxyIdentities {
 public:
  // With the authority in that folder; an empty one is the user's own (~/.config/caddis). ErrorCode::config without a
  // home folder.
  static Result<std::unique_ptr<ProxyIdentities>> load(const std::string& folder);
  explicit ProxyIdentities(std::unique_ptr<access::CertificateAuthority> authority)
      : authority_(std::move(authority)) {}

  // Makes it, or takes one of the latest.
  Result<std::shared_ptr<const aio::TlsIdentity>> of(const std::string& host);
  const access::CertificateAuthority& authority() const { return *authority_; }

 private:
  static constexpr size_t kMost = 500;  // certificates that are kept; a browser asks for the same hosts again

  std::unique_ptr<access::CertificateAuthority> authority_;
  std::list<std::string> order_;  // the oldest first
  std::unordered_map<std::string, std::shared_ptr<const aio::TlsIdentity>> by_host_;
};

}  // namespace caddis::cli
