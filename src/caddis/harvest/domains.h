// The domains of an archive, each with its configurations, lists of seeds, credentials and owners, in the database.
//
// Functions of a transaction: they use its connection, on its thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/harvest/edit.h"
#include "caddis/harvest/expectation.h"
#include "caddis/sql/connection.h"

namespace caddis::harvest {

// `was`: the name that it had, if it is saved under another one; empty: the same.
struct SeedList {
  std::string name, seeds, comments;  // seeds: a line each; lines with '#' are remarks
  std::string was = {};
};

struct Credential {
  std::string name, url, realm, username, password, comments;
  std::string was = {};
};

struct Configuration {
  int64_t id = 0;
  std::string name, template_name;
  Limits limits;
  std::string overrides;  // settings, as YAML
  std::string comments;
  std::vector<std::string> seed_lists, credentials;  // names of those of the domain
  std::string was = {};
};

struct Owner {
  int64_t time = 0;
  std::string who, text;
};

struct Domain {
  int64_t id = 0;
  std::string name, comments, traps;
  std::string default_configuration;
  std::string alias_of;  // a domain; empty: it is none
  std::optional<int64_t> alias_confirmed;
  int64_t created = 0, edition = 0;
  std::vector<SeedList> seed_lists;
  std::vector<Credential> credentials;
  std::vector<Configuration> configurations;
  std::vector<Owner> owners;
};

// The configuration and the list of seeds that every new domain has.
struct NewDomainRule {
  std::string configuration = "defaultconfig", seed_list = "defaultseeds", template_name = "default";
  Limits limits = {kNoLimit, 1'000'000'000};
};

// ErrorCode::not_found if there is none.
Result<Domain> find_domain(sql::Connection& connection, std::string_view name);
Result<std::optional<int64_t>> find_domain_id(sql::Connection& connection, std::string_view name);
// Saves all of it but owners and name; a password that is empty stays as it was. What is renamed (`was`) keeps its history, and
// may be named by its old name in the configurations. ErrorCode::conflict if it was changed
// meanwhile, or if something that was taken out of it is in use; ErrorCode::config, ErrorCode::parse for what cannot be.
Result<void> save_domain(sql::Connection& connection, const Domain& domain, const Edit& edit);
// Creates those that are not there. Names are domain_name_of's. Returns how many there were not.
Result<uint64_t> create_domains(sql::Connection& connection, const std::vector<std::string>& names,
                                const NewDomainRule& rule, const Edit& edit);
Result<void> add_owner(sql::Connection& connection, std::string_view domain, std::string_view text, const Edit& edit);

// Fills in the names for people of some domains behind the id `after`, for a search that finds them. Returns the last id; 0:
// there are no more.
Result<int64_t> fill_shown_names(sql::Connection& connection, int64_t after);

struct DomainLine {
  std::string name, alias_of;
  int64_t configurations = 0, created = 0;
};
// By name, behind `after`; `part`: what the name contains, or begins with if it ends in '*', in ASCII or as people write it;
// empty: all.
Result<std::vector<DomainLine>> list_domains(sql::Connection& connection, std::string_view part, std::string_view after,
                                             int64_t limit);

}  // namespace caddis::harvest
