#include "caddis/visit/fetched_line.h"

#include "caddis/http/media_type.h"
#include "caddis/io/digest.h"
#include "caddis/url/crawl_schemes.h"
#include "caddis/url/public_form.h"
#include "caddis/url/raw_bytes.h"
#include "caddis/visit/page_notes.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

// Where a redirect leads, without a password; empty if it is none.
std::string redirect_target(const url::Url& url, const fetch::FetchOutcome& outcome) {
  if (!is_redirect(outcome.status) || !outcome.exchange) return {};
  const auto location = outcome.exchange->head.find("location");
  if (!location) return {};
  const auto target = url::Url::parse(url::as_sent(*location), &url);
  return target ? url::public_form(*target) : std::string();
}

Phases phases_of(const http::Exchange& exchange) {
  const http::Timings& at = exchange.timings;
  return {.is_reused = exchange.reused,
          .connect = at.connected,
          .wait = at.first_byte - at.connected,
          .receive = at.finished - at.first_byte};
}

void add_exchange(Visit& visit, const http::Exchange& exchange) {
  LogEntry& entry = visit.line->entry;
  entry.size = exchange.response.size();
  entry.body_size = entry.size - exchange.head_size;
  entry.mime = http::mime_of(exchange.head);
  if (!exchange.payload_digest.empty()) entry.digest = io::digest_label(exchange.payload_digest);
  note_flaws(entry.facts, exchange);
  entry.facts.peer.address = exchange.remote.address;
  entry.facts.peer.http = http::protocol_of(exchange);
  if (exchange.tls) entry.facts.peer.tls = exchange.tls->protocol;
  entry.facts.phases = phases_of(exchange);
  if (exchange.resource) {
    entry.facts.peer.listing = exchange.resource->listing;
    entry.facts.peer.reply = exchange.resource->reply;
  }
  frontier::Disposition& disposition = visit.result.disposition;
  disposition.bytes += entry.size;
  disposition.novel_bytes += novel_size(entry);
  visit.line->redirect = redirect_target(*visit.url(), *visit.document.outcome);
}

}  // namespace

void note_flaws(VisitFacts& facts, const http::Exchange& exchange) {
  facts.truncated = exchange.truncated;
  facts.http_problem = exchange.problem;
}

void record_fetch(Visit& visit, fetch::FetchOutcome outcome) {
  visit.document.outcome = std::move(outcome);
  const fetch::FetchOutcome& fetched = *visit.document.outcome;
  const url::Url& url = *visit.url();
  LogEntry& entry = visit.begin_line(url::public_form(url), url::crawl_host(url), fetched.status).entry;
  entry.started = fetched.started;
  entry.duration = fetched.took;
  entry.facts.refused_address = fetched.refused_address;
  entry.facts.is_timeout = fetched.is_timeout;
  if (const PageNotes* const notes = visit.slots.find<PageNotes>())
    entry.facts.page.is_against_robots = notes->is_against_robots;
  entry.facts.peer.login = visit.document.login;
  visit.result.disposition.fetch_time = fetched.took;
  visit.result.reason = fetched.error;
  if (fetched.exchange) add_exchange(visit, *fetched.exchange);
  // A server that refuses has a number of its own, and says why.
  if (!fetched.exchange && fetched.status > 0) entry.facts.peer.reply = fetched.error;
}

}  // namespace caddis::visit
