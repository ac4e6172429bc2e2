#include "caddis/cdxserver/xml_query.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "caddis/base/html_text.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/base/utf8.h"
#include "caddis/cdx/query.h"
#include "caddis/cdx/query_run.h"

namespace caddis::cdxserver {
namespace {

using Found = cdx::QueryRun::Found;

constexpr uint64_t kMostCounted = 10'000;
constexpr uint64_t kMostAsked = 1'000'000;

struct XmlQuery {
  std::string type = "urlquery", url;
  std::string from, to;  // timestamps, which may be short
  uint64_t offset = 0, limit = 10'000;
  std::string unknown;  // names in q= that mean nothing here
};

void set_number(std::string_view value, uint64_t& number) {
  if (const auto parsed = parse_int(value); parsed && *parsed >= 0)
    number = std::min<uint64_t>(static_cast<uint64_t>(*parsed), kMostAsked);
}

// True for names that OpenWayback passes on from a person's request, though they are about replay alone.
bool is_about_replay(std::string_view name) {
  for (const std::string_view one : {"date", "exactdate", "resolution", "metamode", "xmldata", "charsetmode",
                                     "timestampsearchkey", "latestbestreplay", "requestliveweb", "Authorization"})
    if (name == one) return true;
  return name.ends_with("context") || name.starts_with("request.anchor") || name.starts_with("requestmemento");
}

Result<void> set_date(std::string_view name, const std::string& value, std::string& date) {
  if (const auto time = parse_timestamp(value); !time)
    return fail(ErrorCode::parse,
                "q=" + std::string(name) + ":" + value + ": 1 to 17 digits are wanted, as in 20260131");
  date = value;
  return {};
}

// "name:text" of q=. Its values are encoded once more.
Result<void> set_part(XmlQuery& query, std::string_view name, std::string_view text) {
  std::string decoded;
  if (const auto form = cdx::parse_form("x=" + std::string(text)); !form.empty()) decoded = form.front().second;
  if (name == "type") {
    query.type = to_lower(decoded);
  } else if (name == "url") {
    query.url = text.contains('&') ? std::string(text) : decoded;
  } else if (name == "limit") {
    set_number(text, query.limit);
  } else if (name == "offset") {
    set_number(text, query.offset);
  } else if (name == "startdate") {
    return set_date(name, decoded, query.from);
  } else if (name == "enddate") {
    return set_date(name, decoded, query.to);
  } else if (!is_about_replay(name)) {
    // OpenWayback passes the cookies of its readers on, which have short names, so these are not refused.
    constexpr size_t kShortest = 5;
    const std::string near = nearest_name(name, {"type", "url", "limit", "offset", "startdate", "enddate"});
    if (name.size() >= kShortest && !near.empty() && name.size() + 2 >= near.size())
      return fail(ErrorCode::parse, "q=" + std::string(name) + ": is not known here; did you mean " + near + ":?");
    query.unknown += (query.unknown.empty() ? "" : ", ") + std::string(name);
  }
  return {};
}

Result<XmlQuery> parse_xml_query(std::string_view query_string) {
  XmlQuery query;
  std::optional<uint64_t> page;
  for (const auto& [name, value] : cdx::parse_form(query_string)) {
    if (name == "count") {
      set_number(value, query.limit);
    } else if (name == "start_page") {
      set_number(value, page.emplace());
    } else if (name == "q") {
      for (const std::string_view part : split(value, ' ')) {
        if (part.empty()) continue;
        const size_t colon = std::min(part.find(':'), part.size());
        TRY_VOID(set_part(query, part.substr(0, colon), part.substr(std::min(colon + 1, part.size()))));
      }
    } else {
      return fail(ErrorCode::parse, name + "= is not known beside q=: count= and start_page= are");
    }
  }
  if (page) query.offset = query.limit * (std::max<uint64_t>(*page, 1) - 1);
  return query;
}

void element(std::string& out, std::string_view name, std::string_view value) {
  std::string text;
  while (!value.empty()) {
    const char32_t c = take_utf8(value);
    if (c >= ' ') append_utf8(text, c);
  }
  out += fmt::format("<{}>{}</{}>", name, html_escape(text), name);
}

std::string error_element(std::string_view title, std::string_view message) {
  std::string out = "<error>";
  element(out, "title", title);
  element(out, "message", message);
  return out + "</error>";
}

// A short date stands for all that it names.
std::string begin_of(const std::string& from) {
  const auto time = parse_timestamp(from);
  return time ? timestamp14(*time) : "19960101000000";
}
std::string end_of(const std::string& to, const std::string& now) {
  const auto time = parse_timestamp_end(to);
  return time ? timestamp14(*time) : now;
}

std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }

std::string result_of_capture(const cdx::Capture& capture) {
  std::string out = "<result>";
  element(out, "compressedoffset", capture.offset);
  if (!capture.length.empty()) element(out, "compressedendoffset", capture.length);
  element(out, "mimetype", or_dash(capture.mime));
  element(out, "file", capture.filename);
  element(out, "redirecturl", or_dash(capture.redirect));
  element(out, "urlkey", capture.urlkey);
  element(out, "digest", or_dash(capture.digest));
  element(out, "httpresponsecode", or_dash(capture.status));
  element(out, "robotflags", or_dash(capture.robotflags));
  element(out, "url", capture.url);
  element(out, "capturedate", capture.timestamp);
  return out + "</result>\n";
}

// The captures of one key, one behind the other.
struct UrlGroup {
  cdx::Capture last;
  std::string first_time;
  uint64_t captures = 0, versions = 0;

  void add(cdx::Capture capture) {
    if (captures++ == 0) first_time = capture.timestamp;
    if (captures == 1 || capture.digest != last.digest) ++versions;
    last = std::move(capture);
  }
  std::string text() const {
    std::string out = "<result>";
    element(out, "urlkey", last.urlkey);
    element(out, "originalurl", last.url);
    element(out, "numversions", std::to_string(versions));
    element(out, "numcaptures", std::to_string(captures));
    element(out, "firstcapturets", first_time);
    element(out, "lastcapturets", last.timestamp);
    return out + "</result>\n";
  }
};

class XmlBody final : public http::BodySource {
 public:
  XmlBody(XmlQuery query, cdx::QueryRun run, std::string now)
      : query_(std::move(query)), run_(std::move(run)), now_(std::move(now)) {}

  Result<bool> next(std::string& piece) override {
    if (!std::exchange(begun_, true)) piece += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<wayback>";
    cdx::Capture capture;
    for (uint64_t budget = cdx::kServedSlice; piece.size() < piece_size;) {
      TRY(const Found found, run_.next(capture, budget));
      if (found == Found::nothing_yet) return true;
      if (found == Found::capture && !is_counted_out()) {
        take(std::move(capture), piece);
        continue;
      }
      if (group_) give(group_->text(), piece);
      end(piece);
      return false;
    }
    return true;
  }

 private:
  bool of_urls() const { return query_.type == "prefixquery"; }
  bool is_counted_out() const { return results_ >= query_.offset + query_.limit && results_ >= kMostCounted; }

  void take(cdx::Capture capture, std::string& piece) {
    if (!of_urls()) return give(result_of_capture(capture), piece);
    if (group_ && group_->last.urlkey != capture.urlkey) {
      give(group_->text(), piece);
      group_.reset();
    }
    if (!group_) group_.emplace();
    group_->add(std::move(capture));
  }

  void give(const std::string& result, std::string& piece) {
    const uint64_t place = results_++;
    if (place < query_.offset || place >= query_.offset + query_.limit) return;
    if (given_++ == 0) piece += "<results>\n";
    piece += result;
  }

  void end(std::string& piece) const {
    if (given_ == 0) {
      piece += error_element("Resource Not In Archive", "The Resource you requested is not in this archive.");
    } else {
      piece += "</results><request>";
      element(piece, "startdate", begin_of(query_.from));
      element(piece, "enddate", end_of(query_.to, now_));
      element(piece, "type", query_.type);
      element(piece, "firstreturned", std::to_string(query_.offset));
      element(piece, "url", query_.url);
      element(piece, "resultsrequested", std::to_string(query_.limit));
      element(piece, "resultstype", of_urls() ? "resultstypeurl" : "resultstypecapture");
      element(piece, "numreturned", std::to_string(given_));
      element(piece, "numresults", std::to_string(results_));
      piece += "</request>";
    }
    piece += "</wayback>\n";
  }

  const XmlQuery query_;
  cdx::QueryRun run_;
  const std::string now_;
  bool begun_ = false;
  std::optional<UrlGroup> group_;
  uint64_t results_ = 0, given_ = 0;
};

}  // namespace

http::ServerResponse answer_xml_query(cdx::CaptureIndex& index, const http::ServerRequest& request, const Clock& clock,
                                      const CaptureFilter& allowed, const AnswerLimits& limits) {
  auto parsed = parse_xml_query(request.query);
  if (!parsed) return refusal_of(parsed.error());
  XmlQuery& query = *parsed;
  http::ServerResponse response(200);
  response.headers = {{"Content-Type", "application/xml;charset=UTF-8"}};
  if (query.type != "urlquery" && query.type != "prefixquery") {
    response.body = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<wayback>" +
                    error_element("Unsupported query type", "The requested query type is unknown to the index.") +
                    "</wayback>\n";
    return response;
  }
  if (query.url.empty())
    return http::text_response(400, "no url: ask with ?q=type:urlquery+url:https%3A%2F%2Fexample.org%2F");
  cdx::Query asked;
  asked.url = query.url;
  asked.match = query.type == "prefixquery" ? cdx::MatchType::prefix : cdx::MatchType::exact;
  asked.from = query.from;
  asked.to = query.to;
  asked.limit = UINT64_MAX;
  asked.left_out.allowed = allowed;
  auto run = cdx::QueryRun::start(index, asked, cdx::kServedHeld);
  if (!run) return refusal_of(run.error());
  const auto broken = run->broken_lines();
  const std::string unknown = query.unknown;
  auto body = std::make_unique<XmlBody>(std::move(query), *std::move(run), timestamp14(clock.wall()));
  response = begin_answer(std::move(response), limited_body(std::move(body), clock, limits));
  tell_broken_lines(response, *broken);
  tell_unknown(response, "unknown-parameters", unknown);
  return response;
}

}  // namespace caddis::cdxserver
