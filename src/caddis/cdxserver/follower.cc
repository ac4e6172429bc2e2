#include "caddis/cdxserver/follower.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/io/base32.h"
#include "caddis/url/percent.h"

namespace caddis::cdxserver {
namespace {

constexpr uint64_t kLongestStats = 64 * 1024;
// The last change of an answer may be any single write.
constexpr uint64_t kMostChanges = 128 << 20;
constexpr uint64_t kMostRules = 256 << 20;
constexpr Duration kLongestAnswer = std::chrono::minutes(20);

std::string without_slash(std::string address) {
  while (address.ends_with('/')) address.pop_back();
  return address;
}

// Basic, of the user part of an address; empty without one.
std::string login_of(std::string_view address) {
  const size_t begin = address.find("://");
  if (begin == std::string_view::npos) return {};
  const std::string_view host = address.substr(begin + 3, address.find_first_of("/?#", begin + 3) - begin - 3);
  const size_t at = host.rfind('@');
  if (at == std::string_view::npos) return {};
  const std::string_view user = host.substr(0, at);
  const size_t colon = std::min(user.find(':'), user.size());
  const std::string password = url::percent_decode(user.substr(std::min(colon + 1, user.size())));
  return "Basic " + io::encode_base64(url::percent_decode(user.substr(0, colon)) + ':' + password);
}

}  // namespace

std::string followed_name(std::string_view primary) {
  const std::string address = without_slash(remote::shown_address(primary));
  return address.substr(address.rfind('/') + 1);
}

Result<std::vector<store::SortedStore::Change>> parse_changes(std::string_view json) {
  const auto broken = [] { return fail(ErrorCode::parse, "its changes are none: is it a caddis index server?"); };
  const auto parsed = nlohmann::json::parse(json, nullptr, false);
  if (!parsed.is_array()) return broken();
  std::vector<store::SortedStore::Change> changes;
  for (const auto& one : parsed) {
    if (!one.is_object() || !one.contains("sequenceNumber") || !one.contains("writeBatch") || !one.contains("rows"))
      return broken();
    const auto &sequence = one["sequenceNumber"], &batch = one["writeBatch"], &rows = one["rows"];
    if (!sequence.is_string() || !batch.is_string() || !rows.is_number_unsigned()) return broken();
    const auto number = parse_int(sequence.get<std::string>());
    auto bytes = io::decode_base64(batch.get<std::string>());
    if (!number || *number < 0 || !bytes) return broken();
    changes.push_back({static_cast<uint64_t>(*number), *std::move(bytes), rows.get<uint64_t>()});
  }
  return changes;
}

Follower::Follower(aio::Loop& loop, aio::Blocking& workers, IndexFolder& folder, FollowerOptions options)
    : loop_(loop),
      workers_(workers),
      folder_(folder),
      options_(std::move(options)),
      address_(without_slash(remote::shown_address(options_.primary))),
      login_(login_of(options_.primary)),
      name_(followed_name(options_.primary)),
      remote_(loop, spools_),
      woken_(loop) {}

void Follower::stop() {
  stopping_ = true;
  remote_.abort();
  woken_.notify();
}

remote::WebRequest Follower::request_of(const std::string& path) const {
  remote::WebRequest request;
  request.address = address_ + path;
  request.timeout = kLongestAnswer;
  if (!login_.empty())
    request.headers.emplace_back("Authorization", login_);
  else if (!options_.token.empty())
    request.headers.emplace_back("Authorization", "Bearer " + options_.token);
  return request;
}

std::unexpected<Error> Follower::refused(const std::string& path, int status, const std::string& more) const {
  const std::string said = address_ + path + ": it answers with status " + std::to_string(status) + more;
  if (status != 401 && status != 403) return fail(ErrorCode::io, said);
  return fail(ErrorCode::denied, said +
                                     ": name somebody who may look there, by http://USER:PASSWORD@host/NAME or "
                                     "--primary-token-file");
}

aio::Task<Result<std::string>> Follower::ask(std::string path) {
  remote::WebRequest request = request_of(path);
  request.max_body = request.memory = path.starts_with("/changes") ? kMostChanges : kLongestStats;
  auto answer = co_await remote_.get(std::move(request));
  if (!answer) co_return std::unexpected(std::move(answer).error());
  CO_TRY(std::string body, answer->text(kMostChanges));
  if (answer->status == 404 && path.starts_with("/changes"))
    co_return fail(ErrorCode::conflict,
                   address_ + path + ": " + std::string(trim(body)) +
                       ": begin anew with a checkpoint of that index, and let it keep changes for longer "
                       "(--keep-changes)");
  if (answer->status != 200) co_return refused(path, answer->status, "");
  co_return body;
}

aio::Task<Result<void>> Follower::copy_rules() {
  const std::string path = "/access/all";
  remote::WebRequest request = request_of(path);
  if (!rules_tag_.empty()) request.headers.emplace_back("If-None-Match", rules_tag_);
  request.max_body = request.memory = kMostRules;
  auto answer = co_await remote_.get(std::move(request));
  if (!answer) co_return std::unexpected(std::move(answer).error());
  if (answer->status == 304) co_return Result<void>();
  if (answer->status != 200)
    co_return refused(path, answer->status, ", so its access rules are not known here: is it an older caddis?");
  CO_TRY(const std::string rules, answer->text(kMostRules));
  Result<void> taken;
  std::function<void()> take = [&] { taken = index_->access->replace(rules); };
  co_await workers_.run(loop_, std::move(take));
  if (!taken) co_return pass(std::move(taken).error(), address_ + path);
  rules_tag_ = answer->header("ETag");
  log_info("index", "the access rules of {} are those of {} now", name_, address_);
  co_return Result<void>();
}

aio::Task<Result<uint64_t>> Follower::step() {
  if (index_ == nullptr) {
    Result<std::shared_ptr<ServedIndex>> opened;
    std::function<void()> open = [&] { opened = folder_.find_or_make(name_); };
    co_await workers_.run(loop_, std::move(open));
    if (!opened) co_return std::unexpected(std::move(opened).error());
    CO_TRY(const std::string stats, co_await ask("/stats"));
    const auto parsed = nlohmann::json::parse(stats, nullptr, false);
    const std::string policy = parsed.is_object() ? parsed.value("keyPolicy", "") : "";
    if (policy != (*opened)->store->policy().notation())
      co_return fail(ErrorCode::conflict, address_ + ": its keys are made by '" + policy + "', ours by '" +
                                              (*opened)->store->policy().notation() +
                                              "': make the index with --key-policy '" + policy + "'");
    index_ = *std::move(opened);
  }
  Result<uint64_t> next;
  std::function<void()> look = [&] { next = index_->store->followed(); };
  co_await workers_.run(loop_, std::move(look));
  if (!next) co_return std::unexpected(std::move(next).error());
  const std::string path = "/changes?since=" + std::to_string(*next) + "&size=" + std::to_string(options_.bytes);
  CO_TRY(const std::string json, co_await ask(path));
  CO_TRY_VOID(co_await copy_rules());
  Result<uint64_t> taken = 0;
  std::function<void()> take = [&] {
    taken = [&]() -> Result<uint64_t> {
      TRY(const auto changes, parse_changes(json));
      for (const auto& change : changes) TRY_VOID(index_->store->apply(change.bytes, change.sequence + change.rows));
      return changes.size();
    }();
  };
  co_await workers_.run_piece(loop_, std::move(take));
  co_return taken;
}

aio::Task<void> Follower::run() {
  std::string told;
  while (!stopping_) {
    const auto taken = co_await step();
    if (stopping_) break;
    if (!taken && taken.error().message != std::exchange(told, taken.error().message))
      log_warn("index", "{} is not followed: {}", name_, taken.error().message);
    if (taken && !std::exchange(told, "").empty()) log_info("index", "{} is followed again", name_);
    if (taken && *taken > 0) continue;
    const auto timer = loop_.at(loop_.clock().steady() + options_.every, [this] { woken_.notify(); });
    co_await woken_.wait();
    loop_.cancel(timer);
  }
  co_await remote_.end();
}

}  // namespace caddis::cdxserver
