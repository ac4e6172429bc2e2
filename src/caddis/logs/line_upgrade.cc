// A line is taken apart into typed fields, put together again, and held against what it was: every column that came out
// otherwise is kept as it stood, and if that is not enough, the whole line. So nothing depends on knowing every form.
#include "caddis/logs/line_upgrade.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "caddis/base/fetch_status.h"
#include "caddis/base/json_text.h"
#include "caddis/base/status_word.h"
#include "caddis/base/strings.h"
#include "caddis/base/version.h"
#include "caddis/logs/annotation_words.h"
#include "caddis/logs/json_log.h"
#include "caddis/logs/log_line.h"

namespace caddis::logs {
namespace {

constexpr std::array<std::string_view, LogLine::kFields> kColumns = {
    "time", "status", "size", "url", "hops", "via", "mime", "thread", "fetch", "digest", "source", "annotations"};

// Logs of captures by other protocols than HTTP and DNS. A closed list: each is a file.
constexpr std::array<std::string_view, 4> kOtherProtocols = {"ftp", "sftp", "whois", "file"};

// The form of a listing that crawl.log does not tell.
constexpr std::string_view kSomeListing = "not said";

// "20260102030405006" as "2026-01-02T03:04:05.006Z"; empty if it is neither that nor its first 14 digits.
std::string moment_of(std::string_view digits) {
  constexpr size_t kSeconds = 14, kMillis = 17;
  if ((digits.size() != kSeconds && digits.size() != kMillis) || !std::ranges::all_of(digits, is_digit)) return "";
  const std::string millis(digits.size() == kMillis ? digits.substr(kSeconds) : "000");
  return fmt::format("{}-{}-{}T{}:{}:{}.{}Z", digits.substr(0, 4), digits.substr(4, 2), digits.substr(6, 2),
                     digits.substr(8, 2), digits.substr(10, 2), digits.substr(12, 2), millis);
}

std::string digits_of(std::string_view moment) {
  std::string digits;
  std::ranges::copy_if(moment, std::back_inserter(digits), is_digit);
  return digits;
}

// As crawl.log has it.
std::string encoded(std::string_view text) {
  if (text.empty()) return "-";
  std::string out;
  for (const char c : text)
    if (static_cast<unsigned char>(c) > 0x20 && c != 0x7f)
      out += c;
    else
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
  return out;
}

// ---- upgrading ----

struct Facts {
  std::optional<int64_t> attempts, captured_before, dropped_links, received, offset;
  std::vector<std::pair<JsonField, std::string>> texts;  // fields of kTextAnnotations
  std::string_view protocol, truncated, listing, body_flaw, revisit, likeness;
  std::string original_url, original_time, warc;
  JsonFields flags;  // fields that are true
  bool has_problem = false, has_document_problem = false;
};

bool read_number(std::string_view one, std::string_view prefix, std::optional<int64_t>& into) {
  if (!one.starts_with(prefix)) return false;
  if (const auto number = parse_int(one.substr(prefix.size())); number && *number > 0) into = number;
  return true;
}

// duplicate:"file,offset,timestamp", as the DeDuplicator writes it.
void read_duplicate(std::string_view what, Facts& facts) {
  facts.revisit = what == kUnchanged ? kUnchanged : kIdentical;
  if (!what.starts_with('"')) return;
  const std::string_view inside = what.substr(1, what.size() - (what.size() > 1 && what.ends_with('"') ? 2 : 1));
  facts.original_time = moment_of(inside.substr(inside.rfind(',') + 1));
}

void read_annotation(std::string_view one, Facts& facts) {
  if (one.size() > 1 && one.ends_with('t') && std::ranges::all_of(one.substr(0, one.size() - 1), is_digit)) {
    facts.attempts = parse_int(one.substr(0, one.size() - 1));
    return;
  }
  if (read_number(one, kAgain, facts.captured_before) || read_number(one, kDroppedLinks, facts.dropped_links) ||
      read_number(one, kContentSize, facts.received))
    return;
  for (const auto& [annotation, word] : kTruncations)
    if (one == annotation) facts.truncated = word;
  for (const auto& [annotation, protocol] : kFolderListings)
    if (one == annotation) facts.listing = kSomeListing;
  for (const auto& [prefix, field] : kTextAnnotations)
    if (one.starts_with(prefix)) facts.texts.emplace_back(field, decoded(one.substr(prefix.size())));
  if (one.starts_with(kDuplicate)) read_duplicate(one.substr(kDuplicate.size()), facts);
  for (const auto& [annotation, word] : kLikenesses)
    if (one == annotation) facts.likeness = word;
  for (const auto& [annotation, word] : kBodyFlaws)
    if (one == annotation) facts.body_flaw = word;
  if (one == kNotModified) facts.revisit = kUnchanged;
  if (one == kHttpProblem) facts.has_problem = true;
  if (one == kDocumentProblem) facts.has_document_problem = true;
  if (one == kHttp2) facts.protocol = kHttp2;
  if (one == kConsentWall) facts.flags.add(JsonField::consent_wall);
  if (one == kAgainstRobots) facts.flags.add(JsonField::against_robots);
  if (one == kNoRecords) facts.flags.add(JsonField::left_out);
  if (one == kNoRoom) facts.flags.add(JsonField::no_room);
}

Facts facts_of(const LogLine& line) {
  Facts facts;
  for (std::string_view rest = line.known(LogLine::annotations); !rest.empty();)
    read_annotation(take_annotation(rest), facts);
  if (const auto original = repeated_capture(line)) {
    facts.original_time = moment_of(original->date);
    if (original->url != line.field(LogLine::url)) facts.original_url = original->url;
  }
  JsonLine extra;
  if (line.json().empty() || !extra.parse(line.json())) return facts;
  if (const auto size = extra.number("contentSize"); size && *size > 0) facts.received = size;
  facts.warc = extra.copy("warcFilename");
  facts.offset = extra.number("warcFileOffset");
  return facts;
}

std::string_view scheme_of(std::string_view url) { return url.substr(0, url.find(':')); }

// The log of a line with this status; `legacy` if its fields cannot be told in any of the others.
std::string_view log_of(const LogLine& line, int status) {
  constexpr int kLeast = 100, kMost = 999;
  if (moment_of(digits_of(line.field(LogLine::time))).empty()) return kLegacyLog;
  if (is_disregarded(status)) return "not-crawled";
  if (!is_success(status)) return "failures";
  const std::string_view scheme = scheme_of(line.field(LogLine::url));
  if (scheme == "http" || scheme == "https") return status >= kLeast && status <= kMost ? "http" : kLegacyLog;
  if (scheme == "dns") return "dns";
  const auto* const other = std::ranges::find(kOtherProtocols, scheme);
  return other == kOtherProtocols.end() ? kLegacyLog : *other;
}

// The fields that the schema has. `legacy` has what HTTP has.
const JsonFields& fields_of(std::string_view log) { return all_fields(json_log_named(log).value_or(JsonLog::http)); }

// The members of a line: only what its log has, each once. All that is left out stays in `legacy`.
class TypedMembers {
 public:
  explicit TypedMembers(std::string_view log) : allowed_(fields_of(log)) {}
  // Adds nothing if it is empty.
  void add(JsonField field, std::string_view value) {
    if (!value.empty() && takes(field)) object_.add(to_string(field), value);
  }
  // Adds nothing if it is not known or less than that.
  void add(JsonField field, std::optional<int64_t> value, int64_t least = 1) {
    if (value && *value >= least && takes(field)) object_.add(to_string(field), *value);
  }
  void add_true(JsonField field, bool value) {
    if (value && takes(field)) object_.add(to_string(field), true);
  }
  JsonObject take() { return std::move(object_); }

 private:
  bool takes(JsonField field) {
    if (!allowed_.has(field) || added_.has(field)) return false;
    added_.add(field);
    return true;
  }
  const JsonFields& allowed_;
  JsonFields added_;
  JsonObject object_;
};

void add_status(TypedMembers& members, int status, std::string_view url) {
  if (is_success(status)) return members.add(JsonField::status, scheme_of(url) == "dns" ? 0 : status, 0);
  const std::string_view word = status_word(status);
  members.add(JsonField::status, word.empty() ? std::string_view("unknown") : word);
  members.add(JsonField::scheme, scheme_of(url));
}

void add_fetch(TypedMembers& members, std::string_view fetch) {
  const size_t plus = fetch.find('+');
  if (plus == std::string_view::npos) return;
  members.add(JsonField::begun, moment_of(fetch.substr(0, plus)));
  members.add(JsonField::duration_ms, parse_int(fetch.substr(plus + 1)));
}

void add_sizes(TypedMembers& members, const LogLine& line, const Facts& facts, bool is_http) {
  const auto size = parse_int(line.field(LogLine::size));
  if (!is_http) return members.add(JsonField::received, size);
  members.add(JsonField::received, facts.received);
  if (facts.received && size && *size >= 0) members.add(JsonField::head_size, *facts.received - *size);
  members.add(JsonField::body_size, size);
}

// "LLE", and "12+LLE" of which the first steps were left out.
bool is_hop_path(std::string_view hops) {
  const size_t plus = hops.find('+');
  const std::string_view shown = hops.substr(plus == std::string_view::npos ? 0 : plus + 1);
  return plus != 0 && !shown.empty() && shown.find_first_not_of("LERIXPMS") == std::string_view::npos &&
         std::ranges::all_of(hops.substr(0, hops.size() - shown.size()),
                             [](char c) { return is_digit(c) || c == '+'; });
}

// "2:extract".
bool is_hang(std::string_view text) {
  const size_t colon = text.find(':');
  return colon != 0 && colon != std::string_view::npos && std::ranges::all_of(text.substr(0, colon), is_digit);
}

void add_facts(TypedMembers& members, const Facts& facts) {
  for (const auto& [field, value] : facts.texts)
    if (field != JsonField::hang || is_hang(value)) members.add(field, value);
  members.add(JsonField::revisit, facts.revisit);
  members.add(JsonField::original_url, facts.original_url);
  members.add(JsonField::original_time, facts.original_time);
  members.add(JsonField::likeness, facts.revisit == kIdentical ? facts.likeness : std::string_view());
  members.add(JsonField::protocol, facts.protocol);
  members.add(JsonField::listing, facts.listing);
  members.add(JsonField::truncated, facts.truncated);
  if (facts.has_problem) members.add(JsonField::problem, "not said");
  members.add(JsonField::body_flaw, facts.body_flaw);
  if (facts.has_document_problem) members.add(JsonField::document_problem, "not said");
  members.add(JsonField::dropped_links, facts.dropped_links);
  members.add_true(JsonField::consent_wall, facts.flags.has(JsonField::consent_wall));
  members.add_true(JsonField::against_robots, facts.flags.has(JsonField::against_robots));
  members.add_true(JsonField::left_out, facts.flags.has(JsonField::left_out));
  members.add_true(JsonField::no_room, facts.flags.has(JsonField::no_room));
  members.add(JsonField::warc, facts.warc);
  members.add(JsonField::offset, facts.offset, 0);
}

// All but the end of the object.
JsonObject typed(const LogLine& line, int status, std::string_view log) {
  const std::string_view url = line.field(LogLine::url);
  const Facts facts = facts_of(line);
  TypedMembers members(log);
  members.add(JsonField::time, moment_of(digits_of(line.field(LogLine::time))));
  members.add(JsonField::url, url);
  add_status(members, status, url);
  add_fetch(members, line.known(LogLine::fetch));
  const std::string_view mime = line.known(LogLine::mime);
  if (is_success(status) && mime != "unknown") members.add(JsonField::mime, mime);
  members.add(JsonField::digest, line.known(LogLine::digest));
  add_sizes(members, line, facts, log == "http");
  if (const std::string_view hops = line.known(LogLine::hops); is_hop_path(hops)) members.add(JsonField::hops, hops);
  members.add(JsonField::via, line.known(LogLine::via));
  members.add(JsonField::seed, line.known(LogLine::source));
  constexpr int64_t kSecondTry = 2;
  members.add(JsonField::attempts, facts.attempts, kSecondTry);
  members.add(JsonField::captured_before, facts.captured_before);
  if (const std::string_view thread = line.field(LogLine::thread); thread.starts_with('#'))
    members.add(JsonField::lane, parse_int(thread.substr(1)));
  add_facts(members, facts);
  return members.take();
}

// ---- downgrading ----

struct Columns {
  std::array<std::string, LogLine::kFields> columns;
  std::string extra;
};

std::string hops_column(std::string_view hops) {
  constexpr size_t kShown = 50;
  if (hops.size() <= kShown || hops.contains('+')) return encoded(hops);
  return fmt::format("{}+{}", hops.size() - kShown, hops.substr(hops.size() - kShown));
}

std::string fetch_column(const JsonLine& line, bool is_captured) {
  const std::string digits = digits_of(line.copy("begun"));
  const int64_t millis = line.number("duration_ms").value_or(0);
  return digits.empty() || (!is_captured && millis == 0) ? "-" : fmt::format("{}+{}", digits, millis);
}

std::string size_column(const JsonLine& line, bool is_captured, std::string_view scheme) {
  if (!is_captured) return "-";
  return fmt::format("{}", line.number(scheme.starts_with("http") ? "body_size" : "received").value_or(0));
}

uint64_t count_of(const JsonLine& line, std::string_view name) {
  return static_cast<uint64_t>(std::max<int64_t>(0, line.number(name).value_or(0)));
}

std::string annotations_column(const JsonLine& line) {
  constexpr uint64_t kMostMirrors = 100;
  JsonLine extra;
  if (!extra.parse(line.raw("extra"))) (void)extra.parse("{}");
  const std::string quota = line.copy("quota"), limit = line.copy("limit"), hang = line.copy("hang"),
                    given_up = extra.copy("given_up"), rule = line.copy("rule"), refused = line.copy("refused_address"),
                    protocol = line.copy("protocol"), truncated = line.copy("truncated"),
                    coding = line.copy("unknown_coding"), flaw = line.copy("body_flaw"), wall = line.copy("wall"),
                    directives = line.copy("directives"), login = line.copy("login"), revisit = line.copy("revisit"),
                    likeness = line.copy("likeness"), original = line.copy("original_url"), url = line.copy("url");
  const std::vector<std::string> said = json_texts_of(extra.raw("words")),
                                 modules = json_texts_of(extra.raw("failed_modules"));
  std::vector<std::string> words = annotations_of(
      {.fate = {.attempts = count_of(line, "attempts"),
                .captured_before = count_of(line, "captured_before"),
                .quota = quota,
                .limit = limit,
                .hang = hang,
                .given_up = given_up,
                .rule = rule,
                .refused_address = refused},
       .protocol = protocol,
       .truncated = truncated,
       .listed_by = line.raw("listing").empty() ? std::string_view() : scheme_of(url),
       .has_problem = !line.raw("problem").empty(),
       .unknown_coding = coding,
       .body_flaw = flaw,
       .dropped_links = count_of(line, "dropped_links"),
       .has_document_problem = !line.raw("document_problem").empty(),
       .wall = wall,
       .directives = directives,
       .login = login,
       .words = said,
       .failed_modules = modules,
       .revisit = {revisit, likeness, original.empty() ? url : original, digits_of(line.copy("original_time"))},
       .unmirrored = std::min(kMostMirrors, count_of(extra, "unmirrored")),
       .opens_wall = line.raw("consent_wall") == "true",
       .is_against_robots = line.raw("against_robots") == "true",
       .is_left_out = line.raw("left_out") == "true",
       .has_no_room = line.raw("no_room") == "true"});
  if (words.empty()) return "-";
  for (std::string& word : words) word = encoded(word);
  return fmt::format("{}", fmt::join(words, ","));
}

Columns columns_of(const JsonLine& line) {
  Columns made;
  auto& columns = made.columns;
  const int status = status_of(line).value_or(0);
  const bool is_captured = is_success(status);
  const std::string url = line.copy("url");
  const std::string_view scheme = scheme_of(url);
  const std::string mime = line.copy("mime");
  columns[LogLine::time] = encoded(line.copy("time"));
  columns[LogLine::status_code] = std::to_string(status);
  columns[LogLine::size] = size_column(line, is_captured, scheme);
  columns[LogLine::url] = encoded(url);
  columns[LogLine::hops] = hops_column(line.copy("hops"));
  columns[LogLine::via] = encoded(line.copy("via"));
  columns[LogLine::mime] = encoded(!mime.empty() ? mime : is_captured && scheme == "dns" ? "text/dns" : "unknown");
  columns[LogLine::thread] = fmt::format("#{:03}", line.number("lane").value_or(0));
  columns[LogLine::fetch] = fetch_column(line, is_captured);
  columns[LogLine::digest] = encoded(line.copy("digest"));
  columns[LogLine::source] = encoded(line.copy("seed"));
  columns[LogLine::annotations] = annotations_column(line);
  return made;
}

std::string layout(const Columns& of) {
  std::string text;
  for (size_t i = 0; i < of.columns.size(); ++i) {
    if (i > 0) text += ' ';
    const std::string& column = of.columns[i];
    const size_t width = i == LogLine::status_code ? 5 : i == LogLine::size ? 10 : 0;
    text.append(width - std::min(width, column.size()), ' ').append(column);
  }
  if (!of.extra.empty()) text.append(" ").append(of.extra);
  return text;
}

// ---- both ----

// `typed` with these members in `legacy`.
std::string finished(JsonObject typed, JsonObject legacy, bool has_end) {
  if (!has_end) legacy.add("no_end", true);
  return typed.add_raw("legacy", legacy.finish()).finish();
}

bool is_restored(const std::string& json, std::string_view text) {
  JsonLine line;
  return line.parse(json) && downgraded_line(line) == text;
}

// The columns that are made otherwise than they stood.
JsonObject differences(const LogLine& line, const JsonObject& typed, uint64_t number) {
  JsonObject legacy;
  legacy.add("n", number);
  JsonLine made;
  const std::string json = JsonObject(typed).finish();
  if (!made.parse(json)) return legacy;
  const Columns columns = columns_of(made);
  for (size_t i = 0; i < kColumns.size(); ++i)
    if (const std::string_view was = line.field(static_cast<LogLine::Field>(i)); was != columns.columns[i])
      legacy.add(kColumns[i], was);
  if (!line.json().empty()) legacy.add("extra", line.json());
  return legacy;
}

}  // namespace

std::string decoded(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const int high = text.size() > 2 && text[0] == '%' ? hex_value(text[1]) : -1;
    const int low = high >= 0 ? hex_value(text[2]) : -1;
    const int byte = low >= 0 ? high * 16 + low : -1;
    const bool is_escape = byte >= 0 && (byte <= 0x20 || byte == 0x7f);
    out += is_escape ? static_cast<char>(byte) : text.front();
    text.remove_prefix(is_escape ? 3 : 1);
  }
  return out;
}

UpgradedLine upgraded_line(std::string_view line, uint64_t number, bool has_end) {
  LogLine parsed;
  const auto known = parsed.parse(line) ? parsed.status() : std::nullopt;
  const int status = known.value_or(0);
  UpgradedLine upgraded{std::string(known ? log_of(parsed, status) : kLegacyLog), {}};
  const bool is_typed = upgraded.log != kLegacyLog;
  const auto object = [&] { return is_typed ? typed(parsed, status, upgraded.log) : JsonObject(); };
  if (is_typed) {
    JsonObject made = object();
    JsonObject legacy = differences(parsed, made, number);
    upgraded.json = finished(std::move(made), std::move(legacy), has_end);
    if (is_restored(upgraded.json, line)) return upgraded;
  }
  for (const bool as_text : {true, false}) {
    JsonObject legacy;
    legacy.add("n", number).add(as_text ? "line" : "hex", as_text ? std::string(line) : to_hex(line));
    upgraded.json = finished(object(), std::move(legacy), has_end);
    if (is_restored(upgraded.json, line)) break;
  }
  return upgraded;
}

std::string upgraded_header(std::string_view log) {
  std::string names;
  for (size_t i = 0; i < kJsonFields && log != kLegacyLog; ++i)
    if (const auto field = static_cast<JsonField>(i); fields_of(log).has(field))
      names += fmt::format("\"{}\",", to_string(field));
  return JsonObject()
      .add("log", log)
      .add("version", kJsonLogVersion)
      .add_raw("fields", fmt::format("[{}\"legacy\"]", names))
      .add("software", fmt::format("Caddis {}", kVersion))
      .add("converted", true)
      .finish();
}

std::string downgraded_line(const JsonLine& line) {
  JsonLine legacy;
  if (!legacy.parse(line.raw("legacy"))) return layout(columns_of(line));
  if (!legacy.raw("line").empty()) return legacy.copy("line");
  if (!legacy.raw("hex").empty())
    if (auto bytes = from_hex(legacy.copy("hex"))) return *std::move(bytes);
  Columns columns = columns_of(line);
  for (size_t i = 0; i < kColumns.size(); ++i)
    if (!legacy.raw(kColumns[i]).empty()) columns.columns[i] = legacy.copy(kColumns[i]);
  columns.extra = legacy.copy("extra");
  return layout(columns);
}

uint64_t legacy_number(const JsonLine& line) {
  JsonLine legacy;
  if (!legacy.parse(line.raw("legacy"))) return 0;
  const auto number = legacy.number("n");
  return number && *number > 0 ? static_cast<uint64_t>(*number) : 0;
}

bool legacy_lacks_end(const JsonLine& line) {
  JsonLine legacy;
  return legacy.parse(line.raw("legacy")) && legacy.raw("no_end") == "true";
}

}  // namespace caddis::logs
