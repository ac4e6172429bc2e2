#include "caddis/visit/annotations.h"

#include "caddis/base/time_format.h"
#include "caddis/logs/annotation_words.h"
#include "caddis/visit/fact_words.h"

namespace caddis::visit {

std::vector<std::string> annotations_of(const VisitFacts& facts) {
  const bool is_listing = facts.peer.listing != http::Resource::Listing::none;
  logs::AnnotationFacts told{.fate = {.attempts = facts.attempt,
                                      .captured_before = facts.times,
                                      .quota = {},
                                      .limit = {},
                                      .hang = {},
                                      .given_up = facts.given_up,
                                      .rule = facts.scope_rule,
                                      .refused_address = facts.refused_address},
                             .protocol = facts.peer.http,
                             .truncated = truncated_word(facts.truncated),
                             .listed_by = is_listing ? facts.peer.http : std::string_view(),
                             .has_problem = !facts.http_problem.empty(),
                             .unknown_coding = facts.body.unknown_coding,
                             .body_flaw = flaw_word(facts.body.flaw),
                             .dropped_links = facts.body.dropped_links,
                             .has_document_problem = !facts.body.document_problem.empty(),
                             .wall = facts.page.wall,
                             .directives = facts.page.directives,
                             .login = facts.peer.login.way,
                             .words = facts.words,
                             .failed_modules = facts.failed_modules,
                             .revisit = {},
                             .unmirrored = facts.unmirrored,
                             .opens_wall = facts.opens_wall,
                             .is_against_robots = facts.page.is_against_robots,
                             .is_left_out = facts.is_left_out,
                             .has_no_room = facts.has_no_room};
  if (facts.revisit)
    told.revisit = {facts.revisit->is_unchanged ? logs::kUnchanged : logs::kIdentical,
                    likeness_word(facts.revisit->likeness), facts.revisit->url, timestamp17(facts.revisit->date)};
  return logs::annotations_of(told);
}

}  // namespace caddis::visit
