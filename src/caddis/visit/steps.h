// The steps there are: one in each *_step.cc, and those that belong together in *_steps.cc. `tools` outlive them.
//
// A new step that crawl.yaml may name is such a file, its maker here and in pipelines.cc, and a row in config/steps.h,
// from which everything else follows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "caddis/visit/step.h"

namespace caddis::modules {
class LoadedModule;
}  // namespace caddis::modules

namespace caddis::visit {

struct LaneTools;

// --- of URLs
// Asks the scope again for URLs that waited while it changed; what it rejects is on record with -5000.
std::unique_ptr<Step> make_preselect_step(LaneTools& tools);
// Judges robots.txt by the policy that holds for the host.
std::unique_ptr<Step> make_precondition_step(LaneTools& tools);
std::unique_ptr<Step> make_fetch_step(LaneTools& tools);

// --- of whatever was fetched
// Undoes the codings of the body, for those who read it.
std::unique_ptr<Step> make_decode_step(LaneTools& tools);
std::unique_ptr<Step> make_extract_step(LaneTools& tools);
// Has a URL fetched again, behind another login, if the page says that the session has ended.
std::unique_ptr<Step> make_session_step(LaneTools& tools);
// Has binary documents read, and joins their links to those that `extract` has found.
std::unique_ptr<Step> make_documents_step(LaneTools& tools);
// Asks a program of others for links, and joins them to those that there are.
std::unique_ptr<Step> make_program_step(LaneTools& tools);
std::unique_ptr<Step> make_feed_step(LaneTools& tools);
// Says whether the page is a wall, and leaves walls out if settings say so.
std::unique_ptr<Step> make_walls_step(LaneTools& tools);
// Puts on record what the page asks of robots, and leaves it out if settings say so.
std::unique_ptr<Step> make_directives_step(LaneTools& tools);
// Looks whether the payload is stored already.
std::unique_ptr<Step> make_dedup_step(LaneTools& tools);
// Writes response or revisit, request and metadata.
std::unique_ptr<Step> make_records_step(LaneTools& tools);
// Judges the extracted links; what is accepted goes into the result.
std::unique_ptr<Step> make_links_step(LaneTools& tools);

// --- of others
// `order`: the steps of the pipeline, among which the module's stands.
std::unique_ptr<Step> make_module_step(const modules::LoadedModule& module, const std::vector<std::string>& order);

// --- of robots.txt
// Fetches the URL at hand: robots.txt, or where it has redirected to.
std::unique_ptr<Step> make_robots_fetch_step(LaneTools& tools);
// Jumps back to the fetch if the answer is a redirect.
std::unique_ptr<Step> make_robots_follow_step(LaneTools& tools);
// Decides by the last answer what holds for the origin.
std::unique_ptr<Step> make_robots_judge_step(LaneTools& tools);

// --- of logins
// Fetches the URL at hand: the page with the form, the form, or where one has redirected to.
std::unique_ptr<Step> make_login_fetch_step(LaneTools& tools);
// Jumps back to the fetch with the form filled in, or judges the answer to it.
std::unique_ptr<Step> make_login_submit_step(LaneTools& tools);

// --- of addresses
std::unique_ptr<Step> make_resolve_step(LaneTools& tools);
std::unique_ptr<Step> make_dns_records_step(LaneTools& tools);

// --- closing
// Settles what a failure means for the frontier, and what the lane remembers of the links.
std::unique_ptr<Step> make_disposition_step(LaneTools& tools);
// The line of crawl.log, and that of pages.jsonl.
std::unique_ptr<Step> make_log_step(LaneTools& tools);

}  // namespace caddis::visit
