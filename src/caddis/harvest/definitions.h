// Harvest definitions: what is harvested, when, and within which limits. A selective harvest has configurations and a
// schedule; an event is one whose configurations are made from lists of seeds; a snapshot takes every domain once, or what
// the snapshot before it has left.
//
// Functions of a transaction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/harvest/domains.h"
#include "caddis/harvest/edit.h"
#include "caddis/harvest/expectation.h"
#include "caddis/sql/connection.h"

namespace caddis::harvest {

struct Definition {
  int64_t id = 0;
  std::string name;
  std::string kind;  // "selective", "event", "snapshot"
  std::string comments, audience, traps;
  std::string channel;      // empty: the default one of its kind
  std::string schedule;     // of selective ones and events
  Limits limits;            // of each domain
  int64_t max_seconds = 0;  // of a job; 0: no limit
  std::string based_on;     // a snapshot whose results this one goes on with
  bool is_active = false;
  std::optional<int64_t> next_run;  // seconds
  int64_t runs = 0, missed = 0;
  std::string problem;  // why it was deactivated
  std::string waits;    // an active one whose date has come waits for it: "a harvester on the channel FOCUSED"
  Edit made;            // by whom, if that is known, and when
  int64_t edition = 0, configurations = 0;
};

struct ConfigurationName {
  std::string domain, configuration;  // an empty one: the domain's default
};

Result<Definition> find_definition(sql::Connection& connection, std::string_view name);
Result<std::vector<Definition>> list_definitions(sql::Connection& connection);
// Edition 0 is a new one. With another schedule it has another date (dates.h); else none of its dates changes.
Result<void> save_definition(sql::Connection& connection, const Definition& definition, const Edit& edit);
// Only one that has never run, nor is active.
Result<void> remove_definition(sql::Connection& connection, std::string_view name, const Edit& edit);

// The first `limit` by domain and name behind `after`, which is "domain/configuration".
Result<std::vector<ConfigurationName>> configurations_of(sql::Connection& connection, std::string_view definition,
                                                         std::string_view after, int64_t limit);
struct Added {
  int64_t added = 0, created_domains = 0;
  std::vector<std::string> problems;  // of lines or names; the first thousand
};
// Domains that are not there are created.
Result<Added> add_configurations(sql::Connection& connection, std::string_view definition,
                                 const std::vector<ConfigurationName>& names, const NewDomainRule& rule,
                                 const Edit& edit);
Result<int64_t> remove_configurations(sql::Connection& connection, std::string_view definition,
                                      const std::vector<ConfigurationName>& names, const Edit& edit);
struct EventSeeds {
  std::string seeds, template_name;
  Limits limits;
};
// Adds of each domain that they name a configuration and a list of seeds, called like the harvest, the template and the limits,
// and created with the domain if they are not there.
Result<Added> add_event_seeds(sql::Connection& connection, std::string_view definition, const EventSeeds& event,
                              const NewDomainRule& rule, const Edit& edit);

// Sets the first date; one that it has, and that lies ahead, stays. A run that was broken off goes on at once, and keeps the date
// whose place it takes, or leaves the next one as it is.
// ErrorCode::config if it can never run.
Result<void> activate(sql::Connection& connection, std::string_view name, const Edit& edit);
// One run more, at once; its dates stay. ErrorCode::conflict if it is not active, or a snapshot.
Result<void> ask_for_run(sql::Connection& connection, std::string_view name, const Edit& edit);
// Jobs that are being made stay, and no more are made.
Result<void> deactivate(sql::Connection& connection, std::string_view name, std::string_view problem, const Edit& edit);

}  // namespace caddis::harvest
