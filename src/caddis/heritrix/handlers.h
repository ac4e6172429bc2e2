// Functions for single beans and properties, where more has to be done than a table of settings can say.
#pragma once

#include <set>
#include <string_view>

#include "caddis/heritrix/import.h"

namespace caddis::heritrix {

using HandleProperty = void (*)(Import& import, const Bean& bean, const BeanProperty& property);
using HandleBean = void (*)(Import& import, const Bean& bean);

// By the role of the bean: "fetchHttp.acceptHeaders". Null if there is none.
HandleProperty property_handler(std::string_view role, std::string_view property);
// By the class of the bean, before its properties. Null if there is none.
HandleBean bean_handler(std::string_view kind);

// The parts of the tables, by what they are about.
struct PropertyHandler {
  std::string_view name;
  HandleProperty handle;
};
struct BeanHandler {
  std::string_view kind;
  HandleBean handle;
};

// metadata_import.cc
void import_job_name(Import& import, const Bean& bean, const BeanProperty& property);
void import_contact(Import& import, const Bean& bean, const BeanProperty& property);
void import_user_agent(Import& import, const Bean& bean, const BeanProperty& property);
void import_robots_policy(Import& import, const Bean& bean, const BeanProperty& property);
void import_robots_bean(Import& import, const Bean& bean);
// seeds_import.cc
void import_seeds(Import& import, const Bean& bean, const BeanProperty& property);
// fetch_import.cc
void import_accept_headers(Import& import, const Bean& bean, const BeanProperty& property);
void import_accept_compression(Import& import, const Bean& bean, const BeanProperty& property);
void import_http2(Import& import, const Bean& bean);
void import_use_http2(Import& import, const Bean& bean, const BeanProperty& property);
void import_socks_proxy(Import& import, const Bean& bean, const BeanProperty& property);
void import_http_version(Import& import, const Bean& bean, const BeanProperty& property);
void import_connection_close(Import& import, const Bean& bean, const BeanProperty& property);
void import_trust(Import& import, const Bean& bean, const BeanProperty& property);
void import_proxy(Import& import, const Bean& bean, const BeanProperty& property);
void import_cookies_ignored(Import& import, const Bean& bean, const BeanProperty& property);
void import_cookie_file(Import& import, const Bean& bean, const BeanProperty& property);
void import_cookie_save_file(Import& import, const Bean& bean, const BeanProperty& property);
void import_body_rule(Import& import, const Bean& bean, const BeanProperty& property);
void import_geo_database(Import& import, const Bean& bean, const BeanProperty& property);
// steps_import.cc
void import_fetch_chain(Import& import, const Bean& bean, const BeanProperty& property);
void import_writing_chain(Import& import, const Bean& bean, const BeanProperty& property);
void import_step_rule(Import& import, const Bean& bean, const BeanProperty& property);
void import_switched_off(Import& import, const Bean& bean, const BeanProperty& property);
void import_preselector_regex(Import& import, const Bean& bean, const BeanProperty& property);
// extractors_import.cc
// The roles of extractors that are off in Caddis unless a chain has them.
bool has_optional_extractor(const std::set<std::string_view>& roles);
void import_extractors(Import& import, const BeanProperty& chain);
void import_script_patterns(Import& import, const Bean& bean, const BeanProperty& property);
void import_candidate_length(Import& import, const Bean& bean, const BeanProperty& property);
void import_ignored_strings(Import& import, const Bean& bean, const BeanProperty& property);
void import_implied_uri(Import& import, const Bean& bean, const BeanProperty& property);
void import_implied_format(Import& import, const Bean& bean, const BeanProperty& property);
void import_inferred_paths(Import& import, const Bean& bean, const BeanProperty& property);
void import_sitemap_urls(Import& import, const Bean& bean, const BeanProperty& property);
void import_multiple_url(Import& import, const Bean& bean, const BeanProperty& property);
void import_multiple_parts(Import& import, const Bean& bean, const BeanProperty& property);
// policy_import.cc
void import_policy_reference(Import& import, const Bean& bean, const BeanProperty& property);
void import_queue_assignment(Import& import, const Bean& bean);
void import_cost(Import& import, const Bean& bean);
void import_uri_precedence(Import& import, const Bean& bean);
void import_queue_precedence(Import& import, const Bean& bean);
void import_key_rules(Import& import, const Bean& bean, const BeanProperty& property);
void import_quota_action(Import& import, const Bean& bean, const BeanProperty& property);
void import_force_retire(Import& import, const Bean& bean, const BeanProperty& property);
void import_expiration(Import& import, const Bean& bean, const BeanProperty& property);
// dedup_import.cc
void import_deduplicator(Import& import, const Bean& bean);
void import_history(Import& import, const Bean& bean);
void import_digest_history(Import& import, const Bean& bean);
// feeds_import.cc
void import_feeds(Import& import);
// scope_import.cc
void import_scope(Import& import);
// sheets_import.cc
void import_sheet_order(Import& import, const Bean& bean, const BeanProperty& property);

}  // namespace caddis::heritrix
