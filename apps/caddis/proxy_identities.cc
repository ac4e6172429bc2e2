#include "proxy_identities.h"

#include <cstdlib>
#include <utility>

#include "caddis/base/clock.h"
#include "caddis/io/files.h"

namespace caddis::cli {
namespace {

Result<std::string> folder_or_own(const std::string& folder) {
  if (!folder.empty()) return folder;
  const char* const home = std::getenv("HOME");
  if (home != nullptr) return io::join_path(home, ".config/caddis");
  return fail(ErrorCode::config, "the proxy's certificate cannot be kept without a home folder: give --proxy-folder");
}

}  // namespace

Result<std::unique_ptr<ProxyIdentities>> ProxyIdentities::load(const std::string& folder) {
  TRY(const std::string keeper, folder_or_own(folder));
  TRY(auto authority, access::CertificateAuthority::load(io::real_files(), system_clock(), keeper));
  return std::make_unique<ProxyIdentities>(std::move(authority));
}

Result<std::shared_ptr<const aio::TlsIdentity>> ProxyIdentities::of(const std::string& host) {
  if (const auto known = by_host_.find(host); known != by_host_.end()) return known->second;
  TRY(const auto issued, authority_->issue(host));
  TRY(auto identity, aio::TlsIdentity::make(issued.certificate_pem, issued.key_pem));
  if (order_.size() >= kMost) {
    by_host_.erase(order_.front());
    order_.pop_front();
  }
  order_.push_back(host);
  by_host_.emplace(host, identity);
  return identity;
}

}  // namespace caddis::cli
