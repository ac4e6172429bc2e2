#include "caddis/logs/annotation_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace caddis::logs {
namespace {

using Words = std::vector<std::string>;

// The annotation of a word; empty if there is none.
template <size_t kSize>
std::string_view annotation_of_word(const std::array<AnnotatedWord, kSize>& table, std::string_view word) {
  const auto found = std::ranges::find(table, word, &AnnotatedWord::second);
  return found == table.end() ? std::string_view() : found->first;
}

void add(Words& words, std::string_view annotation) {
  if (!annotation.empty()) words.emplace_back(annotation);
}

void add(Words& words, JsonField field, std::string_view text) {
  if (!text.empty()) words.push_back(std::string(annotation_of(field)).append(text));
}

// "revisitOf:20261121004500100:http://h/". A comma would end the annotation. What looks like one that was escaped is
// escaped, too.
std::string revisit_of(const AnnotatedRevisit& revisit) {
  std::string text = fmt::format("{}{}:", kRevisitOf, revisit.digits);
  for (size_t at = 0; at < revisit.url.size(); ++at) {
    const std::string_view rest = revisit.url.substr(at);
    if (rest.starts_with(','))
      text += "%2C";
    else
      text += rest.starts_with("%2C") ? "%25" : rest.substr(0, 1);
  }
  return text;
}

void add_revisit(Words& words, const AnnotatedRevisit& revisit, std::string_view kind, std::string_view profile) {
  words.push_back(std::string(kDuplicate).append(kind));
  words.emplace_back(profile);
  words.push_back(revisit_of(revisit));
}

void add_fate(Words& words, const AnnotatedFate& facts) {
  if (facts.attempts > 1) words.push_back(fmt::format("{}t", facts.attempts));
  if (facts.captured_before > 0) words.push_back(fmt::format("{}{}", kAgain, facts.captured_before));
  add(words, JsonField::quota, facts.quota);
  add(words, JsonField::limit, facts.limit);
  add(words, JsonField::hang, facts.hang);
  add(words, facts.given_up);
  add(words, JsonField::rule, facts.rule);
  add(words, JsonField::refused_address, facts.refused_address);
}

}  // namespace

std::string_view annotation_of(JsonField field) {
  return std::ranges::find(kTextAnnotations, field, &AnnotatedField::second)->first;
}

std::vector<std::string> annotations_of(const AnnotationFacts& facts) {
  Words words;
  add_fate(words, facts.fate);
  if (facts.protocol == kHttp2) add(words, kHttp2);
  add(words, annotation_of_word(kFolderListings, facts.listed_by));
  add(words, annotation_of_word(kTruncations, facts.truncated));
  if (facts.has_problem) add(words, kHttpProblem);
  const bool is_unchanged = facts.revisit.profile == kUnchanged;
  if (is_unchanged) add_revisit(words, facts.revisit, kUnchanged, kNotModified);
  add(words, JsonField::unknown_coding, facts.unknown_coding);
  add(words, annotation_of_word(kBodyFlaws, facts.body_flaw));
  if (facts.dropped_links > 0) words.push_back(fmt::format("{}{}", kDroppedLinks, facts.dropped_links));
  if (facts.has_document_problem) add(words, kDocumentProblem);
  add(words, JsonField::wall, facts.wall);
  add(words, JsonField::directives, facts.directives);
  add(words, JsonField::login, facts.login);
  words.insert(words.end(), facts.words.begin(), facts.words.end());
  for (const std::string& module : facts.failed_modules) words.push_back(std::string(kModuleError) + module);
  if (!facts.revisit.profile.empty() && !is_unchanged)
    add_revisit(words, facts.revisit, kDigest,
                facts.revisit.likeness == "url" ? kLikenesses.front().first : kLikenesses.back().first);
  words.insert(words.end(), facts.unmirrored, std::string(kNotMirrored));
  if (facts.opens_wall) add(words, kConsentWall);
  if (facts.is_against_robots) add(words, kAgainstRobots);
  if (facts.is_left_out) add(words, kNoRecords);
  if (facts.has_no_room) add(words, kNoRoom);
  return words;
}

}  // namespace caddis::logs
