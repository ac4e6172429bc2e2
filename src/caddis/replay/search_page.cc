#include "caddis/replay/search_page.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "caddis/base/csv.h"
#include "caddis/base/percent.h"
#include "caddis/base/strings.h"
#include "caddis/cdx/query_run.h"
#include "caddis/cdx/request_key.h"
#include "caddis/replay/address.h"
#include "caddis/replay/list_bodies.h"
#include "caddis/replay/page_titles.h"
#include "caddis/text/host_display.h"

namespace caddis::replay {
namespace {

using cdx::QueryRun;
using Found = QueryRun::Found;
using pages::Data;
using pages::Writer;

constexpr uint64_t kCountedLines = 100'000;  // of a page: a URL may have millions of captures
constexpr size_t kPageBytes = 1 << 20;       // of URLs that wait to be written

// A domain has none.
std::string without_scheme(const std::string& url) {
  const size_t end = url.find("://");
  return end == std::string::npos ? url : url.substr(end + 3);
}

// One URL of the results.
struct FoundUrl {
  std::string key, url, indexed_url, method, title, status, type, first, last;
  uint64_t captures = 0;
  bool is_cut = false;  // there are more captures than were counted
};

// The results of one collection, as far as a page has them.
class Results {
 public:
  Results(Collection& collection, QueryRun run, size_t most)
      : collection_(collection), titles_(collection), run_(std::move(run)), most_(most) {}

  // One slice. True: the page is full, or there is no more.
  Result<bool> collect() {
    cdx::Capture capture;
    for (uint64_t budget = cdx::kServedSlice;;) {
      TRY(const Found found, run_.next(capture, budget));
      if (found != Found::capture) return found == Found::end;
      if (add(capture)) return true;
    }
  }

  Data write(const Search& search, bool is_one_of_many) const {
    const std::string& name = collection_.name();
    const std::string address = '/' + name + "/search?" + form_query(search.form);
    Data part{{"collection", name},
              {"heading_of_part", collection_.heading()},
              {"is_one_of_many", is_one_of_many},
              {"has_exports", !urls_.empty()},
              {"export_address", '/' + name + "/export?" + form_query(search.form)}};
    if (!search.after.empty()) part.set("start_address", address);
    if (is_full_) part.set("next_address", address + "&after=" + percent_encoded(urls_.back().key));
    if (urls_.empty()) return part;
    Data::List rows;
    for (const FoundUrl& url : urls_) rows.push_back(row(url));
    part.set("results", Data{{"rows", std::move(rows)},
                             {"count", urls_.size()},
                             {"is_first", search.after.empty()},
                             {"is_whole", !is_full_}});
    return part;
  }

 private:
  // True: the page is full without this one.
  bool add(cdx::Capture& capture) {
    std::string title = titles_.of(capture);
    if (urls_.empty() || urls_.back().key != capture.urlkey) {
      is_full_ = urls_.size() == most_ || bytes_ > kPageBytes || lines_ > kCountedLines;
      if (is_full_) return true;
      bytes_ += capture.url.size() + capture.urlkey.size();
      FoundUrl& url = urls_.emplace_back();
      url.indexed_url = cdx::indexed_url(capture);
      url.method = cdx::field(capture, "method");
      url.key = std::move(capture.urlkey);
      url.url = std::move(capture.url);
      url.first = capture.timestamp;
    }
    FoundUrl& url = urls_.back();
    if (++lines_ > kCountedLines) {
      url.is_cut = is_full_ = true;
      return true;
    }
    ++url.captures;
    if (!title.empty()) url.title = std::move(title);
    url.last = std::move(capture.timestamp);
    if (!capture.is_revisit() || url.type.empty()) {
      url.status = std::move(capture.status);
      url.type = std::move(capture.mime);
    }
    return false;
  }

  Data row(const FoundUrl& url) const {
    const std::string& name = collection_.name();
    const text::UrlDisplay shown = text::display_url(url.url);
    return Data{{"address", url.captures == 1 ? replay_address(name, url.first, url.indexed_url)
                                              : calendar_address(name, url.indexed_url)},
                {"shown_url", (url.method.empty() ? "" : url.method + ' ') + shown.text},
                {"page_title", url.title},
                {"is_doubtful", shown.host.doubt != text::HostDoubt::none},
                {"captures", url.captures},
                {"is_cut", url.is_cut},
                {"first", url.first},
                {"last", url.last},
                {"status", url.status},
                {"type", url.type}};
  }

  Collection& collection_;
  PageTitles titles_;
  QueryRun run_;
  const size_t most_;
  std::vector<FoundUrl> urls_;
  size_t bytes_ = 0;
  uint64_t lines_ = 0;
  bool is_full_ = false;  // there is more
};

class SearchBody final : public PageBody {
 public:
  SearchBody(std::vector<Results> results, Search search, Writer writer)
      : results_(std::move(results)), search_(std::move(search)), writer_(std::move(writer)) {}

 private:
  Result<bool> collect() override {
    if (at_ == results_.size()) return true;
    TRY(const bool done, results_[at_].collect());
    if (done) ++at_;
    return at_ == results_.size();
  }
  std::string write() override {
    const SearchForm& form = search_.form;
    const std::string heading = form.match == "domain"   ? "*." + without_scheme(form.url)
                                : form.match == "prefix" ? form.url + '*'
                                                         : form.url;
    Data page{{"title", writer_.text("title-search", Data{{"url", url_in_title(heading)}})},
              {"heading", text::display_url(heading).text},
              {"shown", shown_url(form.url)},
              {"form", form_data(form)}};
    Data::List parts;
    for (const Results& one : results_) parts.push_back(one.write(search_, results_.size() > 1));
    page.set("parts", std::move(parts));
    return writer_.page("search", std::move(page));
  }

  std::vector<Results> results_;
  size_t at_ = 0;
  Search search_;
  Writer writer_;
};

// A line of CSV for each capture (RFC 4180).
class CsvBody final : public http::BodySource {
 public:
  explicit CsvBody(QueryRun run) : run_(std::move(run)) {}
  Result<bool> next(std::string& piece) override {
    if (!std::exchange(begun_, true)) piece += "url,timestamp,status,mime,digest,length,filename,offset\r\n";
    cdx::Capture capture;
    for (uint64_t budget = cdx::kServedSlice; piece.size() < piece_size;) {
      TRY(const Found found, run_.next(capture, budget));
      if (found != Found::capture) return found == Found::nothing_yet;
      const std::string_view cells[] = {capture.url,    capture.timestamp, capture.status,   capture.mime,
                                        capture.digest, capture.length,    capture.filename, capture.offset};
      for (const std::string_view& cell : cells) {
        if (&cell != cells) piece += ',';
        piece += csv_cell(cell);
      }
      piece += "\r\n";
    }
    return true;
  }

 private:
  QueryRun run_;
  bool begun_ = false;
};

class UrlLines final : public http::BodySource {
 public:
  explicit UrlLines(QueryRun run) : run_(std::move(run)) {}
  Result<bool> next(std::string& piece) override {
    cdx::Capture capture;
    for (uint64_t budget = cdx::kServedSlice; piece.size() < piece_size;) {
      TRY(const Found found, run_.next(capture, budget));
      if (found != Found::capture) return found == Found::nothing_yet;
      piece += header_url(capture.url);
      piece += '\n';
    }
    return true;
  }

 private:
  QueryRun run_;
};

Result<void> check_digits(const std::string& text, std::string_view name, size_t most) {
  if (text.size() <= most && std::ranges::all_of(text, is_digit)) return {};
  return fail(ErrorCode::parse,
              std::string(name) + " is up to " + std::to_string(most) + " digits, not '" + text + "'");
}

// Takes the kind of match from '*' in the URL, if nothing else tells it.
void take_wildcards(Search& search, std::string text) {
  SearchForm& form = search.form;
  if (text.starts_with("*.")) {
    text.erase(0, 2);
    if (form.match.empty()) form.match = "domain";
  } else if (text.starts_with("http://*.") || text.starts_with("https://*.")) {
    text.erase(0, text.find("*.") + 2);
    if (form.match.empty()) form.match = "domain";
  }
  if (text.ends_with('*')) {
    text.pop_back();
    if (form.match.empty()) form.match = "prefix";
  }
  if (form.match.empty()) form.match = "exact";
  form.url = text;
}

std::optional<cdx::MatchType> match_type(std::string_view name) {
  if (name == "exact") return cdx::MatchType::exact;
  if (name == "prefix") return cdx::MatchType::prefix;
  if (name == "host") return cdx::MatchType::host;
  if (name == "domain") return cdx::MatchType::domain;
  return std::nullopt;
}

}  // namespace

Result<Search> parse_search(std::string_view query_string, std::string_view collection) {
  Search search;
  search.form.collection = collection;
  std::string url;
  for (auto& [name, value] : cdx::parse_form(query_string)) {
    std::string* const into = name == "url"      ? &url
                              : name == "match"  ? &search.form.match
                              : name == "from"   ? &search.form.from
                              : name == "to"     ? &search.form.to
                              : name == "status" ? &search.form.status
                              : name == "type"   ? &search.form.type
                              : name == "after"  ? &search.after
                                                 : nullptr;
    if (into != nullptr) *into = std::string(trim(value));
  }
  take_wildcards(search, std::move(url));
  if (search.form.url.empty()) return fail(ErrorCode::parse, "no URL is asked for (url=)");
  search.form.url = repair_url(search.form.url);
  if (!match_type(search.form.match))
    return fail(ErrorCode::parse, "match= is exact, prefix, host or domain, not '" + search.form.match + "'");
  TRY_VOID(check_digits(search.form.from, "from=", 14));
  TRY_VOID(check_digits(search.form.to, "to=", 14));
  TRY_VOID(check_digits(search.form.status, "status=", 3));
  return search;
}

Result<cdx::Query> query_of(const Search& search) {
  const SearchForm& form = search.form;
  cdx::Query query;
  query.url = form.url;
  query.match = match_type(form.match).value_or(cdx::MatchType::exact);
  query.limit = UINT64_MAX;
  query.from = form.from;
  query.to = form.to;
  query.behind_key = search.after;
  if (!form.status.empty()) {
    TRY(auto filter, cdx::Filter::parse("=status:" + form.status));
    query.filters.push_back(std::move(filter));
  }
  if (!form.type.empty()) {
    TRY(auto filter, cdx::Filter::parse("mime:" + form.type));
    query.filters.push_back(std::move(filter));
  }
  return query;
}

Result<std::unique_ptr<http::BodySource>> search_body(const std::vector<Collection*>& collections, Search search,
                                                      Writer writer) {
  TRY(const cdx::Query query, query_of(search));
  std::vector<Results> results;
  for (Collection* const collection : collections) {
    TRY(auto run, QueryRun::start(collection->index(), query, cdx::kServedHeld));
    results.emplace_back(*collection, std::move(run), collections.size() == 1 ? kListedUrls : kListedUrlsOfMany);
  }
  return std::make_unique<SearchBody>(std::move(results), std::move(search), std::move(writer));
}

Result<http::ServerResponse> export_results(Collection& collection, const Search& search, std::string_view form,
                                            const Writer& writer, const cdxserver::AnswerLimits& limits) {
  TRY(cdx::Query query, query_of(search));
  if (form == "urls") query.collapse.push_back({"urlkey", SIZE_MAX});
  std::string_view type, ending;
  std::unique_ptr<http::BodySource> source;
  TRY(auto run, QueryRun::start(collection.index(), query, cdx::kServedHeld));
  if (form == "cdxj") {
    type = "text/x-cdxj; charset=utf-8", ending = "cdxj";
    source = capture_lines(std::move(run));
  } else if (form == "csv") {
    type = "text/csv; charset=utf-8; header=present", ending = "csv";
    source = std::make_unique<CsvBody>(std::move(run));
  } else if (form == "urls") {
    type = "text/plain; charset=utf-8", ending = "txt";
    source = std::make_unique<UrlLines>(std::move(run));
  } else {
    return fail(ErrorCode::parse, "as= is cdxj, csv or urls, not '" + std::string(form) + "'");
  }
  http::ServerResponse response(200);
  response.headers = {
      {"Content-Type", std::string(type)},
      {"Content-Disposition", "attachment; filename=\"" + collection.name() + '.' + std::string(ending) + '"'},
      {"X-Content-Type-Options", "nosniff"}};
  const auto begun = begin_body(response, std::move(source), {collection.clock(), limits});
  return begun ? std::move(response) : failed_body_page(writer, begun.error());
}

}  // namespace caddis::replay
