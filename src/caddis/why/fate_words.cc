// Each source of evidence has a function that says what it knows; the fate says which of them comes first.
#include "caddis/why/fate_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/capture_status.h"
#include "caddis/base/counted.h"
#include "caddis/base/fetch_status.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/logs/line_upgrade.h"
#include "caddis/logs/link_words.h"
#include "caddis/logs/log_line.h"
#include "caddis/why/waiting_words.h"

namespace caddis::why {
namespace {

using Sentences = std::vector<std::string>;

std::string time_words(std::string_view timestamp) {
  const auto time = parse_timestamp(timestamp);
  return time ? rfc3339(*time) : std::string(timestamp);
}

bool has_annotation(const LoggedVisit& visit, std::string_view beginning) {
  for (std::string_view rest = visit.annotations; !rest.empty();)
    if (logs::take_annotation(rest).starts_with(beginning)) return true;
  return false;
}

std::string place_words(const cdx::Capture& capture) {
  if (capture.filename.empty()) return "";
  return fmt::format(", in {} at offset {}", capture.filename, capture.offset);
}

// An index knows no status of a revisit: the log of its visit does.
std::string capture_words(const UrlEvidence& evidence, const cdx::Capture& capture) {
  std::optional<int64_t> status = parse_int(capture.status);
  if (!status && !evidence.visits.empty()) status = evidence.visits.back().status;
  const std::string_view method = cdx::field(capture, "method");
  return fmt::format("{}{}{}{}{}", time_words(capture.timestamp),
                     method.empty() ? "" : fmt::format(", as answer to a {}", method),
                     status ? ", status " + status_words(*status) : std::string(),
                     capture.mime.empty() || capture.is_revisit() ? "" : ", " + capture.mime, place_words(capture));
}

// The earliest capture with the payload of a revisit, among those of the same key.
const cdx::Capture* original_of(const UrlEvidence& evidence, const cdx::Capture& revisit) {
  const cdx::Capture* found = nullptr;
  for (const auto* const list : {&evidence.captures, &evidence.others})
    for (const cdx::Capture& one : *list)
      if (!one.is_revisit() && !one.digest.empty() && one.digest == revisit.digest &&
          (found == nullptr || one.timestamp < found->timestamp))
        found = &one;
  return found;
}

std::optional<logs::RepeatedCapture> named_original(const UrlEvidence& evidence) {
  if (evidence.visits.empty()) return std::nullopt;
  // The parser takes whole lines.
  const std::string text = "t 200 0 u h v m t f d s " + evidence.visits.back().annotations;
  logs::LogLine line;
  return line.parse(text) ? logs::repeated_capture(line) : std::nullopt;
}

std::string revisit_words(const UrlEvidence& evidence, const cdx::Capture& capture) {
  if (!capture.is_revisit()) return "";
  if (const cdx::Capture* const original = original_of(evidence, capture))
    return fmt::format(" It is a revisit: its payload is stored with {}, {}.",
                       original->url == capture.url ? "the capture of " + time_words(original->timestamp)
                                                    : original->url + " of " + time_words(original->timestamp),
                       fmt::format("in {} at offset {}", original->filename, original->offset));
  if (const auto named = named_original(evidence))
    return fmt::format(" It is a revisit: its payload is stored with {} of {}.", named->url, time_words(named->date));
  return " It is a revisit: its payload is stored with an earlier capture.";
}

std::string captures_words(const UrlEvidence& evidence, const std::vector<cdx::Capture>& captures) {
  const cdx::Capture& latest = captures.back();
  return fmt::format("{}, {} {}.{}", counted(captures.size(), "capture"), captures.size() == 1 ? "of" : "the latest of",
                     capture_words(evidence, latest), revisit_words(evidence, latest));
}

void add_captures(const UrlEvidence& evidence, Sentences& out) {
  if (evidence.captures.empty()) return;
  out.push_back("It is in the archive: " + captures_words(evidence, evidence.captures));
  if (evidence.visits.empty()) return;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kCuts = {{
      {"lenTrunc", "it was longer than allowed (fetch.max-length)"},
      {"timeTrunc", "it took longer than allowed"},
      {"disconnectTrunc", "the connection ended too early"},
      {"headerTrunc", "its head was too long"},
      {"midFetchAbort", "a guard ended the fetch behind the head"},
  }};
  for (const auto& [annotation, words] : kCuts)
    if (has_annotation(evidence.visits.back(), annotation))
      out.push_back(fmt::format("The latest capture was cut: {} ({}).", words, annotation));
}

void add_other_spellings(const UrlEvidence& evidence, Sentences& out) {
  if (evidence.others.empty()) return;
  std::map<std::string, std::vector<cdx::Capture>> by_url;
  for (const cdx::Capture& one : evidence.others) by_url[one.url].push_back(one);
  size_t told = 0;
  for (const auto& [url, captures] : by_url) {
    constexpr size_t kTold = 3;
    if (told++ == kTold) {
      out.push_back(fmt::format("{} more in the archive with the same key.",
                                counted(by_url.size() - kTold, "spelling is", "spellings are")));
      return;
    }
    out.push_back(fmt::format("{} in the archive under another spelling with the same key, {}: {}",
                              evidence.captures.empty() ? "It is" : "It is also", url,
                              captures_words(evidence, captures)));
  }
}

// Annotations that say more about an end than its status. Some say how the crawl is set up and how it works, which is
// for those who run it.
std::string annotation_words(const LoggedVisit& visit, Audience audience) {
  struct Words {
    std::string_view begin, form;
    Audience least = Audience::readers;
  };
  constexpr std::array<Words, 10> kWords = {{
      {"Q:", "the quota {} is used up"},
      {"limit:", "the crawl reached its limit {}"},
      {"refused:", "the address is {}", Audience::operators},
      {"scope:", "the rule '{}' of the scope", Audience::operators},
      {"hung:", "a lane stood still at it: {}", Audience::operators},
      {"again:", "captured again, time {}"},
      {"noRoom", "there was no room for it{}"},
      {"duplicate:", "its payload was known: {}"},
      {"directives:", "it asks robots for {}"},
      {"againstRobots", "its robots.txt does not count for parts of pages{}"},
  }};
  std::string words;
  for (std::string_view rest = visit.annotations; !rest.empty();) {
    const std::string_view one = logs::take_annotation(rest);
    for (const auto& [begin, form, least] : kWords)
      if (one.starts_with(begin) && (least == Audience::readers || audience == Audience::operators))
        words += (words.empty() ? "" : "; ") + fmt::format(fmt::runtime(form), logs::decoded(one.substr(begin.size())));
  }
  return words;
}

// "30t": so many tries.
std::string tries_words(const LoggedVisit& visit) {
  for (std::string_view rest = visit.annotations; !rest.empty();) {
    std::string_view one = logs::take_annotation(rest);
    if (!one.ends_with('t')) continue;
    one.remove_suffix(1);
    if (const auto tries = parse_int(one); tries && *tries > 1) return fmt::format(" after {} tries", *tries);
  }
  return "";
}

std::string way_words(const LoggedVisit& visit) {
  if (visit.via.empty()) return visit.hops.empty() ? "It is a seed." : "";
  return fmt::format("It was found on {} by hops {}{}.", visit.via, visit.hops.empty() ? "-" : visit.hops,
                     visit.source.empty() ? "" : ", from the seed " + visit.source);
}

// A server of SFTP has no TLS.
std::string status_words_of(const LoggedVisit& visit) {
  const bool is_ssh = visit.status == status::kTlsFailed && visit.url.starts_with("sftp:");
  return is_ssh ? fmt::format("{} (no secure connection)", visit.status) : status_words(visit.status);
}

// The reason in a log may name proxies and programs of the crawl, which is for those who run it.
std::string status_and_reason(const LoggedVisit& visit, Audience audience) {
  const StatusInfo* const info = find_status(visit.status);
  std::string words = status_words_of(visit);
  if (audience == Audience::operators && !visit.reason.empty())
    words += fmt::format(": {}", visit.reason);
  else if (info != nullptr && !info->reason.empty())
    words += fmt::format(": {}", info->reason);
  const std::string more = annotation_words(visit, audience);
  return more.empty() ? words : words + "; " + more;
}

bool is_left_out(const LoggedVisit& visit) { return has_annotation(visit, "noRecords"); }

// The kind and the name of a wall, as its annotation has them: "consent:google". Empty if it is none.
std::string_view wall_of(const LoggedVisit& visit) {
  constexpr std::string_view kWall = "wall:";
  for (std::string_view rest = visit.annotations; !rest.empty();)
    if (const std::string_view one = logs::take_annotation(rest); one.starts_with(kWall))
      return one.substr(kWall.size());
  return "";
}

std::string wall_words(std::string_view wall, Audience audience) {
  const std::string_view words = wall.starts_with("bot:")       ? "a check for bots"
                                 : wall.starts_with("consent:") ? "a request for consent"
                                                                : "a wall";
  if (audience == Audience::readers) return fmt::format("it is {} in place of the page", words);
  return fmt::format("it is {} in place of the page, the wall '{}' (walls.store: false, or pipeline.guard; noRecords)",
                     words, wall.substr(wall.find(':') + 1));
}

std::string left_out_words(const LoggedVisit& visit, std::string_view when, Audience audience) {
  if (const std::string_view wall = wall_of(visit); !wall.empty())
    return fmt::format("It was fetched {}, {}, and left out of the archive: {}.", when, status_words(visit.status),
                       wall_words(wall, audience));
  const bool is_for_operators = audience == Audience::operators;
  constexpr std::string_view kAsks = "directives:";
  for (std::string_view rest = visit.annotations; !rest.empty();)
    if (const std::string_view one = logs::take_annotation(rest); one.starts_with(kAsks))
      return fmt::format("It was fetched {}, {}, and left out of the archive: it asks robots for {}{}.", when,
                         status_words(visit.status), one.substr(kAsks.size()),
                         is_for_operators ? " (robots.noindex, robots.noarchive, robots.unavailable-after, or "
                                            "pipeline.guard; noRecords)"
                                          : "");
  return fmt::format("It was fetched {}, {}, and left out of the archive by a guard of the crawl{}.", when,
                     status_words(visit.status), is_for_operators ? " (pipeline.guard; noRecords)" : "");
}

// The words of a server may name paths and users, which are for those who run the crawl.
std::string refusal_words(const LoggedVisit& visit, std::string_view when, Audience audience) {
  constexpr int kLoginRefused = 530;
  std::string words = status_words(visit.status);
  if (audience == Audience::operators && !visit.reason.empty()) {
    const std::string number = std::to_string(visit.status);
    words = visit.reason.starts_with(number) ? visit.reason : fmt::format("{} ({})", number, visit.reason);
    if (words.ends_with('.')) words.pop_back();
  }
  if (audience == Audience::operators && visit.status == kLoginRefused)
    words += fmt::format(": look at fetch.ftp-user and fetch.ftp-password{}",
                         visit.url.starts_with("sftp:") ? ", or fetch.sftp-key" : "");
  return fmt::format("It was asked for{} {}, and refused: {}.", tries_words(visit), when, words);
}

std::string visit_words(const LoggedVisit& visit, Audience audience) {
  const std::string when = fmt::format("at {} ({})", visit.time, visit.launch);
  if (visit.status == status::kRobotsPrecluded)
    return fmt::format("The robots.txt of its site forbids it (-9998): it was its turn {}, and was not fetched.", when);
  if (is_refusal(visit.status, visit.url)) return refusal_words(visit, when, audience);
  if (is_success(visit.status) && is_left_out(visit)) return left_out_words(visit, when, audience);
  if (is_success(visit.status))
    return fmt::format("It was captured {}, says the log: {}.", when, status_and_reason(visit, audience));
  if (is_disregarded(visit.status))
    return fmt::format("It was excluded {}, with {}.", when, status_and_reason(visit, audience));
  return fmt::format("It was tried and given up{} {}, with {}.", tries_words(visit), when,
                     status_and_reason(visit, audience));
}

void add_earlier(const UrlEvidence& evidence, Sentences& out) {
  constexpr size_t kTold = 5;
  if (evidence.visits.size() < 2) return;
  std::map<int, size_t> statuses;
  for (size_t i = 0; i + 1 < evidence.visits.size(); ++i) ++statuses[evidence.visits[i].status];
  std::vector<std::string> parts;
  for (const auto& [status, count] : statuses)
    if (parts.size() < kTold) parts.push_back(fmt::format("{} × {}", count, status_words(status)));
  out.push_back(fmt::format("Before that {} stand in the logs: {}.",
                            counted(evidence.visits.size() - 1, "visit of it", "visits of it"),
                            fmt::join(parts, ", ")));
}

void add_visits(const UrlEvidence& evidence, Audience audience, Sentences& out) {
  if (evidence.visits.empty()) return;
  const LoggedVisit& last = evidence.visits.back();
  const bool is_other = last.url != evidence.url;
  // A capture that the index knows needs no words of the log.
  if (evidence.captures.empty() || !is_captured(last.status, last.url) || is_left_out(last))
    out.push_back(is_other ? fmt::format("As {}, which has the same key: {}", last.url, visit_words(last, audience))
                           : visit_words(last, audience));
  const bool is_archived = is_captured(last.status, last.url) && !is_left_out(last);
  if (is_archived && evidence.captures.empty() && !is_other)
    out.push_back(fmt::format(
        "No index of the collection has it: an index was removed or not made{}, or the disk lost the capture.",
        audience == Audience::operators ? " ('caddis index add' makes one of archive files)" : ""));
  if (evidence.prerequisite)
    out.push_back(fmt::format("The visit of {} at {} ended with {}.", evidence.prerequisite->url,
                              evidence.prerequisite->time, status_and_reason(*evidence.prerequisite, audience)));
  if (const std::string way = way_words(last); !way.empty()) out.push_back(way);
  add_earlier(evidence, out);
}

// The faults of the answer and its log-in. They name programs of the crawl, which is for those who run it.
void add_flaws(const UrlEvidence& evidence, Audience audience, Sentences& out) {
  if (evidence.visits.empty() || !is_success(evidence.visits.back().status) || audience == Audience::readers) return;
  const LoggedVisit& last = evidence.visits.back();
  struct Flaw {
    std::string_view annotation, words;
    const std::string& said;
  };
  const LoggedVisit::Flaws& flaws = last.flaws;
  const std::array<Flaw, 4> told = {{
      {"httpProblem", "The answer is not as HTTP has it", flaws.problem},
      {"readTrunc", "Links were not looked for in all of it", flaws.body_problem},
      {"decodeProblem", "Its body could not be decoded to its end", flaws.body_problem},
      {"documentProblem", "It was not read for links as a document, or not as a whole", flaws.document_problem},
  }};
  for (const Flaw& flaw : told)
    if (has_annotation(last, flaw.annotation))
      out.push_back(fmt::format("{}{}{} ({}).", flaw.words, flaw.said.empty() ? "" : ": ", flaw.said, flaw.annotation));
  if (!flaws.login_problem.empty()) out.push_back(fmt::format("Its log-in had a problem: {}.", flaws.login_problem));
}

void add_tries(const UrlEvidence& evidence, Audience audience, Sentences& out) {
  if (evidence.tries.empty()) return;
  const LoggedVisit& last = evidence.tries.back();
  const bool is_told = audience == Audience::operators && !last.reason.empty();
  out.push_back(fmt::format("{} of it failed and {} to be repeated; the last one at {}, with {}{}.",
                            counted(evidence.tries.size(), "try", "tries"), evidence.tries.size() == 1 ? "was" : "were",
                            last.time, status_words_of(last), is_told ? ": " + last.reason : ""));
}

void add_waiting(const UrlEvidence& evidence, Audience audience, Sentences& out) {
  const bool for_readers = audience == Audience::readers;
  if (!evidence.report) return;
  const control::api::UrlReport& report = *evidence.report;
  if (report.visiting) out.push_back(fmt::format("It is being visited, for {:.1f}s now.", report.visiting_seconds));
  for (const control::api::WaitingUrl& one : report.waits) {
    out.push_back(for_readers ? std::string("It waits to be visited.") : fmt::format("It {}.", waiting_words(one)));
    out.push_back(one.via.empty() ? std::string("It is a seed, or was added by hand.")
                                  : fmt::format("It was found on {} by hops {}.", one.via, one.hops));
  }
  if (report.waits.empty()) return;
  if (evidence.runs && evidence.state == "paused")
    out.push_back(fmt::format("The crawl is paused: nothing is visited until it goes on{}.",
                              for_readers ? "" : " ('caddis resume')"));
  else if (evidence.runs && for_readers)
    out.emplace_back("The crawl runs, and visits it in its turn.");
  else if (evidence.runs)
    out.push_back(fmt::format("Its host {}: {}.", report.host.host, next_of(report.host)));
  else
    out.push_back(fmt::format("The crawl does not run: what waits is visited when it goes on{}.",
                              for_readers ? "" : " ('caddis crawl --resume')"));
}

void add_links(const UrlEvidence& evidence, Sentences& out) {
  if (!evidence.has_searched) return;
  if (evidence.links.empty()) {
    out.push_back(fmt::format("No captured page links to it ({} searched).", counted(evidence.links_searched, "link")));
    return;
  }
  const FoundLink& first = evidence.links.front();
  out.push_back(fmt::format(
      "{} to it{} {} (hop {}{}{}).",
      counted(evidence.links_found, "link of a captured page leads", "links of captured pages lead"),
      evidence.links_found == 1 ? ", on" : "; the first one stands on", first.page, first.hop,
      first.context.empty() ? "" : ", " + first.context, first.url == evidence.url ? "" : ", spelled " + first.url));
}

void add_never(const UrlEvidence& evidence, Audience audience, Sentences& out) {
  const Fate fate = fate_of(evidence);
  if (!evidence.scope || (fate != Fate::rejected && fate != Fate::unknown)) return;
  const control::api::ScopeReport& scope = *evidence.scope;
  const bool was_found = !evidence.links.empty() || !evidence.logged_links.outlinks.empty(),
             for_readers = audience == Audience::readers;
  // "rejected by RULE: …"
  constexpr std::string_view kRejected = "rejected ";
  const std::string why = for_readers                                ? ""
                          : scope.explanation.starts_with(kRejected) ? scope.explanation.substr(kRejected.size() - 1)
                                                                     : ": " + scope.explanation;
  if (!scope.accepted)
    out.push_back(fmt::format("{} the scope of the crawl {}{}.",
                              was_found ? "That link was left out, since" : "As a link,",
                              was_found ? "rejects it" : "would reject it", why));
  else if (was_found && for_readers)
    out.emplace_back("The scope of the crawl accepts it now: it was another one then, or its host had had its share.");
  else if (was_found)
    out.push_back(
        fmt::format("The scope accepts it now ({}): the scope was another one then, its host was over its budget "
                    "(politeness.host-budget), or pages of its pattern said nothing new "
                    "(frontier.stale-patterns).",
                    scope.explanation));
  else
    out.push_back(fmt::format("As a link, the scope of the crawl would accept it{}.", why));
  if (!evidence.has_searched && !was_found && evidence.logged_links.judged.empty() && audience == Audience::operators)
    out.push_back("With --search, the pages of the archive are searched for links to it, which takes a while.");
}

// The latest answers to links: one of scope.jsonl and one of not-crawled.jsonl may tell of the same link.
void add_judged(const UrlEvidence& evidence, Audience audience, Sentences& out) {
  if (evidence.logged_links.judged.empty()) return;
  const LoggedLink& last = evidence.logged_links.judged.back();
  const std::string where =
      fmt::format("{} at {} ({})", last.via.empty() ? "by hand" : "on " + last.via, last.time, last.launch);
  if (audience == Audience::readers)
    out.push_back(
        fmt::format("It was found {}{}.", where, last.word == logs::kRejectedLink ? ", and left out by a rule" : ""));
  else if (last.word == logs::kRejectedLink)
    out.push_back(fmt::format("It was found {} by hops {}, and the rule '{}' rejected it.", where,
                              last.hops.empty() ? "-" : last.hops, last.rule));
  else if (last.word == logs::kDuplicateLink)
    out.push_back(fmt::format(
        "It was found {}, and counts as another URL with the key {}, which the crawl had already.", where, last.key));
  else
    out.push_back(fmt::format("It was found {}, and the scope accepted it by the rule '{}'.", where, last.rule));
  if (evidence.logged_links.judged.size() > 1)
    out.push_back(fmt::format("{} in the logs of links.",
                              counted(evidence.logged_links.judged.size() - 1, "more answer is", "more answers are")));
}

void add_outlinks(const UrlEvidence& evidence, Sentences& out) {
  if (evidence.logged_links.outlinks.empty() || !evidence.links.empty()) return;
  const FoundLink& first = evidence.logged_links.outlinks.front();
  out.push_back(fmt::format("outlinks.jsonl has {} to it, the first on {} at {} (hop {}{}).",
                            counted(evidence.logged_links.outlinks.size(), "link"), first.page, first.date, first.hop,
                            first.context.empty() ? "" : ", " + first.context));
}

// A URL that was found stands in no queue.
std::string never_queued(const UrlEvidence& evidence) {
  const bool was_found =
      !evidence.links.empty() || !evidence.logged_links.outlinks.empty() || !evidence.logged_links.judged.empty();
  if (evidence.runs)
    return was_found ? "It was found, and not queued so far (the crawl runs)."
                     : "It was not queued so far (the crawl runs): no captured page named it, or the crawl would not "
                       "have it.";
  return was_found ? "It was found, and never queued."
                   : "It was never queued: no captured page named it, or the crawl would not have it.";
}

std::string last_resort(const UrlEvidence& evidence, Fate fate) {
  if (fate == Fate::ended)
    return "It was queued once, and does not wait any more, but no line of a log says how it ended: the log of an "
           "earlier "
           "process is gone, or its key is that of another URL that was visited.";
  if (evidence.launches == 0) return "Nothing is known of it: no index has it, and there is no crawl here.";
  if (!evidence.logs_searched)
    return "The latest part of the crawls' logs does not have it; searching all of them would take too long.";
  if (!evidence.was_state_asked && evidence.links.empty() && evidence.logged_links.outlinks.empty() &&
      evidence.logged_links.judged.empty())
    return "No log of a crawl has it: it was never found, a crawl would not have it, or it waited when the crawl "
           "stopped.";
  return never_queued(evidence);
}

// Tells what was not asked. Problems name paths of this machine, which are nobody's business but its people's.
void add_gaps(const UrlEvidence& evidence, Fate fate, Audience audience, Sentences& out) {
  if (audience == Audience::operators) {
    for (const std::string& problem : evidence.problems) out.push_back("Not all is known: " + problem + ".");
    return;
  }
  const bool is_sure = fate < Fate::ended || (evidence.was_state_asked && evidence.logs_searched);
  if (!is_sure || !evidence.problems.empty())
    out.push_back("Not all could be asked for this page; those who keep the archive can find out more.");
}

Fate fate_of_visit(const LoggedVisit& last) {
  if (last.status == status::kRobotsPrecluded) return Fate::robots;
  if (is_refusal(last.status, last.url)) return Fate::failed;
  if (is_success(last.status)) return is_left_out(last) ? Fate::left_out : Fate::unindexed;
  return is_disregarded(last.status) ? Fate::excluded : Fate::failed;
}

}  // namespace

std::string_view name_of(Fate fate) {
  constexpr std::array<std::string_view, 12> kNames = {"captured", "captured-as", "visiting", "waiting",
                                                       "left-out", "unindexed",   "robots",   "excluded",
                                                       "failed",   "ended",       "rejected", "unknown"};
  return kNames[static_cast<size_t>(fate)];
}

Fate fate_of(const UrlEvidence& evidence) {
  if (!evidence.captures.empty()) return Fate::captured;
  if (!evidence.others.empty()) return Fate::captured_as;
  if (evidence.report && evidence.report->visiting) return Fate::visiting;
  if (evidence.report && !evidence.report->waits.empty()) return Fate::waiting;
  if (!evidence.visits.empty()) return fate_of_visit(evidence.visits.back());
  if (evidence.report && evidence.report->seen) return Fate::ended;
  if (!evidence.logged_links.judged.empty() && evidence.logged_links.judged.back().word == logs::kRejectedLink)
    return Fate::rejected;
  return evidence.scope && !evidence.scope->accepted ? Fate::rejected : Fate::unknown;
}

bool is_known(const UrlEvidence& evidence) {
  const auto& report = evidence.report;
  if (report && (report->seen || report->visiting || !report->waits.empty())) return true;
  const bool is_logged = !evidence.visits.empty() || !evidence.tries.empty() || !evidence.logged_links.empty();
  return is_logged || !evidence.captures.empty() || !evidence.others.empty() || evidence.links_found > 0;
}

std::vector<std::string> fate_sentences(const UrlEvidence& evidence, Audience audience) {
  Sentences out;
  const Fate fate = fate_of(evidence);
  if (fate >= Fate::ended) out.push_back(last_resort(evidence, fate));
  add_captures(evidence, out);
  if (fate == Fate::captured_as) add_other_spellings(evidence, out);
  add_waiting(evidence, audience, out);
  add_visits(evidence, audience, out);
  add_flaws(evidence, audience, out);
  add_tries(evidence, audience, out);
  add_judged(evidence, audience, out);
  add_links(evidence, out);
  add_outlinks(evidence, out);
  add_never(evidence, audience, out);
  if (fate != Fate::captured_as) add_other_spellings(evidence, out);
  add_gaps(evidence, fate, audience, out);
  return out;
}

}  // namespace caddis::why
