#include "simweb/oracle/verify.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/warc/source.h"
#include "simweb/oracle/comparison.h"
#include "simweb/world/doors.h"
#include "simweb/world/hash.h"

namespace simweb {
namespace {

using caddis::warc::Record;
using caddis::warc::RecordType;

constexpr size_t kMaxLogLine = 1 << 20;
constexpr size_t kReadSize = 256 * 1024;

uint64_t key_of(const HostFacts& host, const PageRef& page) {
  return draw(page.part, static_cast<Salt>(page.kind), host.id, page.number);
}

// Asked for again whenever it expires.
bool recurs(Kind kind) {
  return kind == Kind::robots || kind == Kind::robots_target || kind == Kind::login_form || kind == Kind::login_welcome;
}

// The next word of a line of crawl.log, which is removed.
std::string_view take_word(std::string_view& line) {
  const size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const size_t end = std::min(line.find(' ', begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

}  // namespace

std::string_view to_string(FaultKind kind) {
  constexpr std::array<std::string_view, kFaultKinds> kNames = {"missing",   "extra",    "altered", "duplicate",
                                                                "forbidden", "unlogged", "twice",   "protocol"};
  return kNames[static_cast<size_t>(kind)];
}

uint64_t VerifyCounts::all_faults() const {
  uint64_t sum = 0;
  for (const uint64_t count : faults) sum += count;
  return sum;
}

void Verifier::fault(const Crawl& crawl, FaultKind kind, std::string_view url, std::string reason) {
  ++counts_.faults[static_cast<size_t>(kind)];
  sink_({kind, std::string(url), std::move(reason), crawl.name});
}

Verifier::Crawl& Verifier::crawl_of(const std::string& name) {
  for (Crawl& crawl : crawls_)
    if (crawl.name == name) return crawl;
  return crawls_.emplace_back(Crawl{.name = name, .seen = {}});
}

std::optional<Verifier::Place> Verifier::locate(std::string_view url) const {
  const size_t scheme = url.find("://");
  if (scheme == url.npos) return {};
  const size_t begin = scheme + 3, end = std::min(url.find_first_of("/?#", begin), url.size());
  const std::string_view name = url.substr(begin, std::min(url.find(':', begin), end) - begin);
  const auto named = world_.host_of(name);
  if (!named) return {};
  Place place{.host = world_.host(named->id), .page = {}, .wildcard = named->wildcard};
  std::string origin = world_.origin(place.host);
  if (named->wildcard) origin.replace(origin.find("//") + 2, std::string::npos, url.substr(begin, end - begin));
  // Another scheme or port leads nowhere.
  if (url.substr(0, end) == origin) place.page = world_.route(place.host, *named, url.substr(end));
  return place;
}

caddis::Result<void> Verifier::add_archive(const caddis::io::File& file, const std::string& name) {
  Crawl& crawl = crawl_of(name);
  const caddis::warc::FileSource source(file);
  caddis::warc::Reader reader(source);
  for (;;) {
    TRY(Record* const record, reader.next());
    if (record == nullptr) break;
    if (record->type() == RecordType::response || record->type() == RecordType::revisit)
      TRY_VOID(add_record(crawl, *record));
  }
  for (const caddis::warc::Finding& finding : reader.take_findings())
    if (finding.level == caddis::warc::Level::error)
      fault(crawl, FaultKind::altered, "-", fmt::format("{} (at {})", finding.message, finding.offset));
  return {};
}

// The record says by which version it came (WARC-Protocol, of which there may be several).
void Verifier::check_protocol(const Crawl& crawl, const HostFacts& host, std::string_view url, Record& record) {
  if (world_.settings().http2 == 0) return;
  const bool is_http2 =
      std::ranges::any_of(record.header().all("WARC-Protocol"), [](const auto& one) { return one == "h2"; });
  const bool should = speaks_http2(world_.settings(), host.id);
  if (is_http2 != should)
    fault(crawl, FaultKind::protocol, url,
          fmt::format("by HTTP/{}, its host speaks HTTP/{}", is_http2 ? "2" : "1.1", should ? "2" : "1.1"));
}

caddis::Result<void> Verifier::add_record(Crawl& crawl, Record& record) {
  const std::string url(record.header().target_uri());
  if (!url.starts_with("http")) return {};
  ++counts_.records;
  if (record.type() == RecordType::revisit) ++counts_.revisits;
  const auto place = locate(url);
  if (place && place->wildcard && url.ends_with("/favicon.ico")) {
    ++counts_.traps;  // inferred of a host that is part of a trap
    return {};
  }
  if (!place || (place->page.kind == Kind::unknown && World::allowed(place->host, place->page))) {
    fault(crawl, FaultKind::extra, url, place ? "no page of this host" : "no host of this web");
    return {};
  }
  const HostFacts& host = place->host;
  const PageRef& page = place->page;
  const Expectation expected = expect(world_, host, page);
  Seen& seen = crawl.seen[key_of(host, page)];
  if (is_trap(page.kind)) ++counts_.traps;
  if (expected.verdict == Verdict::must_not) {
    fault(crawl, FaultKind::forbidden, url, fmt::format("robots.txt: {}", expected.reason));
    seen.forbidden = true;
    return {};
  }
  check_protocol(crawl, host, url, record);
  TRY(const Comparison found, compare_record(world_, host, page, expected, record));
  if (!found.difference.empty()) fault(crawl, FaultKind::altered, url, found.difference);
  seen.unchanged |= found.unchanged;
  if (found.interim || recurs(page.kind)) return {};
  // What breaks off may be tried again, and each try kept.
  if (seen.kept > 0 && expected.match == Match::exact) fault(crawl, FaultKind::duplicate, url, "kept more than once");
  seen.kept = static_cast<uint8_t>(std::min(seen.kept + 1, 255));
  return {};
}

caddis::Result<void> Verifier::add_log(const caddis::io::File& file, const std::string& name) {
  Crawl& crawl = crawl_of(name);
  std::string rest, buffer(kReadSize, '\0');
  for (uint64_t offset = 0;;) {
    TRY(const size_t size, file.read_at(offset, buffer.data(), buffer.size()));
    if (size == 0) break;
    offset += size;
    rest.append(buffer, 0, size);
    size_t begin = 0;
    for (size_t end; (end = rest.find('\n', begin)) != std::string::npos; begin = end + 1)
      add_log_line(crawl, std::string_view(rest).substr(begin, end - begin));
    rest.erase(0, begin);
    if (rest.size() > kMaxLogLine)
      return caddis::fail(caddis::ErrorCode::limit, fmt::format("a line of more than {} bytes", kMaxLogLine));
  }
  add_log_line(crawl, rest);
  return {};
}

void Verifier::add_log_line(Crawl& crawl, std::string_view line) {
  take_word(line);
  const auto status = caddis::parse_int(take_word(line));
  take_word(line);
  const std::string_view url = take_word(line);
  if (!status || !url.starts_with("http")) return;
  const auto place = locate(url);
  if (!place || place->page.kind == Kind::unknown) return;  // its record says so, if there is one
  Seen& seen = crawl.seen[key_of(place->host, place->page)];
  seen.logged = static_cast<int16_t>(std::clamp<int64_t>(*status, INT16_MIN, INT16_MAX));
  if (*status <= 0 || seen.forbidden) return;
  if (expect(world_, place->host, place->page).verdict != Verdict::must_not) return;
  fault(crawl, FaultKind::forbidden, url, fmt::format("crawl.log has it with status {}", *status));
  seen.forbidden = true;
}

caddis::Result<void> Verifier::add_outcomes(caddis::io::TextLines& lines, const std::string& name) {
  Crawl& crawl = crawl_of(name);
  crawl.has_outcomes = true;
  caddis::logs::JsonLine line;
  for (;;) {
    TRY(const auto text, lines.next());
    if (!text) return {};
    if (line.parse(*text) && !line.is_header()) add_outcome(crawl, line);
  }
}

// A URL that is fetched again and again ends as often; a chain of redirects is left once for each page that ends one.
void Verifier::add_outcome(Crawl& crawl, const caddis::logs::JsonLine& line) {
  const std::string url = line.copy("url");
  const auto place = locate(url);
  if (!place || place->page.kind == Kind::unknown || recurs(place->page.kind)) return;
  if (!line.raw("captured_before").empty() || line.raw("status") == "\"too-many-redirects\"") return;
  // Led to the same URL, with a cookie.
  if (door_of(world_.settings(), place->host.id, place->page.kind) == Door::cookie && line.raw("status") == "302" &&
      expect(world_, place->host, place->page).status != 302)
    return;
  Seen& seen = crawl.seen[key_of(place->host, place->page)];
  if (++seen.outcomes == 2) fault(crawl, FaultKind::twice, url, "a second line in the logs by protocol and by fate");
  seen.outcomes = std::min<uint8_t>(seen.outcomes, 2);
}

bool Verifier::kept_by_any(uint64_t page) const {
  return std::ranges::any_of(crawls_, [page](const Crawl& crawl) {
    const auto found = crawl.seen.find(page);
    return found != crawl.seen.end() && found->second.kept > 0;
  });
}

void Verifier::check_missing(const Crawl& crawl, const HostFacts& host, const PageRef& page,
                             const Expectation& expected) {
  ++counts_.expected;
  const uint64_t key = key_of(host, page);
  const auto found = crawl.seen.find(key);
  const Seen seen = found == crawl.seen.end() ? Seen{} : found->second;
  if (crawl.has_outcomes && seen.outcomes == 0 && !recurs(page.kind))
    fault(crawl, FaultKind::unlogged, world_.url(host, page), "no line in the logs by protocol and by fate");
  if (seen.kept > 0 || (seen.unchanged && kept_by_any(key))) {
    ++counts_.captured;
    return;
  }
  // A failure that was to be is enough where it is on record; the number depends on what the crawler makes of it.
  if (expected.match != Match::exact && seen.logged != 0) {
    ++counts_.on_record;
    return;
  }
  const std::string logged = seen.logged == 0 ? "" : fmt::format("; crawl.log has it with status {}", seen.logged);
  fault(crawl, FaultKind::missing, world_.url(host, page),
        fmt::format("{} {}{}", expected.status, expected.reason, logged));
}

void Verifier::finish() {
  counts_.crawls = crawls_.size();
  for (HostId id = 0; id < world_.hosts(); ++id) {
    const HostFacts host = world_.host(id);
    for_each_expected(world_, host, [&](const PageRef& page, const Expectation& expected) {
      if (expected.verdict != Verdict::must) return;
      for (const Crawl& crawl : crawls_) check_missing(crawl, host, page, expected);
    });
  }
}

}  // namespace simweb
