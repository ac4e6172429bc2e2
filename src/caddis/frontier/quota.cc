#include "caddis/frontier/quota.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "caddis/base/time_format.h"
#include "caddis/frontier/rows.h"

namespace caddis::frontier {
namespace {

constexpr std::string_view kGroupKey = "group:";

enum class Of : uint8_t { host, server, group, domain };

struct Row {
  Quota quota;
  std::string_view name;
  Of of;
  int64_t QuotaSettings::* limit;
  uint64_t Usage::* used;
};

using S = QuotaSettings;
constexpr auto kRows = std::to_array<Row>({
    {Quota::host_successes, "host-successes", Of::host, &S::host_successes, &Usage::successes},
    {Quota::host_responses, "host-responses", Of::host, &S::host_responses, &Usage::responses},
    {Quota::host_bytes, "host-bytes", Of::host, &S::host_bytes, &Usage::bytes},
    {Quota::host_novel_bytes, "host-novel-bytes", Of::host, &S::host_novel_bytes, &Usage::novel_bytes},
    {Quota::server_successes, "server-successes", Of::server, &S::server_successes, &Usage::successes},
    {Quota::server_responses, "server-responses", Of::server, &S::server_responses, &Usage::responses},
    {Quota::server_bytes, "server-bytes", Of::server, &S::server_bytes, &Usage::bytes},
    {Quota::server_novel_bytes, "server-novel-bytes", Of::server, &S::server_novel_bytes, &Usage::novel_bytes},
    {Quota::group_successes, "group-successes", Of::group, &S::group_successes, &Usage::successes},
    {Quota::group_responses, "group-responses", Of::group, &S::group_responses, &Usage::responses},
    {Quota::group_bytes, "group-bytes", Of::group, &S::group_bytes, &Usage::bytes},
    {Quota::group_novel_bytes, "group-novel-bytes", Of::group, &S::group_novel_bytes, &Usage::novel_bytes},
    {Quota::host_cost, "host-cost", Of::host, &S::host_cost, &Usage::cost},
    {Quota::server_cost, "server-cost", Of::server, &S::server_cost, &Usage::cost},
    {Quota::group_cost, "group-cost", Of::group, &S::group_cost, &Usage::cost},
    {Quota::domain_successes, "domain-successes", Of::domain, &S::domain_successes, &Usage::successes},
    {Quota::domain_responses, "domain-responses", Of::domain, &S::domain_responses, &Usage::responses},
    {Quota::domain_bytes, "domain-bytes", Of::domain, &S::domain_bytes, &Usage::bytes},
    {Quota::domain_novel_bytes, "domain-novel-bytes", Of::domain, &S::domain_novel_bytes, &Usage::novel_bytes},
    {Quota::domain_cost, "domain-cost", Of::domain, &S::domain_cost, &Usage::cost},
});
constexpr std::string_view kPrecedenceFloor = "precedence-floor", kDomainTime = "domain-time";
static_assert(kRows.size() + 3 == kLastQuota);

}  // namespace

Usage& Usage::operator+=(const Usage& other) {
  successes += other.successes;
  responses += other.responses;
  bytes += other.bytes;
  novel_bytes += other.novel_bytes;
  cost += other.cost;
  return *this;
}

std::string_view to_string(Quota quota) {
  for (const Row& row : kRows)
    if (row.quota == quota) return row.name;
  if (quota == Quota::domain_time) return kDomainTime;
  return quota == Quota::precedence_floor ? kPrecedenceFloor : "";
}

Quota used_up(const QuotaSettings& settings, const Usages& usages) {
  const std::array<const Usage*, 4> of = {&usages.host, &usages.server, &usages.group, &usages.domain.usage};
  for (const Row& row : kRows) {
    const int64_t limit = settings.*row.limit;
    if (limit != 0 && of[static_cast<size_t>(row.of)]->*row.used >= static_cast<uint64_t>(limit)) return row.quota;
  }
  const bool is_over_time = settings.domain_time > Duration(0) && usages.domain.time >= settings.domain_time;
  return is_over_time ? Quota::domain_time : Quota::none;
}

DomainUsage expected_with(const DomainUsage& used, uint64_t in_flight) {
  const Usage& until_now = used.usage;
  const uint64_t visits = std::max<uint64_t>(1, until_now.responses);
  DomainUsage expected = used;
  expected.usage += {.successes = in_flight,
                     .responses = in_flight,
                     .bytes = in_flight * (until_now.bytes / visits),
                     .novel_bytes = in_flight * (until_now.novel_bytes / visits),
                     .cost = in_flight * std::max<uint64_t>(1, until_now.cost / visits)};
  expected.time += static_cast<Duration::rep>(in_flight) * (used.time / static_cast<Duration::rep>(visits));
  return expected;
}

bool has_domain_quota(const QuotaSettings& settings) {
  return settings.domain_time > Duration(0) ||
         std::ranges::any_of(kRows, [&](const Row& row) { return row.of == Of::domain && settings.*row.limit != 0; });
}

bool has_seed_quota(const QuotaSettings& settings) {
  return settings.seed_domain_successes != 0 || settings.seed_domain_bytes != 0 || settings.seed_domain_hosts != 0 ||
         settings.seed_domain_time > Duration(0);
}

std::string quota_line(const QuotaSettings& settings) {
  std::string line;
  for (const Row& row : kRows)
    if (settings.*row.limit != 0) line += fmt::format("{}={} ", row.name, settings.*row.limit);
  if (settings.domain_time > Duration(0))
    line += fmt::format("{}={} ", kDomainTime, format_duration(settings.domain_time));
  if (settings.precedence_floor != 0) line += fmt::format("{}={} ", kPrecedenceFloor, settings.precedence_floor);
  if (!line.empty()) line += settings.action == QuotaAction::drop ? "drop" : "retire";
  return line;
}

const Usage& GroupUsage::of(const std::string& group) const {
  static const Usage kNothing;
  const auto found = groups_.find(group);
  return found == groups_.end() ? kNothing : found->second;
}

void GroupUsage::add(const std::string& group, const Usage& taken) {
  groups_[group] += taken;
  dirty_.insert(group);
}

void GroupUsage::stage(store::Batch& batch, store::Family family) {
  for (const std::string& group : dirty_)
    batch.put(family, std::string(kGroupKey) + group, write_usage(groups_[group]));
  dirty_.clear();
}

Result<void> GroupUsage::load(store::Kv& kv, store::Family family) {
  const auto rows = kv.cursor(family);
  for (rows->seek(kGroupKey); rows->valid() && rows->key().starts_with(kGroupKey); rows->next()) {
    TRY(groups_[std::string(rows->key().substr(kGroupKey.size()))], read_usage(rows->value()));
  }
  return rows->status();
}

}  // namespace caddis::frontier
