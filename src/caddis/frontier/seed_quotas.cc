#include "caddis/frontier/seed_quotas.h"

#include <memory>
#include <optional>

#include "caddis/frontier/host_rules.h"
#include "caddis/frontier/quota_settings.h"
#include "caddis/frontier/rows.h"
#include "caddis/url/domain.h"

namespace caddis::frontier {
namespace {

// The host of a URL; a name that is none stands for itself.
std::string_view host_in(std::string_view seed) {
  const size_t scheme = seed.find("://");
  if (scheme == seed.npos) return seed;
  seed.remove_prefix(scheme + 3);
  seed = seed.substr(0, seed.find_first_of("/?#"));
  if (const size_t at = seed.rfind('@'); at != seed.npos) seed.remove_prefix(at + 1);
  const size_t end_of_address = seed.starts_with('[') ? seed.find(']') : 0;
  return seed.substr(0, seed.find(':', end_of_address));
}

// The domain of the seed from which links led to the URL; empty if that is not known.
std::string domain_of(const Candidate& candidate) {
  const std::string_view host = host_in(!candidate.seed.empty() ? std::string_view(candidate.seed)
                                        : candidate.is_seed     ? std::string_view(candidate.url)
                                                                : std::string_view());
  const std::string_view domain = url::registrable_domain(host);
  return std::string(domain.empty() ? host : domain);
}

// The first quota that is used up.
std::string_view used_up(const QuotaSettings& quota, const DomainUsage& used) {
  const auto is_over = [](int64_t limit, uint64_t so_far) {
    return limit != 0 && so_far >= static_cast<uint64_t>(limit);
  };
  if (is_over(quota.seed_domain_successes, used.usage.successes)) return "seed-domain-successes";
  if (is_over(quota.seed_domain_bytes, used.usage.bytes)) return "seed-domain-bytes";
  if (quota.seed_domain_time > Duration(0) && used.time >= quota.seed_domain_time) return "seed-domain-time";
  return {};
}

}  // namespace

// Sheets for the domain hold for its seeds.
QuotaSettings SeedQuotas::settings_of(const std::string& domain) const {
  const std::shared_ptr<const HostRules> own = rules_.sheets_of(domain);
  return own != nullptr ? own->quota : rules_.of_crawl().quota;
}

Result<DomainUsage> SeedQuotas::used_by(const std::string& domain) const {
  TRY(const auto row, rows_.cache().get(rows_.families().totals, seed_domain_key(domain)));
  if (!row) return DomainUsage();
  return read_domain_usage(*row);
}

Result<uint64_t> SeedQuotas::hosts_of(const std::string& domain) const {
  TRY(const auto row, rows_.cache().get(rows_.families().totals, hosts_of_seeds_key(domain)));
  if (!row) return 0;
  return read_count(*row);
}

Result<bool> SeedQuotas::knows(const std::string& domain, const std::string& host) const {
  TRY(const auto row, rows_.cache().get(rows_.families().totals, host_of_seeds_key(domain, host)));
  return row.has_value();
}

Result<SeedQuotas::Standing> SeedQuotas::standing(const Candidate& candidate, const std::string& host) const {
  const std::string domain = domain_of(candidate);
  if (domain.empty()) return Standing();
  const QuotaSettings quota = settings_of(domain);
  if (!has_seed_quota(quota)) return Standing();
  TRY(const DomainUsage used, used_by(domain));
  if (const std::string_view over = used_up(quota, used); !over.empty()) return Standing{over};
  if (quota.seed_domain_hosts != 0) {
    TRY(const uint64_t hosts, hosts_of(domain));
    if (hosts >= static_cast<uint64_t>(quota.seed_domain_hosts)) {
      TRY(const bool is_known, knows(domain, host));
      if (!is_known) return Standing{"seed-domain-hosts"};
    }
  }
  const auto in_flight = in_flight_.find(domain);
  const bool waits = in_flight != in_flight_.end() && !used_up(quota, expected_with(used, in_flight->second)).empty();
  return Standing{{}, waits};
}

Result<std::string> SeedQuotas::begin_visit(const Candidate& candidate, const std::string& host) {
  if (!any()) return std::string();
  std::string domain = domain_of(candidate);
  if (domain.empty()) return domain;
  TRY(const bool is_known, knows(domain, host));
  if (!is_known) {
    TRY(const uint64_t before, hosts_of(domain));
    const store::Family family = rows_.families().totals;
    rows_.cache().change(family, host_of_seeds_key(domain, host), "");
    rows_.cache().change(family, hosts_of_seeds_key(domain), write_count(before + 1));
  }
  ++in_flight_[domain];
  return domain;
}

void SeedQuotas::end_visit(const std::string& domain) {
  const auto found = in_flight_.find(domain);
  if (found != in_flight_.end() && --found->second == 0) in_flight_.erase(found);
}

void SeedQuotas::count(const Disposition& disposition, const Usage& taken) {
  if (!any() || disposition.lease.kind == LeaseKind::dns || disposition.lease.given_up != 0) return;
  const std::string domain = domain_of(disposition.lease.candidate);
  if (domain.empty()) return;
  auto used = used_by(domain);
  if (!used) {
    trouble_ = std::move(used).error();
    return;
  }
  used->usage += taken;
  if (disposition.verdict != Verdict::returned) used->time += disposition.fetch_time;
  rows_.cache().change(rows_.families().totals, seed_domain_key(domain), write_domain_usage(*used));
}

Result<void> SeedQuotas::trouble() const {
  if (trouble_) return std::unexpected(*trouble_);
  return {};
}

}  // namespace caddis::frontier
