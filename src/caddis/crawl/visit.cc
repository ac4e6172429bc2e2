// What is common to the visits of a lane: from an exchange to log line, records and links.

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/json_text.h"
#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/crawl/lane.h"
#include "caddis/fetch/decoded_body.h"
#include "caddis/http/media_type.h"
#include "caddis/io/digest.h"
#include "caddis/url/public_form.h"

namespace caddis::crawl {
namespace {

constexpr size_t kRecordsInMemory = 8 << 20;

bool is_packed_coding(std::string_view coding) {
  for (const std::string_view name : {"gzip", "x-gzip", "br", "zstd", "deflate", "compress", "x-compress"})
    if (equals_ignore_case(coding, name)) return true;
  return false;
}

// Pixels, samples and outlines as they are, which compress like text.
bool is_plain_media(std::string_view mime) {
  for (const std::string_view name :
       {"image/svg+xml", "image/bmp", "image/x-ms-bmp", "image/tiff", "image/x-icon", "image/vnd.microsoft.icon",
        "audio/wav", "audio/x-wav", "audio/vnd.wave", "audio/aiff", "audio/x-aiff", "audio/midi", "font/ttf",
        "font/otf", "font/sfnt", "font/collection"})
    if (mime == name) return true;
  return false;
}

bool is_incompressible(std::string_view mime, const http::ResponseHead& head) {
  const std::string codings = head.joined("content-encoding");
  for (const std::string_view coding : split(codings, ','))
    if (is_packed_coding(trim(coding))) return true;
  if (is_plain_media(mime)) return false;
  return mime.starts_with("image/") || mime.starts_with("video/") || mime.starts_with("audio/") ||
         mime.starts_with("font/") || mime == "application/zip" || mime == "application/gzip" ||
         mime == "application/x-gzip" || mime == "application/epub+zip" || mime == "application/x-xz" ||
         mime == "application/x-bzip2";
}

std::optional<warc::Truncated> warc_reason(http::Truncated truncated) {
  switch (truncated) {
    case http::Truncated::none:
      return std::nullopt;
    case http::Truncated::length:
    case http::Truncated::head:
      return warc::Truncated::length;
    case http::Truncated::time:
      return warc::Truncated::time;
    case http::Truncated::disconnect:
      return warc::Truncated::disconnect;
  }
  return std::nullopt;
}

// A page is what a person would call one: HTML that was linked to or given, not a frame or an error.
bool is_page(const LogEntry& entry) {
  const bool linked = entry.hops.empty() || std::string_view("LRMS").contains(entry.hops.back());
  return entry.status == 200 && linked && (entry.mime == "text/html" || entry.mime == "application/xhtml+xml");
}

std::string page_line(const LogEntry& entry, std::string_view title) {
  JsonObject line;
  line.add("url", entry.url).add("ts", rfc3339(entry.started));
  if (!title.empty()) line.add("title", title);
  if (entry.hops.empty()) line.add("seed", true);
  return line.finish() + "\n";
}

// The body of `document`, for extractors: up to `max_length` bytes, of a sitemap up to its own limit.
Result<fetch::DecodedBody> decode_for_links(const http::Exchange& exchange, extract::Document document,
                                            size_t max_length) {
  TRY(fetch::DecodedBody body, fetch::decode_body(exchange, max_length));
  document.body = body.bytes();
  if (!body.is_cut() || extract::document_type(document) != extract::DocumentType::sitemap) return body;
  return fetch::decode_body(exchange, std::max(max_length, extract::kMaxSitemap));
}

}  // namespace

LogEntry Lane::entry_for(const frontier::Lease& lease, std::string_view url, int status) const {
  LogEntry entry;
  entry.finished = loop_.clock().wall();
  entry.started = entry.finished;
  entry.status = status;
  entry.url = url;
  entry.hops = lease.candidate.hops;
  entry.via = url::public_form(lease.candidate.via);
  entry.seed = lease.candidate.seed;
  entry.lane = number_;
  if (lease.attempt > 1) entry.annotations.push_back(fmt::format("{}t", lease.attempt));
  if (lease.times > 0) entry.annotations.push_back(fmt::format("again:{}", lease.times));
  if (!lease.why.empty()) entry.annotations.push_back(lease.why);
  return entry;
}

void Lane::take_failure(VisitResult& finished, const url::Url& url, const fetch::FetchOutcome& outcome) {
  const frontier::Lease& lease = finished.disposition.lease;
  LogEntry entry = entry_for(lease, url::public_form(url), outcome.status);
  entry.started = outcome.started;
  entry.duration = outcome.took;
  entry.annotations.insert(entry.annotations.end(), outcome.annotations.begin(), outcome.annotations.end());
  finished.disposition.status = outcome.status;
  finished.disposition.fetch_time = outcome.took;
  finished.reason = outcome.error;
  const bool prerequisite = lease.kind != frontier::LeaseKind::url;
  finished.visited.push_back(
      {std::move(entry), std::string(url.hostname()), prerequisite, lease.candidate.is_seed, {}});
}

void Lane::take_exchange(VisitResult& finished, const url::Url& url, const fetch::FetchOutcome& outcome, bool keep) {
  const frontier::Lease& lease = finished.disposition.lease;
  const http::Exchange& exchange = *outcome.exchange;
  take_failure(finished, url, outcome);
  LoggedVisit& visited = finished.visited.back();
  LogEntry& entry = visited.entry;
  entry.size = exchange.response.size();
  finished.disposition.bytes += exchange.response.size();
  finished.disposition.novel_bytes += novel_size(entry);
  entry.mime = http::mime_of(exchange.head);
  if (!exchange.payload_sha1.empty()) entry.digest = io::digest_label(exchange.payload_sha1);
  if (is_redirect(outcome.status))
    if (const auto location = exchange.head.find("location"))
      if (const auto target = url::Url::parse(*location, &url)) visited.redirect = url::public_form(*target);
  if (!keep) return;

  extract::Extracted extracted;
  // A site's error page for robots.txt is nothing that anybody linked to, and where it redirects to is visited along
  // with it.
  const bool prerequisite = lease.kind != frontier::LeaseKind::url;
  if (prerequisite ? outcome.status < 300 : outcome.status < 400 || outcome.status == 404) {
    steps_.enter(lease.id, "decode");
    extract::Options options = sites_.of(url).extract;
    options.obey_meta_nofollow = options.obey_meta_nofollow && sites_.of_host(lease.host).obeys_nofollow();
    std::vector<extract::HeaderField> fields;
    for (const http::Field field : exchange.head) fields.emplace_back(field.name, field.value);
    extract::Document document{.url = url.href(),
                               .via = entry.via,
                               .content_type = exchange.head.find("content-type").value_or(""),
                               .body = {},
                               .status = outcome.status,
                               .fields = fields};
    const auto body = decode_for_links(exchange, document, options.max_length);
    if (!body) return fail_locally(finished, body.error());
    document.body = body->bytes();
    steps_.enter(lease.id, "extract");
    extracted = extract::extract(document, options);
    if (lease.wants_sketch && outcome.status == 200 && entry.mime.starts_with("text/"))
      finished.disposition.sketch = text::sketch_of(body->bytes());
    entry.annotations.insert(entry.annotations.end(), body->annotations().begin(), body->annotations().end());
    entry.annotations.insert(entry.annotations.end(), extracted.annotations.begin(), extracted.annotations.end());
  }
  if (lease.kind == frontier::LeaseKind::url && is_page(entry)) finished.page_line = page_line(entry, extracted.title);
  steps_.enter(lease.id, "records");
  write_capture(finished, outcome, entry, &extracted);
  steps_.enter(lease.id, "links");
  // Last: what a link does to the scope stays, also where the visit does not count.
  const bool is_kept = !finished.disposition.local_failure && !finished.captures.empty();
  if (is_kept) take_links(finished, url, extracted.links);
}

// Our own disk: nothing of this visit may count, it is done again; save where the body itself is too large for the
// disk, some times over.
void Lane::fail_locally(VisitResult& finished, const Error& error) {
  frontier::Disposition& disposition = finished.disposition;
  finished.reason = error.message;
  const bool is_url = disposition.lease.kind == frontier::LeaseKind::url;
  if (is_url && error.code == ErrorCode::limit && disposition.lease.attempt >= kTriesForRoom) {
    log_error("crawl", "gives up {}: {}", url::public_form(disposition.lease.candidate.url), error.message);
    disposition.verdict = frontier::Verdict::settled;
    disposition.status = finished.visited.back().entry.status = status::kSevereError;
    finished.visited.back().entry.annotations.emplace_back(kNoRoom);
    finished.page_line.clear();
    return;
  }
  disposition.verdict = frontier::Verdict::retry_url;
  disposition.local_failure = true;
  log_error("crawl", "cannot keep {}: {}", url::public_form(disposition.lease.candidate.url), error.message);
}

void Lane::write_capture(VisitResult& finished, const fetch::FetchOutcome& outcome, const LogEntry& entry,
                         const extract::Extracted* extracted) {
  const http::Exchange& exchange = *outcome.exchange;
  std::string outlinks;
  archive::CaptureMetadata metadata;
  metadata.via = entry.via;
  metadata.hops = entry.hops;
  metadata.seed = entry.seed;
  metadata.fetch_time = outcome.took;
  if (extracted != nullptr) {
    metadata.charset = extracted->charset;
    if (context_.settings.archive.outlinks) {
      constexpr size_t kUsualLine = 80;
      outlinks.reserve(extracted->links.size() * kUsualLine);
      std::string shown;
      for (const extract::Link& link : extracted->links) {
        if (link.target.has_userinfo()) shown = url::public_form(link.target);
        archive::append_outlink(outlinks, link.target.has_userinfo() ? shown : link.url(), static_cast<char>(link.hop),
                                link.context);
      }
      metadata.outlinks = outlinks;
    }
  }
  if (!exchange.interim.empty()) metadata.more.emplace_back("httpInterim", exchange.interim);
  if (!exchange.problem.empty()) metadata.more.emplace_back("httpProblem", exchange.problem);
  archive::HttpCapture capture{entry.url,
                               outcome.started,
                               exchange.remote.address,
                               exchange.request_bytes,
                               exchange.response,
                               {},
                               {},
                               {},
                               {},
                               {},
                               exchange.head_size,
                               false,
                               metadata};
  const std::string block = io::digest_label(exchange.block_sha1);
  capture.block_digest = block;
  capture.payload_digest = entry.digest;
  capture.truncated = warc_reason(exchange.truncated);
  if (exchange.tls) {
    capture.protocol = exchange.tls->protocol;
    capture.cipher = exchange.tls->cipher;
    if (!exchange.tls->verify_error.empty())
      capture.metadata.more.emplace_back("tlsVerify", exchange.tls->verify_error);
  }
  capture.is_compressed = is_incompressible(entry.mime, exchange.head);

  Capture made(io::Spool(context_.spools, kRecordsInMemory));
  const bool small = context_.settings.archive.compression == archive::CompressionChoice::small;
  const auto written = archive::write_http_capture(capture, small ? warc::Compression::small : warc::Compression::fast,
                                                   random_, made.records);
  if (!written) return fail_locally(finished, written.error());
  made.url = entry.url;
  made.date = outcome.started;
  made.mime = std::string(exchange.head.find("content-type").value_or(""));
  made.status = outcome.status;
  made.digest = entry.digest;
  finished.captures.push_back(std::move(made));
}

// Where a chain of redirects was left is on record, once a visit.
void Lane::note_chain_end(VisitResult& finished, const url::Url& target, const std::string& via) {
  LogEntry entry = entry_for(finished.disposition.lease, url::public_form(target), status::kTooManyRedirects);
  entry.hops += 'R';
  entry.via = via;
  entry.annotations.clear();
  // Behind others: the last is the lease's own.
  finished.visited.insert(finished.visited.end() - 1,
                          {std::move(entry), std::string(target.hostname()), false, false, {}});
}

void Lane::take_links(VisitResult& finished, const url::Url& url, const std::vector<extract::Link>& links) {
  const frontier::Lease& lease = finished.disposition.lease;
  const auto reject = [&](std::string_view rule) {
    const auto known = std::ranges::find(finished.rejected, rule, &std::pair<std::string_view, uint64_t>::first);
    if (known != finished.rejected.end())
      ++known->second;
    else
      finished.rejected.emplace_back(rule, 1);
  };
  const std::string via = url::public_form(url);
  std::string hops = lease.candidate.hops + ' ';
  std::vector<uint64_t> marks;
  marks.reserve(links.size());
  for (const extract::Link& link : links) recent_.prefetch(marks.emplace_back(context_.identity.mark(link.url())));
  auto next_mark = marks.begin();
  bool chain_ended = false;
  std::vector<uint64_t>& leads_to = finished.disposition.links;
  for (const extract::Link& link : links) {
    const url::Url& target = link.target;
    const bool is_redirect = link.hop == extract::Hop::redirect;
    const uint64_t mark = *next_mark++;
    if (!is_redirect && recent_.has(mark)) {
      if (lease.wants_links) leads_to.push_back(mark);
      continue;
    }
    hops.back() = static_cast<char>(link.hop);
    const config::EffectiveSettings& site = sites_.of(target);
    scope::Candidate candidate{target, hops, via, false, site.scope.get()};
    frontier::ScheduledUrl scheduled;
    if (is_redirect && context_.scope.becomes_seed(candidate)) {
      // Widened before the link is judged: its own links are judged by the wider scope too.
      context_.scope.add_seed(target);
      candidate.is_seed = scheduled.candidate.is_seed = true;
      finished.new_seeds.emplace_back(target.href());
    }
    const scope::Decision decision = context_.scope.decide(candidate);
    if (!decision.accepted) {
      reject(decision.rule);
      if (decision.rule == "max-redirects" && !std::exchange(chain_ended, true)) note_chain_end(finished, target, via);
      continue;
    }
    const auto key = url::crawl_key(context_.key_policy, target);
    if (!key) continue;
    if (is_redirect && !lease.candidate.again && target.href() != url.without_fragment()) {
      const auto own_key = url::crawl_key(context_.key_policy, url);
      scheduled.candidate.force = own_key && *own_key == *key;
    }
    scheduled.candidate.url = target.href();
    scheduled.candidate.via = via;
    scheduled.candidate.hops = hops;
    scheduled.candidate.context = link.context;
    scheduled.candidate.seed = lease.candidate.seed;
    scheduled.order = site.order;
    scheduled.origin = frontier::origin_of(target);
    scheduled.host = target.hostname();
    scheduled.fingerprint = context_.identity.fingerprint(*key, context_.identity.partition(scheduled.host));
    if (!scheduled.candidate.force) finished.marks.push_back(mark);
    if (lease.wants_links) leads_to.push_back(mark);
    finished.links.push_back(std::move(scheduled));
  }
  if (!lease.wants_links) return;
  std::ranges::sort(leads_to);
  leads_to.erase(std::ranges::unique(leads_to).begin(), leads_to.end());
  std::erase(leads_to, context_.identity.mark(url.without_fragment()));
}

}  // namespace caddis::crawl
