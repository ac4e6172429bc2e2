#include "record_proxy_door.h"

#include <utility>

#include "caddis/http/server.h"
#include "caddis/io/digest.h"
#include "caddis/io/files.h"

namespace caddis::cli {
namespace {

constexpr Duration kGoodFor = std::chrono::minutes(1);
constexpr size_t kMostKnown = 1000;

}  // namespace

Result<std::unique_ptr<RecordProxyDoor>> RecordProxyDoor::open(aio::Loop& loop, aio::Blocking& workers,
                                                               const AccessOptions& access) {
  TRY(auto gate, open_gate({loop, workers, io::real_files()}, access, ""));
  return std::unique_ptr<RecordProxyDoor>(new RecordProxyDoor(loop, std::move(gate)));
}

aio::Task<bool> RecordProxyDoor::admit(std::string credentials, aio::Endpoint client) {
  if (credentials.empty()) co_return false;
  const std::string digest = io::sha256(credentials);
  const SteadyTime now = loop_.clock().steady();
  if (const auto known = known_.find(digest); known != known_.end() && known->second > now) co_return true;
  http::ServerRequest request;
  request.method = "GET";
  request.path = request.target = "/";
  request.remote = std::move(client);
  request.headers = {{"Host", "127.0.0.1"}, {"Authorization", std::move(credentials)}};
  const access::Verdict verdict = co_await gate_->admit(request, access::Role::manager);
  if (verdict.refusal) co_return false;
  if (known_.size() >= kMostKnown) known_.clear();
  known_[digest] = now + kGoodFor;
  co_return true;
}

}  // namespace caddis::cli
