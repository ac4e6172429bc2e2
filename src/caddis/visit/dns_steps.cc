// The visit of a host's name: its addresses, those of them that may be connected to, and the record of the look-up.

#include <memory>

#include "caddis/archive/arc.h"
#include "caddis/archive/capture.h"
#include "caddis/base/fetch_status.h"
#include "caddis/dns/resolver.h"
#include "caddis/visit/capture_writer.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/steps.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

constexpr size_t kRecordInMemory = 64 * 1024;

class ResolveStep final : public Step {
 public:
  explicit ResolveStep(LaneTools& tools) : tools_(tools) {}
  std::string_view name() const override { return "look-up"; }
  bool waits() const override { return true; }

  aio::Task<Result<Next>> run_waiting(Visit& visit) override {
    const Clock& clock = tools_.loop.clock();
    const WallTime started = clock.wall();
    const SteadyTime began = clock.steady();
    auto answer = co_await tools_.resolver->resolve(visit.lease().host);
    if (tools_.is_aborted) {
      visit.give_back();
      co_return Next::finish();
    }
    visit.result.disposition.touched_host = false;
    const int status = answer ? status::kDnsOk : status::kDnsFailed;
    LogEntry& entry = visit.begin_line(visit.lease().candidate.url, visit.lease().host, status).entry;
    entry.started = started;
    entry.duration = clock.steady() - began;
    if (!answer) entry.facts.is_timeout = answer.error().code == ErrorCode::timeout;
    co_return settle(visit, std::move(answer));
  }

 private:
  Next settle(Visit& visit, Result<dns::Answer> answer) {
    frontier::Disposition& disposition = visit.result.disposition;
    if (!answer) {
      disposition.verdict = frontier::Verdict::host_failed;
      disposition.host_is_hopeless = answer.error().code == ErrorCode::not_found;
      visit.result.reason = answer.error().message;
      return Next::finish();
    }
    const auto ttl = std::chrono::duration_cast<std::chrono::microseconds>(answer->ttl);
    choose_addresses(visit, *answer, visit.line->entry.started + ttl);
    visit.slots.put(*std::move(answer));
    return Next::on();
  }

  // Keeps those that may be connected to. If there are none, all that waits for the host is given up.
  void choose_addresses(Visit& visit, const dns::Answer& answer, WallTime expires) {
    frontier::Disposition& disposition = visit.result.disposition;
    fetch::AddressPolicy& policy = tools_.context.addresses;
    const std::string& host = disposition.lease.host;
    std::vector<std::string> all;
    for (const dns::Address& address : answer.addresses) all.push_back(address.text);
    if (disposition.lease.first_lookup) visit.result.new_ranges = policy.take_lookup(host, all);
    const std::vector<std::string>& allowed = visit.host().fetch.allow_addresses;
    visit.line->entry.facts.addresses = all;
    visit.line->entry.facts.peer.address = answer.server;
    std::vector<std::string> open, refused;
    for (std::string& address : all)
      (policy.refusal({address, 0}, allowed) ? refused : open).push_back(std::move(address));
    if (!refused.empty()) visit.line->entry.facts.refused_address = refused.front();
    if (!open.empty()) {
      disposition.addresses = frontier::HostAddresses{std::move(open), expires};
      return;
    }
    disposition.host_is_hopeless = true;
    disposition.status = status::kAddressRefused;
    refused.resize(1);
    disposition.addresses = frontier::HostAddresses{std::move(refused), frontier::kRefused};
  }

  LaneTools& tools_;
};

class DnsRecordsStep final : public Step {
 public:
  explicit DnsRecordsStep(LaneTools& tools) : tools_(tools), writer_(tools) {}
  std::string_view name() const override { return "records"; }

  Result<Next> run(Visit& visit) override {
    const dns::Answer& answer = *visit.slots.find<dns::Answer>();
    LogEntry& entry = visit.line->entry;
    const std::string body = dns::dns_record_body(answer, entry.started);
    entry.size = entry.body_size = body.size();
    entry.mime = "text/dns";
    archive::CaptureMetadata metadata;
    metadata.via = entry.via;
    metadata.hops = entry.hops;
    metadata.seed = entry.seed;
    metadata.fetch_time = entry.duration;
    Capture capture(io::Spool(tools_.context.spools, kRecordInMemory));
    const auto make = [&](archive::WriterKind kind, const archive::RecordForm& form, archive::Records& records) {
      if (kind == archive::WriterKind::arc)
        return archive::write_arc_dns(entry.url, entry.started, answer.server, body, form.compression, records);
      return archive::write_dns_capture(entry.url, entry.started, answer.server, body, metadata, form, tools_.random,
                                        records);
    };
    TRY(const bool is_taken, writer_.write(writer_.choose(visit, capture), visit, capture, make));
    if (!is_taken) return Next::on();
    capture.url = entry.url;
    capture.date = entry.started;
    capture.mime = entry.mime;
    visit.line->place = capture.place = std::make_shared<WrittenAt>();
    visit.result.captures.push_back(std::move(capture));
    return Next::on();
  }

 private:
  LaneTools& tools_;
  CaptureWriter writer_;
};

}  // namespace

std::unique_ptr<Step> make_resolve_step(LaneTools& tools) { return std::make_unique<ResolveStep>(tools); }
std::unique_ptr<Step> make_dns_records_step(LaneTools& tools) { return std::make_unique<DnsRecordsStep>(tools); }

}  // namespace caddis::visit
