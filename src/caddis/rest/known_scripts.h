// Scripts that clients of Heritrix send, recognised so that they can be done without a virtual machine of Java. One
// script may ask for several things, one after the other. Pure functions, any thread.
//
// A script is known if it is one of a table, whatever its white space, its comments, its optional parentheses and the
// name that it gives to a closure; or if it calls functions of NetarchiveSuite's `nas.groovy`, with or without their
// source before them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::rest {

enum class ScriptVerb : uint8_t {
  // Whether the crawl begins paused.
  pause_at_start,
  // All queues, in twelve columns.
  all_queues,
  launch_id,
  list_folder,       // of the job: a path
  list_recursively,  // the job's folder; "files", "folders" or "both"
  delete_job,
  delete_urls,  // of queues, and of URLs: regular expressions that match all
  pause_crawl,
  resume_crawl,
  stop_crawl,
  take_checkpoint,
  state_of_crawl,
  url_count,
  add_url,     // a URL
  add_seed,    // a URL
  print_text,  // a text
  // nas.groovy
  nas_urls_in_frontier,
  nas_matched_urls,   // a regular expression
  nas_list_frontier,  // a regular expression, URLs a page, page
  nas_delete,         // a regular expression
  nas_crawl_log,      // a regular expression, lines a page, page
  nas_mod_budgets,
  nas_change_budget,  // a queue, a number
  nas_queue_total_budget,
  nas_group_max_kb,
  nas_show_filters,
  nas_add_filter,      // a regular expression
  nas_remove_filters,  // numbers of filters
  nas_kill_thread,     // the number of a thread
};

struct ScriptCall {
  ScriptVerb verb;
  std::vector<std::string> arguments;
};

// ErrorCode::unsupported for a script that is not known; says which part of it is not.
Result<std::vector<ScriptCall>> recognise_script(std::string_view script);

}  // namespace caddis::rest
