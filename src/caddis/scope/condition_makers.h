// The makers of all conditions, by what they ask about. Internal to scope: rule_kinds.cc has them with their names.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "caddis/scope/condition.h"
#include "caddis/scope/pattern_list.h"

namespace caddis::scope {

// conditions_url.cc: what the URL is.
MadeCondition make_url(const Arguments& arguments);
MadeCondition make_url_length(const Arguments& arguments);
MadeCondition make_scheme(const Arguments& arguments);
MadeCondition make_host(const Arguments& arguments);
MadeCondition make_domain(const Arguments& arguments);
MadeCondition make_surt(const Arguments& arguments);
MadeCondition make_class_key(const Arguments& arguments);
MadeCondition make_path_depth(const Arguments& arguments);
MadeCondition make_path_repetitions(const Arguments& arguments);
MadeCondition make_file(const Arguments& arguments);
std::unique_ptr<const Condition> condition_of(std::shared_ptr<const PatternList> patterns);

// conditions_module.cc: what a module says of it.
MadeCondition make_module(const Arguments& arguments);

// conditions_link.cc: how it was found.
MadeCondition make_all(const Arguments& arguments);
MadeCondition make_seed(const Arguments& arguments);
MadeCondition make_seeds(const Arguments& arguments);
MadeCondition make_minus_lines(const Arguments& arguments);
MadeCondition make_source_seed(const Arguments& arguments);
MadeCondition make_hops(const Arguments& arguments);
MadeCondition make_hop_path(const Arguments& arguments);
MadeCondition make_redirects(const Arguments& arguments);
MadeCondition make_transitive_hops(const Arguments& arguments);
MadeCondition make_speculative_hops(const Arguments& arguments);
MadeCondition make_embed(const Arguments& arguments);
MadeCondition make_prerequisite(const Arguments& arguments);
MadeCondition make_has_via(const Arguments& arguments);
MadeCondition make_via(const Arguments& arguments);
MadeCondition make_via_surt(const Arguments& arguments);
MadeCondition make_crosses_domain(const Arguments& arguments);
MadeCondition make_redirect_from_root(const Arguments& arguments);

// condition_time.cc: when it is asked.
MadeCondition make_time(const Arguments& arguments);

// conditions_answer.cc: what the server answered.
MadeCondition make_status(const Arguments& arguments);
MadeCondition make_mime(const Arguments& arguments);
MadeCondition make_length(const Arguments& arguments);
MadeCondition make_identical(const Arguments& arguments);
MadeCondition make_address(const Arguments& arguments);
MadeCondition make_country(const Arguments& arguments);

}  // namespace caddis::scope
