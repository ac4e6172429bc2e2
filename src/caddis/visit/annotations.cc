#include "caddis/visit/annotations.h"

#include <fmt/format.h>

#include <string_view>

#include "caddis/base/time_format.h"

namespace caddis::visit {
namespace {

// "revisitOf:20261121004500100:http://h/". A comma would end the annotation. What looks like one that was escaped is
// escaped, too.
std::string revisit_of(const RevisitFacts& revisit) {
  std::string text = fmt::format("revisitOf:{}:", timestamp17(revisit.date));
  for (size_t at = 0; at < revisit.url.size(); ++at) {
    const std::string_view rest = std::string_view(revisit.url).substr(at);
    if (rest.starts_with(','))
      text += "%2C";
    else
      text += rest.starts_with("%2C") ? "%25" : rest.substr(0, 1);
  }
  return text;
}

void add_revisit(std::vector<std::string>& words, const RevisitFacts& revisit) {
  if (revisit.is_unchanged) {
    words.insert(words.end(), {"duplicate:server-not-modified", "warcRevisit:notModified"});
  } else {
    const bool is_same_url = revisit.likeness == dedup::Likeness::url;
    words.insert(words.end(),
                 {"duplicate:digest", is_same_url ? "warcRevisit:digest" : "warcRevisit:uriAgnosticDigest"});
  }
  words.push_back(revisit_of(revisit));
}

void add_fate(std::vector<std::string>& words, const VisitFacts& facts) {
  if (facts.attempt > 1) words.push_back(fmt::format("{}t", facts.attempt));
  if (facts.times > 0) words.push_back(fmt::format("again:{}", facts.times));
  if (!facts.given_up.empty()) words.push_back(facts.given_up);
  if (!facts.scope_rule.empty()) words.push_back("scope:" + facts.scope_rule);
  if (!facts.refused_address.empty()) words.push_back("refused:" + facts.refused_address);
}

void add_body(std::vector<std::string>& words, const BodyFacts& body) {
  if (!body.unknown_coding.empty()) words.push_back("unsatisfiableContentEncoding:" + body.unknown_coding);
  if (body.flaw == fetch::BodyFlaw::read_in_part) words.emplace_back("readTrunc");
  if (body.flaw == fetch::BodyFlaw::undecodable) words.emplace_back("decodeProblem");
}

}  // namespace

std::vector<std::string> annotations_of(const VisitFacts& facts) {
  std::vector<std::string> words;
  add_fate(words, facts);
  if (const auto word = http::truncated_annotation(facts.truncated); !word.empty()) words.emplace_back(word);
  if (!facts.http_problem.empty()) words.emplace_back("httpProblem");
  const bool is_unchanged = facts.revisit && facts.revisit->is_unchanged;
  if (is_unchanged) add_revisit(words, *facts.revisit);
  add_body(words, facts.body);
  if (facts.dropped_links > 0) words.push_back(fmt::format("dol:{}", facts.dropped_links));
  if (const auto blank = facts.wall.find(' '); blank != std::string::npos)
    words.push_back(fmt::format("{}Wall:{}", facts.wall.substr(0, blank), facts.wall.substr(blank + 1)));
  words.insert(words.end(), facts.words.begin(), facts.words.end());
  for (const std::string& module : facts.failed_modules) words.push_back("moduleError:" + module);
  if (facts.revisit && !is_unchanged) add_revisit(words, *facts.revisit);
  words.insert(words.end(), facts.unmirrored, "notMirrored");
  if (facts.is_left_out) words.emplace_back("noRecords");
  if (facts.has_no_room) words.emplace_back("noRoom");
  return words;
}

}  // namespace caddis::visit
