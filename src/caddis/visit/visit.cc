#include "caddis/visit/visit.h"

#include "caddis/http/media_type.h"
#include "caddis/url/crawl_schemes.h"
#include "caddis/url/public_form.h"

namespace caddis::visit {

Result<std::string_view> FetchedDocument::body_bytes() {
  if (body->is_away()) {
    TRY(body, fetch::decode_body(*readable(), body->max_output()));
  }
  return body->bytes();
}

std::function<Result<std::string>()> FetchedDocument::bringer() const {
  return [&exchange = *readable(), most = body->max_output()]() -> Result<std::string> {
    TRY(auto made, fetch::decode_body(exchange, most));
    return std::move(made).take();
  };
}

Visit::Visit(frontier::Lease lease, std::shared_ptr<config::SettingsCache> settings, const Clock& clock, unsigned lane)
    : settings_(std::move(settings)), clock_(clock), lane_(lane), hops_(lease.candidate.hops) {
  place_.since = place_.began = clock.steady();
  if (auto url = url::Url::parse(lease.candidate.url)) url_ = *std::move(url);
  result.disposition.lease = std::move(lease);
  if (settings_ != nullptr) result.link_logs = settings_->resolver().link_logs();
}

void Visit::follow(std::optional<url::Url> target, char hop) {
  document = {};
  if (line) result.visited.push_back(*std::move(line));
  line.reset();
  url_ = std::move(target);
  site_ = nullptr;
  hops_ += hop;
}

const config::EffectiveSettings& Visit::site() {
  if (site_ == nullptr) site_ = &settings_->of(*url_);
  return *site_;
}

const config::EffectiveSettings& Visit::host() {
  if (host_ == nullptr) host_ = &settings_->of_host(lease().host);
  return *host_;
}

bool Visit::allows(std::string_view step) {
  if (is_prerequisite() || !url_ || site().steps == nullptr) return true;
  scope::Answer answer;
  if (line && document.outcome) {
    answer.status = line->entry.status;
    answer.mime = line->entry.mime;
    if (const http::Exchange* exchange = document.exchange())
      answer.length = static_cast<int64_t>(exchange->body_size());
  }
  answer.address = lease().address;
  return asks_guard(step, answer);
}

bool Visit::guards_body() {
  return !is_prerequisite() && url_ && site().steps != nullptr && site().steps->has_guard(config::kBody);
}

bool Visit::wants_body(const http::ResponseHead& head, int64_t length) {
  const std::string mime = http::mime_of(head);
  return asks_guard(config::kBody,
                    {.status = head.status(), .mime = mime, .length = length, .address = lease().address});
}

bool Visit::asks_guard(std::string_view step, const scope::Answer& answer) {
  const frontier::Candidate& found = lease().candidate;
  return site().steps->lets_run(step, {.url = *url_,
                                       .hop_path = found.hops,
                                       .via = found.via,
                                       .is_seed = found.is_seed,
                                       .source_seed = found.seed,
                                       .answer = &answer,
                                       .at = clock_.wall()});
}

void Visit::conclude(int status) {
  phase_ = Phase::concluded;
  result.disposition.touched_host = false;
  if (!url_) {
    result.disposition.status = status;
    return;
  }
  begin_line(url::public_form(*url_), url::crawl_host(*url_), status);
}

void Visit::give_back() {
  phase_ = Phase::concluded;
  line.reset();
  frontier::Lease lease = std::move(result.disposition.lease);
  result = VisitResult();
  result.disposition.lease = std::move(lease);
  result.disposition.verdict = frontier::Verdict::returned;
  result.disposition.touched_host = false;
}

void Visit::give_up() {
  if (!is_prerequisite()) return conclude(lease().given_up);
  phase_ = Phase::concluded;
  frontier::Disposition& disposition = result.disposition;
  result.reason = "it was given up: " + lease().why;
  disposition.status = lease().given_up;
  disposition.verdict = frontier::Verdict::host_failed;
  disposition.host_is_hopeless = lease().kind == frontier::LeaseKind::dns;
  disposition.touched_host = false;
}

void Visit::fail(Error error) {
  phase_ = Phase::concluded;
  failure_ = std::move(error);
}

LoggedVisit& Visit::begin_line(std::string_view shown_url, std::string_view host, int status) {
  result.disposition.status = status;
  const bool is_seed = !is_prerequisite() && lease().candidate.is_seed;
  line.emplace(LoggedVisit{.entry = entry_for(shown_url, status),
                           .host = std::string(host),
                           .is_prerequisite = is_prerequisite(),
                           .is_seed = is_seed,
                           .redirect = {},
                           .place = nullptr});
  return *line;
}

LogEntry Visit::entry_for(std::string_view shown_url, int status) const {
  const frontier::Lease& of = lease();
  LogEntry entry;
  entry.finished = clock_.wall();
  entry.started = entry.finished;
  entry.status = status;
  entry.url = shown_url;
  entry.hops = hops_;
  entry.via = url::public_form(of.candidate.via);
  entry.seed = of.candidate.seed;
  entry.lane = lane_;
  entry.facts.attempt = of.attempt;
  entry.facts.times = of.times;
  entry.facts.given_up = of.why;
  return entry;
}

bool Visit::end_fetch() {
  const bool was_ended = phase_ == Phase::ended_by_operator;
  phase_ = Phase::on_its_way;
  return was_ended;
}

bool Visit::interrupt() {
  if (phase_ != Phase::fetching) return false;
  phase_ = Phase::ended_by_operator;
  return true;
}

}  // namespace caddis::visit
