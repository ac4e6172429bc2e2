// A question is sent when it is asked, and its answer waited for by whoever reads it first. What comes is made into lines under
// our own keys, in memory, so that it can be searched as any other source.
#include "caddis/sources/remote_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <optional>
#include <set>
#include <utility>

#include "caddis/base/json_text.h"
#include "caddis/base/percent.h"
#include "caddis/base/strings.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/url_captures.h"
#include "caddis/sources/memento.h"
#include "caddis/url/url.h"

namespace caddis::sources {
namespace {

using Kind = RemoteIndexOptions::Kind;

constexpr Duration kKept = std::chrono::minutes(1);
constexpr size_t kKeptAnswers = 500;
constexpr size_t kKeptLines = 200'000;  // in all of them
constexpr uint64_t kLongestAnswer = 64 << 20;
constexpr size_t kAnswerMemory = 1 << 20;
constexpr size_t kMostPages = 20;  // of a TimeMap
constexpr std::string_view kUrlPlace = "{url}";

std::string_view match_name(cdx::MatchType match) {
  switch (match) {
    case cdx::MatchType::prefix:
      return "prefix";
    case cdx::MatchType::host:
      return "host";
    case cdx::MatchType::domain:
      return "domain";
    default:
      return "exact";
  }
}

std::string cdx_address(const RemoteIndexOptions& options, const cdx::LineQuestion& question) {
  std::string address = options.address;
  address += address.find('?') == std::string::npos ? '?' : '&';
  address += fmt::format("url={}&matchType={}&limit={}", percent_encoded(question.url), match_name(question.match),
                         options.most + 1);
  if (options.dialect != cdx::Dialect::internet_archive) return address;
  // The public one does not say where records lie.
  return address +
         (options.mementos.empty()
              ? "&fl=urlkey,timestamp,original,mimetype,statuscode,digest,redirect,robotflags,length,offset,filename"
              : "&fl=urlkey,timestamp,original,mimetype,statuscode,digest,length");
}

std::string memento_question(const std::string& address, std::string_view url) {
  const size_t place = address.find(kUrlPlace);
  if (place == std::string::npos) return address + std::string(url);
  std::string asked = address;
  return asked.replace(place, kUrlPlace.size(), url);
}

}  // namespace

std::string url_of_key(std::string_view key) {
  const size_t end = key.find(')');
  const size_t bad = key.find_first_of("/?#");
  if (end == std::string_view::npos || bad < end) return std::string(key);
  std::string_view host = key.substr(0, end);
  std::string_view port;
  if (const size_t colon = host.rfind(':'); colon != std::string_view::npos && !host.starts_with('[')) {
    port = host.substr(colon);
    host = host.substr(0, colon);
  }
  auto labels = split(host, ',');
  std::ranges::reverse(labels);
  std::string url = "http://";
  for (size_t i = 0; i < labels.size(); ++i) url += (i > 0 ? "." : "") + std::string(labels[i]);
  url += port;
  const std::string_view path = key.substr(end + 1);
  return url + (path.starts_with('/') ? "" : "/") + std::string(path);
}

std::vector<cdx::Capture> parse_cdx_answer(std::string_view text) {
  std::vector<cdx::Capture> captures;
  for (std::string_view line : split(text, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with(' ')) continue;
    auto capture = cdx::parse_line(line);
    const auto fields = capture ? std::vector<std::string_view>() : split(line, ' ');
    if (fields.size() == 7)
      capture = cdx::parse_line(fmt::format("{} {} {} {} {} {} - - {} - -", fields[0], fields[1], fields[2], fields[3],
                                            fields[4], fields[5], fields[6]));
    const bool is_usable = capture && !capture->url.empty() && capture->timestamp.size() >= 4 &&
                           capture->timestamp.size() <= 17 && std::ranges::all_of(capture->timestamp, is_digit);
    if (is_usable) captures.push_back(*std::move(capture));
  }
  return captures;
}

// The lines that answer one question.
class RemoteIndex::Answer : public cdx::LineSource {
 public:
  Answer(std::shared_ptr<Server> server, cdx::LineQuestion question)
      : server_(std::move(server)), question_(std::move(question)), until_(now() + server_->options.timeout) {
    const RemoteIndexOptions& options = server_->options;
    first_ =
        options.kind == Kind::cdx ? cdx_address(options, question_) : memento_question(options.address, question_.url);
    pending_ = server_->client->begin(request_for(first_));
  }

  Result<std::unique_ptr<cdx::LineCursor>> seek(std::string_view key) override {
    {
      const std::scoped_lock lock(mutex_);
      if (!std::exchange(is_read_, true)) read();
    }
    return lines_.seek(key);
  }
  Result<cdx::Capture> parse(std::string_view line) const override { return lines_.parse(line); }
  bool has_failed() const { return failed_; }
  size_t size() const { return lines_.size(); }

 private:
  SteadyTime now() const { return server_->client->clock().steady(); }

  remote::WebRequest request_for(std::string address) const {
    remote::WebRequest request;
    request.address = std::move(address);
    request.timeout = std::max<Duration>(until_ - now(), std::chrono::milliseconds(1));
    request.max_body = kLongestAnswer;
    request.memory = kAnswerMemory;
    // A TimeGate says it in its head.
    if (server_->options.kind == Kind::timegate) request.may_be_cut = true;
    return request;
  }

  void read() {
    auto answer = pending_.get();
    const auto done = answer ? read_answer(*answer) : Result<void>(std::unexpected(std::move(answer).error()));
    if (done) return server_->health.answered();
    failed_ = true;
    server_->health.failed(server_->options.name + ": " + done.error().message);
  }

  Result<void> read_answer(const remote::WebAnswer& answer) {
    if (answer.status == 404) return {};  // as archives say that they have no captures
    const bool is_redirect = answer.status >= 301 && answer.status <= 308;
    const bool is_gate = server_->options.kind == Kind::timegate;
    if (answer.status != 200 && !(is_gate && is_redirect))
      return fail(ErrorCode::io,
                  fmt::format("{} answers with status {}", remote::shown_address(first_), answer.status));
    if (is_gate) return read_gate(answer);
    TRY(const std::string text, answer.text());
    if (server_->options.kind == Kind::timemap) return read_timemap(text);
    for (cdx::Capture& capture : parse_cdx_answer(text)) {
      if (!server_->options.mementos.empty())
        capture.filename = memento_address(server_->options.mementos, capture.timestamp, capture.url);
      else if (capture.filename.empty())
        continue;
      add(std::move(capture), !server_->options.mementos.empty());
    }
    return {};
  }

  // A TimeGate names the TimeMap, or at least the mementos around the one that it has chosen.
  Result<void> read_gate(const remote::WebAnswer& answer) {
    const MementoLinks links = parse_memento_links(answer.head.joined("link"));
    for (const std::string& address : links.timemaps) {
      const std::string whole = absolute(address);
      if (origin_of(whole) != origin_of(first_)) continue;
      auto timemap = server_->client->get(request_for(whole));
      if (timemap && timemap->status == 200) {
        TRY(const std::string text, timemap->text());
        pages_.insert(whole);
        return read_timemap(text);
      }
    }
    add_mementos(links);
    return {};
  }

  Result<void> read_timemap(const std::string& text) {
    MementoLinks links = parse_memento_links(text);
    pages_.insert(first_);
    for (;;) {
      add_mementos(links);
      const auto next = next_page(links);
      if (!next) return {};
      TRY(const auto page, server_->client->get(request_for(*next)));
      if (page.status != 200) return {};
      TRY(const std::string more, page.text());
      links = parse_memento_links(more);
    }
  }

  // Another page of the TimeMap; those of other servers are not asked.
  std::optional<std::string> next_page(const MementoLinks& links) {
    for (const std::string& address : links.timemaps) {
      std::string whole = absolute(address);
      const bool is_here = origin_of(whole) == origin_of(first_) && !whole.empty();
      if (is_here && pages_.size() < kMostPages && pages_.insert(whole).second && lines_.size() < server_->options.most)
        return whole;
    }
    return std::nullopt;
  }

  std::string absolute(const std::string& address) const {
    const auto base = url::Url::parse(first_);
    const auto target = url::Url::parse(address, base ? &*base : nullptr);
    return target ? std::string(target->href()) : std::string();
  }

  void add_mementos(const MementoLinks& links) {
    for (const MementoLink& link : links.mementos) {
      cdx::Capture capture;
      capture.timestamp = link.timestamp;
      capture.url = links.original.empty() ? question_.url : links.original;
      capture.mime = "unk";
      capture.filename = raw_memento_address(absolute(link.address));
      add(std::move(capture), true);
    }
  }

  void add(cdx::Capture capture, bool is_memento) {
    if (lines_.size() >= server_->options.most) return;
    capture.urlkey = cdx::index_key(capture.url);
    if (capture.urlkey.empty()) return;
    if (is_memento) {
      capture.offset = "0";
      capture.length.clear();
    }
    std::string name;
    append_json_string(name, server_->options.name);
    std::erase_if(capture.extra, [](const auto& member) { return member.first == "source"; });
    capture.extra.emplace_back("source", std::move(name));
    lines_.add(cdx::cdxj_line(capture));
  }

  const std::shared_ptr<Server> server_;
  const cdx::LineQuestion question_;
  const SteadyTime until_;
  std::string first_;  // the address that is asked
  std::future<Result<remote::WebAnswer>> pending_;
  std::set<std::string> pages_;  // of a TimeMap, that were asked
  std::mutex mutex_;             // of reading
  bool is_read_ = false;
  std::atomic<bool> failed_ = false;
  cdx::MemoryLines lines_;
};

RemoteIndex::RemoteIndex(std::shared_ptr<remote::WebClient> client, RemoteIndexOptions options)
    : server_(std::make_shared<Server>(std::move(client), std::move(options))) {}

std::shared_ptr<cdx::LineSource> RemoteIndex::ask(const cdx::LineQuestion& asked) {
  const auto nothing = [] { return std::make_shared<cdx::MemoryLines>(); };
  cdx::LineQuestion question = asked;
  if (question.url.empty()) question.url = url_of_key(question.key);
  const bool is_exact = question.match == cdx::MatchType::exact;
  const bool can_be_asked = is_exact || (server_->options.kind == Kind::cdx && question.match != cdx::MatchType::range);
  if (!can_be_asked || question.url.empty() || server_->health.why_not()) return nothing();
  const std::string name = fmt::format("{} {}", match_name(question.match), question.url);
  const SteadyTime now = server_->client->clock().steady();
  const std::scoped_lock lock(mutex_);
  const auto known = kept_.find(name);
  if (known != kept_.end() && now - known->second.since < kKept && !known->second.answer->has_failed())
    return known->second.answer;
  size_t lines = 0;
  for (const auto& [_, one] : kept_) lines += one.answer->size();
  if (kept_.size() >= kKeptAnswers || lines >= kKeptLines) {
    std::erase_if(kept_, [&](const auto& one) { return now - one.second.since >= kKept; });
    if (kept_.size() >= kKeptAnswers / 2) kept_.clear();
  }
  auto answer = std::make_shared<Answer>(server_, std::move(question));
  kept_.insert_or_assign(name, Kept{answer, now});
  return answer;
}

}  // namespace caddis::sources
