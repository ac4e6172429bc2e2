#include "simweb/judge/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/json_text.h"
#include "simweb/oracle/oracle.h"

namespace simweb {
namespace {

constexpr size_t max_missing = 10;
constexpr size_t curve_points = 50;

// Of all hosts or addresses: the most of anything at once.
struct Most {
  uint32_t host_requests = 0, host_connections = 0, address_requests = 0, address_connections = 0;
};
Most most_at_once(const Recorder& recorder) {
  Most most;
  for (const HostRow& row : recorder.ledger().rows()) {
    most.host_requests = std::max(most.host_requests, row.most_active);
    most.host_connections = std::max(most.host_connections, row.most_connections);
  }
  for (const auto& [address, row] : recorder.addresses()) {
    most.address_requests = std::max(most.address_requests, row.most_active);
    most.address_connections = std::max(most.address_connections, row.most_connections);
  }
  return most;
}

std::string json_list(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) {
    if (out.size() > 1) out += ',';
    caddis::append_json_string(out, text);
  }
  return out + "]";
}

std::string faults_json(const Faults& faults) {
  caddis::JsonObject json;
  json.add("count", faults.count).add_raw("examples", json_list(faults.examples));
  return json.finish();
}

double share(double part, double whole) { return whole > 0 ? part / whole : 1; }

std::string coverage_json(const Coverage& coverage) {
  if (!coverage.known) return "null";
  caddis::JsonObject json;
  json.add("must", coverage.must)
      .add("asked", coverage.asked)
      .add("share", share(static_cast<double>(coverage.asked), static_cast<double>(coverage.must)))
      .add("mass", share(coverage.asked_mass, coverage.must_mass))
      .add_raw("missing", json_list(coverage.missing));
  return json.finish();
}

std::string kinds_json(const Recorder& recorder) {
  caddis::JsonObject json;
  for (int i = 0; i < kKinds; ++i)
    if (const auto kind = static_cast<Kind>(i); recorder.requests(kind) > 0)
      json.add(to_string(kind), recorder.requests(kind));
  return json.finish();
}

std::string versions_json(const VersionCounts& counts) {
  return caddis::JsonObject().add("http2", counts.http2).add("http1_instead", counts.http1_instead).finish();
}

std::string logins_json(const LoginCounts& counts) {
  caddis::JsonObject json;
  json.add("accepted", counts.accepted).add("refused", counts.refused).add("ended", counts.ended);
  return json.finish();
}

std::string dns_json(const Recorder& recorder) {
  caddis::JsonObject json;
  for (const Dns outcome : {Dns::ok, Dns::cname, Dns::nxdomain, Dns::servfail, Dns::timeout})
    json.add(to_string(outcome), recorder.dns(outcome));
  return json.finish();
}

// The share of mass that the crawl had when it had so many percent of the pages.
std::string mass_at_json(const Recorder& recorder, const Coverage& coverage) {
  if (!coverage.known) return "null";
  caddis::JsonObject json;
  for (const int percent : {10, 25, 50}) {
    const auto mass = recorder.curve().mass_at(static_cast<double>(coverage.pages) * percent / 100);
    const std::string name = std::to_string(percent);
    if (mass)
      json.add(name, share(*mass, coverage.must_mass));
    else
      json.add_raw(name, "null");
  }
  return json.finish();
}

double seconds(const Recorder& recorder) {
  return recorder.requests() == 0 ? 0.0 : static_cast<double>(recorder.last_event() - recorder.first_request()) / 1e6;
}

}  // namespace

Coverage coverage(const Recorder& recorder, uint64_t max_pages) {
  Coverage found;
  const World& world = recorder.world();
  if (world.settings().pages > max_pages || world.hosts() > max_pages) return found;
  found.known = true;
  for (HostId id = 0; id < world.hosts(); ++id) {
    const HostFacts host = world.host(id);
    // A host that cannot be reached, or whose robots.txt lets nobody in, is accounted for by others than the judge.
    if (!host.open()) continue;
    const HostRow* const row = recorder.ledger().find(id);
    for_each_expected(world, host, [&](const PageRef& page, const Expectation& expectation) {
      if (expectation.verdict != Verdict::must) return;
      const double mass = is_numbered(page.kind) ? recorder.mass(host, page) : 0;
      ++found.must;
      if (is_numbered(page.kind)) ++found.pages;
      found.must_mass += mass;
      if (row != nullptr && recorder.ledger().progress(*row, page) != Progress::none) {
        ++found.asked;
        found.asked_mass += mass;
      } else if (found.missing.size() < max_missing) {
        found.missing.push_back(world.url(host, page));
      }
    });
  }
  return found;
}

std::string report_json(const Recorder& recorder, const Coverage& coverage) {
  caddis::JsonObject faults;
  for (int i = 0; i < kViolations; ++i) {
    const auto violation = static_cast<Violation>(i);
    faults.add_raw(to_string(violation), faults_json(recorder.faults(violation)));
  }
  const Most most = most_at_once(recorder);
  caddis::JsonObject at_once;
  at_once.add("host_requests", most.host_requests)
      .add("host_connections", most.host_connections)
      .add("address_requests", most.address_requests)
      .add("address_connections", most.address_connections);
  caddis::JsonObject json;
  json.add("seconds", seconds(recorder))
      .add("requests", recorder.requests())
      .add("connections", recorder.connections())
      .add("hosts", recorder.ledger().rows().size())
      .add("addresses", recorder.addresses().size())
      .add("head_requests", recorder.odd().head)
      .add("bad_requests", recorder.odd().bad)
      .add("unknown_hosts", recorder.odd().unknown_host)
      .add("broken_off", recorder.odd().broken_off)
      .add("trap_requests", recorder.trap_requests())
      .add_raw("coverage", coverage_json(coverage))
      .add("mass", recorder.has_page_rank() ? "pagerank" : "link-share")
      .add_raw("mass_at", mass_at_json(recorder, coverage))
      .add_raw("duplicates", faults_json(recorder.duplicates()))
      .add("violations", recorder.violations())
      .add_raw("violation_kinds", faults.finish())
      .add_raw("most_at_once", at_once.finish())
      .add_raw("host_gaps", recorder.host_gaps().json())
      .add_raw("address_gaps", recorder.address_gaps().json())
      .add_raw("kinds", kinds_json(recorder))
      .add_raw("http2_hosts", versions_json(recorder.versions()))
      .add_raw("form_logins", logins_json(recorder.logins()))
      .add_raw("dns", dns_json(recorder))
      .add_raw("curve", recorder.curve().json(curve_points, coverage.must_mass));
  return json.finish();
}

std::string report_text(const Recorder& recorder, const Coverage& coverage) {
  const Most most = most_at_once(recorder);
  std::string out = fmt::format("{} requests in {:.1f} s over {} connections, of {} hosts at {} addresses\n",
                                recorder.requests(), seconds(recorder), recorder.connections(),
                                recorder.ledger().rows().size(), recorder.addresses().size());
  if (coverage.known) {
    out +=
        fmt::format("coverage     {} of {} pages that must be asked for ({:.2f} %), {:.2f} % of {}\n", coverage.asked,
                    coverage.must, 100 * share(static_cast<double>(coverage.asked), static_cast<double>(coverage.must)),
                    100 * share(coverage.asked_mass, coverage.must_mass),
                    recorder.has_page_rank() ? "PageRank" : "links (PageRank's stand-in)");
    for (const std::string& url : coverage.missing) out += fmt::format("  missing    {}\n", url);
  } else {
    out += "coverage     not computed: the web is too large\n";
  }
  out += fmt::format("duplicates   {}\n", recorder.duplicates().count);
  for (const std::string& url : recorder.duplicates().examples) out += fmt::format("  twice      {}\n", url);
  out += fmt::format("violations   {}\n", recorder.violations());
  for (int i = 0; i < kViolations; ++i) {
    const auto violation = static_cast<Violation>(i);
    const Faults& faults = recorder.faults(violation);
    if (faults.count > 0)
      out += fmt::format("  {} {}, first {}\n", to_string(violation), faults.count, faults.examples[0]);
  }
  out += fmt::format("at once      host: {} requests, {} connections; address: {} requests, {} connections\n",
                     most.host_requests, most.host_connections, most.address_requests, most.address_connections);
  if (recorder.host_gaps().count() > 0)
    out += fmt::format("smallest gap {:.1f} ms between requests of a host\n",
                       static_cast<double>(recorder.host_gaps().smallest()) / 1000);
  out += fmt::format("traps        {} requests\n", recorder.trap_requests());
  return out;
}

}  // namespace simweb
