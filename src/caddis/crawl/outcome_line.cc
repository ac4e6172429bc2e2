#include "caddis/crawl/outcome_line.h"

#include "caddis/base/fetch_status.h"
#include "caddis/base/json_text.h"
#include "caddis/base/status_word.h"
#include "caddis/logs/annotation_words.h"
#include "caddis/logs/json_line_writer.h"
#include "caddis/visit/fact_words.h"
#include "caddis/visit/given_up_reason.h"
#include "caddis/visit/log_entry.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {
namespace {

using enum logs::JsonField;
using logs::JsonLog;

constexpr std::string_view kLookUp = "dns:";
constexpr int kNoError = 0;  // the RCODE of an answer (RFC 1035, 4.1.1)

std::string json_list(const std::vector<std::string>& texts) {
  std::string list = "[";
  for (const std::string& text : texts) {
    if (list.size() > 1) list += ',';
    append_json_string(list, text);
  }
  return list + "]";
}

void add_extra(logs::JsonLineWriter& line, const visit::VisitFacts& facts, std::string_view given_up) {
  if (facts.words.empty() && facts.failed_modules.empty() && facts.unmirrored == 0 && given_up.empty()) return;
  JsonObject extras;
  if (!facts.words.empty()) extras.add_raw("words", json_list(facts.words));
  if (!facts.failed_modules.empty()) extras.add_raw("failed_modules", json_list(facts.failed_modules));
  if (facts.unmirrored > 0) extras.add("unmirrored", facts.unmirrored);
  if (!given_up.empty()) extras.add("given_up", given_up);
  line.add_raw(extra, extras.finish());
}

void add_status(logs::JsonLineWriter& line, JsonLog log, const visit::LogEntry& entry) {
  if (log == JsonLog::http || logs::is_rare(log)) return line.add_number(status, entry.status);
  if (log == JsonLog::dns) return line.add_number(status, kNoError);
  const std::string_view word = status_word(entry.status, entry.facts.is_timeout);
  line.add(status, word.empty() ? std::string_view("unknown") : word);
}

void add_times(logs::JsonLineWriter& line, const visit::LogEntry& entry) {
  if (!is_success(entry.status) && entry.duration == Duration::zero()) return;
  line.add_time(begun, entry.started);
  line.add_duration(duration_ms, entry.duration);
  const visit::Phases& phases = entry.facts.phases;
  if (!phases.is_reused) line.add_duration(connect_ms, phases.connect);
  line.add_duration(wait_ms, phases.wait);
  line.add_duration(receive_ms, phases.receive);
  line.add_flag(reused, phases.is_reused);
}

void add_revisit(logs::JsonLineWriter& line, const visit::LogEntry& entry) {
  if (!entry.facts.revisit) return;
  const visit::RevisitFacts& known = *entry.facts.revisit;
  line.add(revisit, known.is_unchanged ? logs::kUnchanged : logs::kIdentical);
  if (known.url != entry.url) line.add(original_url, known.url);
  line.add_time(original_time, known.date);
  line.add(likeness, visit::likeness_word(known.likeness));
}

// The flaws of the answer that its readers should know.
void add_flaws(logs::JsonLineWriter& line, const visit::VisitFacts& facts) {
  line.add(truncated, visit::truncated_word(facts.truncated));
  line.add(problem, facts.http_problem);
  line.add(body_flaw, visit::flaw_word(facts.body.flaw));
  line.add(body_problem, facts.body.problem);
  line.add(unknown_coding, facts.body.unknown_coding);
  line.add(dropped_links, facts.body.dropped_links);
  line.add_flag(consent_wall, facts.opens_wall);
  line.add(document_problem, facts.body.document_problem);
  line.add(wall, facts.page.wall);
  line.add(directives, facts.page.directives);
  line.add_flag(against_robots, facts.page.is_against_robots);
  line.add(login, facts.peer.login.way);
  line.add(login_problem, facts.peer.login.problem);
  line.add_flag(left_out, facts.is_left_out);
  line.add_flag(no_room, facts.has_no_room);
}

// By the scheme of what was captured.
JsonLog log_of_protocol(std::string_view url) {
  if (url.starts_with(kLookUp)) return JsonLog::dns;
  const auto log = logs::json_log_named(url.substr(0, url.find(':')));
  return log && logs::is_rare(*log) ? *log : JsonLog::http;
}

}  // namespace

logs::JsonLog log_of(const visit::LogEntry& entry) {
  switch (status_group(entry.status)) {
    case StatusGroup::success:
      return log_of_protocol(entry.url);
    case StatusGroup::disregarded:
      return JsonLog::not_crawled;
    default:
      return JsonLog::failures;
  }
}

// The log's own fields are chosen from these by `fields`.
size_t append_outcome(std::string& lines, logs::JsonLog log, const logs::JsonFields& fields,
                      const visit::LogEntry& entry, std::string_view why) {
  const visit::VisitFacts& facts = entry.facts;
  const visit::GivenUpReason given_up(facts.given_up);
  logs::JsonLineWriter line(lines, fields);
  line.add_time(time, entry.finished);
  line.add(url, entry.url);
  add_status(line, log, entry);
  line.add(scheme, std::string_view(entry.url).substr(0, entry.url.find(':')));
  line.add(reason, why);
  add_times(line, entry);
  line.add(mime, entry.mime);
  line.add(digest, entry.digest);
  line.add(received, entry.size);
  line.add(head_size, entry.size - entry.body_size);
  line.add(body_size, entry.body_size);
  line.add(hops, entry.hops);
  line.add(via, entry.via);
  line.add(seed, entry.seed);
  line.add(address, facts.peer.address);
  line.add_list(addresses, facts.addresses);
  line.add(listing, visit::listing_word(facts.peer.listing));
  line.add(reply, facts.peer.reply);
  line.add(logs::JsonField::protocol, facts.peer.http);
  line.add(logs::JsonField::tls, facts.peer.tls);
  line.add(refused_address, facts.refused_address);
  if (facts.attempt > 1) line.add(attempts, facts.attempt);
  line.add(captured_before, facts.times);
  line.add(lane, entry.lane);
  add_revisit(line, entry);
  add_flaws(line, facts);
  line.add(rule, facts.scope_rule);
  line.add(quota, given_up.quota);
  line.add(limit, given_up.limit);
  line.add(hang, given_up.hang);
  add_extra(line, facts, given_up.other);
  return line.end();
}

void append_place(std::string& line, const logs::JsonFields& fields, const visit::WrittenAt& place) {
  if (place.file.empty()) return;
  const auto add = [&line](std::string_view name) {
    if (!line.ends_with('{')) line += ',';
    line.append("\"").append(name).append("\":");
  };
  if (fields.has(warc)) {
    add("warc");
    append_json_string(line, place.file);
  }
  if (fields.has(offset)) {
    add("offset");
    line += std::to_string(place.offset);
  }
}

}  // namespace caddis::crawl
