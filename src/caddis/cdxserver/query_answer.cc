#include "caddis/cdxserver/query_answer.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/query_run.h"
#include "caddis/cdx/unknown_fields.h"
#include "caddis/cdx/url_captures.h"
#include "caddis/http/begun_body.h"
#include "caddis/io/gzip.h"

namespace caddis::cdxserver {
namespace {

using cdx::Output;
using cdx::QueryRun;
using Found = QueryRun::Found;

constexpr std::string_view kIncomplete = "Caddis-Incomplete";

std::string url_encode(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == ' ')
      out += '+';
    else if (is_alnum(c) || c == '-' || c == '_' || c == '.' || c == '*')
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string json_text(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

// ---- the text of an answer

// Lines, or rows of an array, one a capture; the key at the end with which the answer goes on.
class Writer {
 public:
  explicit Writer(const cdx::Query& query) : query_(query) {
    is_array_ = query.output == Output::rows || query.output == Output::dicts;
    has_names_ = query.output == Output::rows && query.dialect == cdx::Dialect::internet_archive;
  }

  void add(const cdx::Capture& capture, std::string& out) {
    if (is_array_) out += count_ > 0 ? ",\n" : has_names_ ? "[" + names() + ",\n" : "[";
    out += cdx::format_capture(capture, query_);
    if (!is_array_) out += '\n';
    ++count_;
  }

  void end(const std::optional<cdx::ResumePoint>& resume, std::string& out) const {
    const std::string key = resume ? url_encode(cdx::resume_key(*resume)) : "";
    if (!is_array_) {
      if (resume) out += '\n' + key + '\n';
      return;
    }
    if (count_ == 0) out += '[';
    if (resume) out += (count_ > 0 ? ",\n" : "") + std::string("[],\n[") + json_text(key) + "]";
    out += "]\n";
  }

  uint64_t count() const { return count_; }

 private:
  std::string names() const {
    std::string out = "[";
    for (const std::string& name : query_.fields) out += (out.size() > 1 ? "," : "") + json_text(name);
    return out + "]";
  }

  const cdx::Query& query_;
  bool is_array_ = false, has_names_ = false;
  uint64_t count_ = 0;
};

std::unexpected<Error> took_too_long() {
  return fail(
      ErrorCode::timeout,
      "an answer took longer than it may (--time-limit): narrow the question down by from=, to= or a longer prefix");
}

// ---- bodies

class AnswerBody final : public http::BodySource {
 public:
  // `run` may give one capture more than `wanted`: whether there is one decides if the answer goes on.
  AnswerBody(QueryRun run, uint64_t wanted, const Clock& clock, AnswerLimits limits)
      : run_(std::move(run)), wanted_(wanted), clock_(clock), limits_(limits), writer_(run_.query()) {
    last_.place = run_.query().parts.resume.place;
    last_.skip = run_.query().parts.resume.skip;
  }

  Result<bool> next(std::string& piece) override {
    const SteadyTime began = clock_.steady();
    auto more = go_on(piece);
    worked_ += clock_.steady() - began;
    sent_ += piece.size();
    return more;
  }
  uint64_t count() const { return writer_.count(); }

 private:
  Result<bool> go_on(std::string& piece) {
    cdx::Capture capture;
    for (uint64_t budget = cdx::kServedSlice; piece.size() < piece_size;) {
      TRY(const Found found, run_.next(capture, budget));
      if (found == Found::nothing_yet) {
        TRY_VOID(check_time());
        return true;
      }
      if (found == Found::end) return end(std::nullopt, piece);
      cdx::ResumePoint at = place_of(capture);
      if (writer_.count() == wanted_ || is_full(piece)) return cut(std::move(at), piece);
      writer_.add(capture, piece);
      at.skip += 1;
      last_ = std::move(at);
    }
    return true;
  }

  // Where the capture stands: how many of its key and time were given before it.
  cdx::ResumePoint place_of(const cdx::Capture& capture) const {
    cdx::ResumePoint at{capture.urlkey + ' ' + capture.timestamp, 0};
    if (at.place == last_.place) at.skip = last_.skip;
    return at;
  }

  bool is_full(const std::string& piece) const {
    return (limits_.bytes > 0 && sent_ + piece.size() >= limits_.bytes) ||
           (limits_.time > Duration::zero() && worked_ >= limits_.time);
  }
  Result<void> check_time() const {
    if (limits_.time == Duration::zero() || worked_ < 2 * limits_.time) return {};
    return took_too_long();
  }

  Result<bool> cut(cdx::ResumePoint at, std::string& piece) {
    if (run_.query().parts.show_resume_key) return end(std::move(at), piece);
    if (writer_.count() == wanted_) return end(std::nullopt, piece);
    return fail(
        ErrorCode::limit,
        "an answer was larger than it may be (--size-limit): ask with showResumeKey=true, or in parts by page=");
  }

  Result<bool> end(const std::optional<cdx::ResumePoint>& resume, std::string& piece) {
    writer_.end(resume, piece);
    return false;
  }

  QueryRun run_;
  const uint64_t wanted_;
  const Clock& clock_;
  const AnswerLimits limits_;
  Writer writer_;
  cdx::ResumePoint last_;
  Duration worked_{};
  uint64_t sent_ = 0;
};

// How many pages there are: captures are counted, not written.
class PageCount final : public http::BodySource {
 public:
  explicit PageCount(QueryRun run) : run_(std::move(run)) {}
  Result<bool> next(std::string& piece) override {
    cdx::Capture capture;
    for (uint64_t budget = cdx::kServedSlice;; ++count_) {
      TRY(const Found found, run_.next(capture, budget));
      if (found == Found::nothing_yet) return true;
      if (found == Found::end) break;
    }
    const cdx::Query& query = run_.query();
    const uint64_t pages = (count_ + query.parts.page_size - 1) / query.parts.page_size;
    if (query.dialect == cdx::Dialect::internet_archive)
      piece = std::to_string(pages);
    else
      piece = JsonObject().add("pages", pages).add("pageSize", query.parts.page_size).add("blocks", pages).finish();
    piece += '\n';
    return false;
  }

 private:
  QueryRun run_;
  uint64_t count_ = 0;
};

class LimitedBody final : public http::BodySource {
 public:
  LimitedBody(std::unique_ptr<http::BodySource> body, const Clock& clock, const AnswerLimits& limits)
      : body_(std::move(body)), clock_(clock), limits_(limits) {}

  Result<bool> next(std::string& piece) override {
    const SteadyTime began = clock_.steady();
    TRY(const bool more, body_->next(piece));
    worked_ += clock_.steady() - began;
    sent_ += piece.size();
    if (more && limits_.time > Duration::zero() && worked_ >= limits_.time) return took_too_long();
    if (limits_.bytes > 0 && (more ? sent_ >= limits_.bytes : sent_ > limits_.bytes))
      return fail(ErrorCode::limit,
                  "an answer was larger than it may be (--size-limit): ask for less at once, by from=, to= or a longer "
                  "prefix");
    return more;
  }

 private:
  const std::unique_ptr<http::BodySource> body_;
  const Clock& clock_;
  const AnswerLimits limits_;
  Duration worked_{};
  uint64_t sent_ = 0;
};

class Gzipped final : public http::BodySource {
 public:
  explicit Gzipped(std::unique_ptr<http::BodySource> plain) : plain_(std::move(plain)), gzip_(io::GzipEffort::fast) {}
  Result<bool> next(std::string& piece) override {
    text_.clear();
    TRY(const bool more, plain_->next(text_));
    gzip_.write(text_, piece);
    if (!more) gzip_.finish(piece);
    return more;
  }

 private:
  const std::unique_ptr<http::BodySource> plain_;
  io::GzipStream gzip_;
  std::string text_;
};

http::ServerResponse open_text(std::string_view type) {
  http::ServerResponse response(200);
  response.headers = {{"Content-Type", std::string(type)}, {"Access-Control-Allow-Origin", "*"}};
  return response;
}

// Pages of the Internet Archive and pywb end with a refusal, by which clients know that they have had the last one.
http::ServerResponse no_such_page(const cdx::Query& query) {
  const uint64_t page = query.skip / query.parts.page_size;
  if (page > 0) return http::text_response(400, "page=" + std::to_string(page) + ": there are not so many");
  return http::text_response(404, "no captures of " + (query.url.empty() ? query.key : query.url));
}

bool takes_gzip(const http::ServerRequest& request, const cdx::Query& query) {
  if (!query.parts.gzip.value_or(query.dialect == cdx::Dialect::internet_archive)) return false;
  return contains_ignore_case(request.header("accept-encoding"), "gzip");
}

}  // namespace

http::ServerResponse refusal_of(const Error& error) {
  switch (error.code) {
    case ErrorCode::parse:
    case ErrorCode::limit:
    case ErrorCode::unsupported:
    case ErrorCode::config:
      return http::text_response(400, error.message);
    case ErrorCode::not_found:
      return http::text_response(404, error.message);
    case ErrorCode::conflict:
      return http::text_response(409, error.message);
    case ErrorCode::no_space:
      return http::text_response(507, error.message);
    case ErrorCode::timeout:
      return http::text_response(504, error.message);
    default:
      return http::text_response(500, error.message);
  }
}

http::ServerResponse refusal_of_body(const Error& error) {
  const bool is_large = error.code == ErrorCode::limit, is_slow = error.code == ErrorCode::timeout;
  return http::text_response(is_large ? 413 : is_slow ? 504 : 500, error.message);
}

std::unique_ptr<http::BodySource> limited_body(std::unique_ptr<http::BodySource> body, const Clock& clock,
                                               const AnswerLimits& limits) {
  return std::make_unique<LimitedBody>(std::move(body), clock, limits);
}

void tell_incomplete(http::ServerResponse& response, std::string_view what) {
  if (what.empty()) return;
  for (auto& [name, value] : response.headers) {
    if (name != kIncomplete) continue;
    value += "; " + std::string(what);
    return;
  }
  response.headers.emplace_back(kIncomplete, what);
}

void tell_broken_lines(http::ServerResponse& response, uint64_t broken) {
  if (broken > 0) tell_incomplete(response, "broken-lines");
}

void tell_unknown(http::ServerResponse& response, std::string_view what, std::string_view names) {
  if (names.empty()) return;
  constexpr size_t kLongest = 200;
  std::string told = std::string(what) + ": ";
  for (const char c : names.substr(0, kLongest)) told += c >= ' ' && c <= '~' && c != ';' ? c : '?';
  tell_incomplete(response, told);
}

http::ServerResponse begin_answer(http::ServerResponse response, std::unique_ptr<http::BodySource> source) {
  std::string first;
  const auto more = source->next(first);
  if (!more) return refusal_of_body(more.error());
  if (*more)
    response.source = http::begun_body(std::move(first), std::move(source));
  else
    response.body = std::move(first);
  return response;
}

http::ServerResponse answer_query(cdx::CaptureIndex& index, const cdx::Query& asked, const http::ServerRequest& request,
                                  const Clock& clock, const AnswerLimits& limits) {
  cdx::Query query = asked;
  const uint64_t wanted = query.limit;
  if (query.parts.count_pages) {
    query.skip = 0;
    query.limit = UINT64_MAX;
  } else if (query.parts.show_resume_key && !query.parts.last) {
    query.limit += 1;
  }
  const auto unknown = cdx::UnknownFields::watch(query);
  // Lines that are not looked at yet may have the fields.
  const auto tell = [&](http::ServerResponse& response, uint64_t broken, bool is_whole) {
    tell_broken_lines(response, broken);
    if (unknown && is_whole) tell_unknown(response, "unknown-fields", unknown->told());
  };
  auto run = QueryRun::start(index, query, cdx::kServedHeld);
  if (!run) return refusal_of(run.error());
  const auto broken = run->broken_lines();
  if (query.parts.count_pages) {
    const bool is_number = query.dialect == cdx::Dialect::internet_archive;
    auto pages = begin_answer(open_text(is_number ? "text/plain" : "application/json"),
                              limited_body(std::make_unique<PageCount>(*std::move(run)), clock, limits));
    tell(pages, *broken, pages.source == nullptr);
    return pages;
  }
  auto body = std::make_unique<AnswerBody>(*std::move(run), wanted, clock, limits);
  std::string first;
  const auto more = body->next(first);
  if (!more) return refusal_of_body(more.error());
  if (!*more && query.parts.has_page && body->count() == 0) return no_such_page(query);
  http::ServerResponse response = open_text(cdx::content_type_of(query.output));
  tell(response, *broken, !*more);
  std::unique_ptr<http::BodySource> rest;
  if (*more) rest = std::move(body);
  auto begun = http::begun_body(std::move(first), std::move(rest));
  if (!takes_gzip(request, query)) return begin_answer(std::move(response), std::move(begun));
  response.headers.emplace_back("Content-Encoding", "gzip");
  response.headers.emplace_back("Vary", "Accept-Encoding");
  return begin_answer(std::move(response), std::make_unique<Gzipped>(std::move(begun)));
}

http::ServerResponse answer_query_string(cdx::CaptureIndex& index, cdx::Dialect dialect,
                                         const http::ServerRequest& request, const Clock& clock,
                                         const AnswerLimits& limits) {
  const auto query = cdx::parse_query(request.query, dialect);
  return query ? answer_query(index, *query, request, clock, limits) : refusal_of(query.error());
}

http::ServerResponse answer_available(cdx::CaptureIndex& index, const http::ServerRequest& request,
                                      const std::function<std::string(const cdx::Capture&)>& address) {
  std::string url, timestamp;
  for (auto& [name, value] : cdx::parse_form(request.query)) {
    if (name == "url") url = value;
    if (name == "timestamp") timestamp = value;
    if (name == "callback")
      return http::text_response(
          400, "callback=: answers are JSON alone; pages of any site may read them with fetch() (CORS)");
  }
  if (url.empty()) return http::text_response(400, "no url: ask with ?url=https://example.org/");
  const auto captures = index.captures_of(cdx::asked_url(url));
  if (!captures) return refusal_of(captures.error());
  const auto nearest = captures->closest(timestamp.empty() ? "99991231235959" : timestamp, 50);
  if (!nearest) return refusal_of(nearest.error());
  std::string snapshots = "{}";
  for (const cdx::Capture& capture : *nearest) {
    if (!capture.is_revisit() && !capture.status.starts_with('2')) continue;
    const std::string closest = JsonObject()
                                    .add("status", capture.status.empty() ? "200" : capture.status)
                                    .add("available", true)
                                    .add("url", address(capture))
                                    .add("timestamp", capture.timestamp.substr(0, 14))
                                    .finish();
    snapshots = JsonObject().add_raw("closest", closest).finish();
    break;
  }
  JsonObject answer;
  answer.add("url", url).add_raw("archived_snapshots", snapshots);
  if (!timestamp.empty()) answer.add("timestamp", timestamp);
  http::ServerResponse response = http::json_response(200, answer.finish());
  response.headers.emplace_back("Access-Control-Allow-Origin", "*");
  return response;
}

}  // namespace caddis::cdxserver
