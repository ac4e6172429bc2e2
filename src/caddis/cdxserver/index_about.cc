#include "caddis/cdxserver/index_about.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "caddis/base/html_text.h"
#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/cdx/query.h"
#include "caddis/cdx/query_run.h"
#include "caddis/cdxserver/query_answer.h"
#include "caddis/io/base32.h"

namespace caddis::cdxserver {
namespace {

using cdx::QueryRun;
using Found = QueryRun::Found;

constexpr store::Family kCaptures = 0;
constexpr uint64_t kMostRows = 100'000;
constexpr size_t kChangesBytes = 10 << 20;
constexpr size_t kMostChangesBytes = 100 << 20;

std::string parameter(std::string_view query, std::string_view name, std::string_view otherwise) {
  for (auto& [known, value] : cdx::parse_form(query))
    if (known == name) return value;
  return std::string(otherwise);
}

Result<uint64_t> number_parameter(std::string_view query, std::string_view name, uint64_t otherwise) {
  const std::string text = parameter(query, name, std::to_string(otherwise));
  const auto number = parse_int(text);
  if (!number || *number < 0)
    return fail(ErrorCode::parse, std::string(name) + "=" + text + ": a number of 0 or more is wanted");
  return static_cast<uint64_t>(*number);
}

std::string json_list(const std::vector<std::string>& values) {
  std::string out = "[";
  for (const std::string& value : values) {
    if (out.size() > 1) out += ',';
    append_json_string(out, value);
  }
  return out + "]";
}

http::ServerResponse page(std::string_view title, std::string_view body) {
  http::ServerResponse response(200);
  response.headers = {{"Content-Type", "text/html; charset=utf-8"},
                      {"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'"},
                      {"X-Content-Type-Options", "nosniff"}};
  response.body = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<style>body{{font:16px/1.5 sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}}</style>\n"
      "</head><body><h1>{0}</h1>\n{1}</body></html>\n",
      html_escape(title), body);
  return response;
}

// Captures are counted host by host: they stand together.
class CubeBody final : public http::BodySource {
 public:
  explicit CubeBody(QueryRun run) : run_(std::move(run)) {}
  Result<bool> next(std::string& piece) override {
    cdx::Capture capture;
    for (uint64_t budget = cdx::kServedSlice; piece.size() < piece_size;) {
      TRY(const Found found, run_.next(capture, budget));
      if (found == Found::nothing_yet) return true;
      if (found == Found::end) {
        write(piece);
        return false;
      }
      const std::string host = capture.urlkey.substr(0, capture.urlkey.find(')'));
      if (host != host_ || tallies_.size() > 100'000) write(piece);
      host_ = host;
      Tally& tally = tallies_[{capture.mime, capture.status, capture.timestamp.substr(0, 4)}];
      ++tally.count;
      tally.bytes += capture.length_number().value_or(0);
    }
    return true;
  }

 private:
  struct Tally {
    uint64_t count = 0, bytes = 0;
  };
  void write(std::string& piece) {
    const auto shown = [](const std::string& text) { return text.empty() ? std::string("-") : text; };
    for (const auto& [of, tally] : tallies_)
      piece += fmt::format("{} {} {} {} {} {}\n", host_, shown(std::get<0>(of)), shown(std::get<1>(of)),
                           std::get<2>(of), tally.count, tally.bytes);
    tallies_.clear();
  }

  QueryRun run_;
  std::string host_;
  std::map<std::tuple<std::string, std::string, std::string>, Tally> tallies_;
};

}  // namespace

http::ServerResponse answer_list(IndexFolder& folder) {
  const auto names = folder.names();
  if (!names) return refusal_of(names.error());
  http::ServerResponse response = http::json_response(200, json_list(*names));
  response.headers.emplace_back("Access-Control-Allow-Origin", "*");
  return response;
}

http::ServerResponse answer_start_page(IndexFolder& folder) {
  const auto names = folder.names();
  if (!names) return refusal_of(names.error());
  std::string list = "<ul>\n";
  for (const std::string& name : *names) list += fmt::format("<li><a href=\"{0}\">{0}</a></li>\n", html_escape(name));
  list += "</ul>\n";
  if (names->empty()) list = "<p>There is none yet. The first lines that are sent to a name make one.</p>\n";
  return page("Indexes", list);
}

http::ServerResponse answer_index_page(ServedIndex& index) {
  return page(index.name,
              fmt::format("<form><label>URL <input name=\"url\" type=\"text\" size=\"60\"></label> "
                          "<button>Look up</button></form>\n"
                          "<p>About {} captures in {} bytes on disk. Keys by {}.</p>\n"
                          "<pre>{}</pre>\n",
                          index.store->estimated_captures(), index.store->store().bytes_on_disk(),
                          html_escape(index.store->policy().notation()),
                          html_escape(index.store->store().property(kCaptures, "rocksdb.levelstats").value_or(""))));
}

http::ServerResponse answer_stats(ServedIndex& index, std::string_view query) {
  JsonObject stats;
  stats.add("estimatedRecordCount", index.store->estimated_captures());
  stats.add("bytesOnDisk", index.store->store().bytes_on_disk());
  stats.add("keyPolicy", index.store->policy().notation());
  for (const std::string_view name : split(parameter(query, "property", ""), ',')) {
    if (name.empty()) continue;
    const auto value = index.store->store().property(kCaptures, name);
    if (!value) return http::text_response(400, "property=" + std::string(name) + ": RocksDB has no such property");
    stats.add(name, *value);
  }
  http::ServerResponse response = http::json_response(200, stats.finish());
  response.headers.emplace_back("Access-Control-Allow-Origin", "*");
  return response;
}

http::ServerResponse answer_rows(ServedIndex& index, std::string_view query) {
  cdx::Query asked;
  asked.dialect = cdx::Dialect::outback;
  asked.key = parameter(query, "key", "");
  if (asked.key.empty()) asked.key = "!";
  asked.match = cdx::MatchType::range;
  asked.output = cdx::Output::dicts;
  asked.fields = cdx::shown_fields(asked);
  const auto limit = number_parameter(query, "limit", 1000);
  if (!limit) return refusal_of(limit.error());
  asked.limit = std::min(*limit, kMostRows);
  auto run = QueryRun::start(index.index, asked, cdx::kServedHeld);
  if (!run) return refusal_of(run.error());
  std::string rows = "[";
  for (cdx::Capture capture;;) {
    uint64_t budget = UINT64_MAX;
    const auto found = run->next(capture, budget);
    if (!found) return refusal_of_body(found.error());
    if (*found != Found::capture) break;
    rows += (rows.size() > 1 ? ",\n" : "") + cdx::format_capture(capture, asked);
  }
  return http::json_response(200, rows + "]");
}

http::ServerResponse answer_aliases(ServedIndex& index, std::string_view query) {
  const auto limit = number_parameter(query, "limit", 1000);
  if (!limit) return refusal_of(limit.error());
  const auto aliases = index.store->aliases(parameter(query, "key", ""), std::min(*limit, kMostRows));
  if (!aliases) return refusal_of(aliases.error());
  std::string list = "[";
  for (const cdx::KeyAlias& one : *aliases)
    list += (list.size() > 1 ? "," : "") + JsonObject().add("alias", one.alias).add("target", one.target).finish();
  return http::json_response(200, list + "]");
}

http::ServerResponse answer_cube(ServedIndex& index) {
  cdx::Query asked;
  asked.key = "!";
  asked.match = cdx::MatchType::range;
  asked.limit = UINT64_MAX;
  auto run = QueryRun::start(index.index, asked, cdx::kServedHeld);
  if (!run) return refusal_of(run.error());
  http::ServerResponse response(200);
  response.headers = {{"Content-Type", "text/plain"}};
  return begin_answer(std::move(response), std::make_unique<CubeBody>(*std::move(run)));
}

http::ServerResponse answer_changes(ServedIndex& index, std::string_view query) {
  const auto since = number_parameter(query, "since", 0);
  if (!since) return refusal_of(since.error());
  const auto size = number_parameter(query, "size", kChangesBytes);
  if (!size) return refusal_of(size.error());
  const auto changes = index.store->store().changes(*since, std::min<uint64_t>(*size, kMostChangesBytes));
  if (!changes) return refusal_of(changes.error());
  std::string list = "[";
  for (const auto& change : *changes)
    list += (list.size() > 1 ? ",\n" : "") + JsonObject()
                                                 .add("sequenceNumber", std::to_string(change.sequence))
                                                 .add("rows", change.rows)
                                                 .add("writeBatch", io::encode_base64(change.bytes))
                                                 .finish();
  return http::json_response(200, list + "]");
}

}  // namespace caddis::cdxserver
