#include "caddis/recording/log_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "caddis/base/json_text.h"
#include "caddis/base/time_format.h"
#include "caddis/logs/annotation_words.h"

namespace caddis::recording {
namespace {

constexpr std::string_view kWebSocket = "notRecorded:websocket";

// A field ends with a blank: one that has blanks or controls in it is percent-encoded.
void append_field(std::string& line, std::string_view text) {
  if (text.empty()) text = "-";
  for (const char c : text) {
    if (c > ' ' && c != '\x7f')
      line += c;
    else
      fmt::format_to(std::back_inserter(line), "%{:02X}", static_cast<unsigned char>(c));
  }
}

std::vector<std::string> annotations_of(const LoggedRequest& request) {
  logs::AnnotationFacts facts;
  facts.protocol = request.protocol;
  facts.has_problem = request.has_problem;
  const std::string_view truncation = http::truncated_annotation(request.truncated);
  const auto word = std::ranges::find(logs::kTruncations, truncation, &logs::AnnotatedWord::first);
  if (word != logs::kTruncations.end()) facts.truncated = word->second;
  std::vector<std::string> words;
  if (request.is_websocket) words.emplace_back(kWebSocket);
  facts.words = words;
  if (request.revisit != nullptr) {
    const dedup::Original& original = request.revisit->original;
    const bool is_same_url = request.revisit->likeness != dedup::Likeness::digest;
    facts.revisit = {logs::kIdentical, is_same_url ? "url" : "digest", original.url, timestamp17(original.date)};
  }
  return logs::annotations_of(facts);
}

std::string extra_info(const LoggedRequest& request, const LoggedPlace& place) {
  JsonObject object;
  if (request.size > 0) object.add("contentSize", request.size);
  if (!place.file.empty()) object.add("warcFilename", place.file).add("warcFileOffset", place.offset);
  return object.finish();
}

}  // namespace

std::string log_line(const LoggedRequest& request, const LoggedPlace& place) {
  std::string line = rfc3339_millis(request.finished);
  const auto out = std::back_inserter(line);
  const bool is_success = request.status > 0;
  if (is_success)
    fmt::format_to(out, " {:5} {:>10} ", request.status, request.body_size);
  else
    fmt::format_to(out, " {:5} {:>10} ", request.status, "-");
  append_field(line, request.url);
  append_field(line += " - ", request.via);
  append_field(line += ' ', request.mime.empty() ? "unknown" : request.mime);
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(request.finished - request.started).count();
  fmt::format_to(out, " #000 {}+{} ", timestamp17(request.started), std::max<int64_t>(0, took));
  append_field(line, request.digest);
  line += " - ";
  const auto annotations = annotations_of(request);
  if (annotations.empty()) line += '-';
  for (const std::string& annotation : annotations) {
    append_field(line, annotation);
    if (&annotation != &annotations.back()) line += ',';
  }
  if (request.size > 0) line += ' ' + extra_info(request, place);
  line += '\n';
  return line;
}

}  // namespace caddis::recording
