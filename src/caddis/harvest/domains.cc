// A domain is read and saved as a whole. What it has is told apart by names: a list or a configuration that is saved under
// the name it had, or says which that was, keeps its id, and with it the history.

#include "caddis/harvest/domains.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/harvest/domain_name.h"
#include "caddis/harvest/templates.h"
#include "caddis/logins/accounts.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using sql::Row;
using sql::Values;
using Ids = std::map<std::string, int64_t, std::less<>>;

constexpr size_t kMostSeeds = 16 << 20;  // bytes of one list
constexpr size_t kPiece = 2000;          // names of one statement

Result<Ids> ids_of(Connection& c, std::string_view table, int64_t domain) {
  Ids ids;
  TRY_VOID(c.each(fmt::format("SELECT name, id FROM {} WHERE domain_id = ?", table), Values(domain),
                  [&](const Row& row) { ids.emplace(row.text(0), row.number(1)); }));
  return ids;
}

Result<void> remove_one(Connection& c, std::string_view table, const std::string& name, int64_t id) {
  auto removed = c.run(fmt::format("DELETE FROM {} WHERE id = ?", table), Values(id));
  if (!removed && removed.error().code == ErrorCode::conflict)
    return fail(ErrorCode::conflict,
                fmt::format("'{}' is used by a harvest, or has a history, and cannot be removed", name));
  if (!removed) return std::unexpected(std::move(removed).error());
  return {};
}

// The names that items had; those without one that another item had are new, or have kept theirs.
template <class Item>
std::map<std::string, const Item*, std::less<>> by_former_name(const std::vector<Item>& items) {
  std::map<std::string, const Item*, std::less<>> former;
  for (const Item& item : items)
    if (!item.was.empty()) former.emplace(item.was, &item);
  for (const Item& item : items)
    if (item.was.empty()) former.emplace(item.name, &item);
  return former;
}

// Removes what has none of the names any more, and renames what has another. Names may be exchanged.
template <class Item>
Result<void> keep_only(Connection& c, std::string_view table, int64_t domain, const std::vector<Item>& kept) {
  TRY(const Ids ids, ids_of(c, table, domain));
  const auto former = by_former_name(kept);
  for (const Item& item : kept)
    if (!item.was.empty() && !ids.contains(item.was))
      return fail(ErrorCode::config, fmt::format("the domain has no '{}' to be renamed", item.was));
  std::vector<std::pair<int64_t, std::string_view>> renamed;
  for (const auto& [name, id] : ids) {
    const auto found = former.find(name);
    if (found == former.end()) {
      TRY_VOID(remove_one(c, table, name, id));
    } else if (found->second->name != name) {
      renamed.emplace_back(id, found->second->name);
      TRY_VOID(
          c.execute(fmt::format("UPDATE {} SET name = ? WHERE id = ?", table), Values(fmt::format("\n{}", id), id)));
    }
  }
  for (const auto& [id, name] : renamed)
    TRY_VOID(c.execute(fmt::format("UPDATE {} SET name = ? WHERE id = ?", table), Values(name, id)));
  return {};
}

template <class Item>
void follow_renaming(std::string& name, const std::vector<Item>& items) {
  const auto is_named = [&](const Item& item) { return item.name == name; };
  if (std::ranges::any_of(items, is_named)) return;
  const auto renamed =
      std::ranges::find_if(items, [&](const Item& item) { return !item.was.empty() && item.was == name; });
  if (renamed != items.end()) name = renamed->name;
}

// An old name stands for the new one, but if something else has it now.
void follow_renamings(Domain& domain) {
  follow_renaming(domain.default_configuration, domain.configurations);
  for (Configuration& one : domain.configurations) {
    for (std::string& name : one.seed_lists) follow_renaming(name, domain.seed_lists);
    for (std::string& name : one.credentials) follow_renaming(name, domain.credentials);
  }
}

template <class Item>
Result<void> require_unique(const std::vector<Item>& items, std::string_view kind) {
  std::set<std::string_view> names, former;
  for (const Item& item : items) {
    TRY_VOID(check_name(item.name, kind));
    if (!names.insert(item.name).second)
      return fail(ErrorCode::config, fmt::format("there are two {}s '{}'", kind, item.name));
    if (!item.was.empty() && !former.insert(item.was).second)
      return fail(ErrorCode::config, fmt::format("there are two {}s that were '{}'", kind, item.was));
  }
  return {};
}

Result<void> check_credential(const Credential& one) {
  if (one.realm.empty()) return {};
  const auto read = logins::parse_account(logins::to_text({one.realm, one.username, one.password}));
  if (read && read->realm == one.realm && read->user == one.username) return {};
  return fail(ErrorCode::config,
              "a realm is one line without ' = ', and has a name to log in with, which has no colon");
}

// A crawl has one name and password for each realm of a domain.
Result<void> check_credentials(const Configuration& one, const Domain& domain) {
  std::map<std::string_view, std::string_view> realms;
  for (const Credential& credential : domain.credentials) {
    if (std::ranges::find(one.credentials, credential.name) == one.credentials.end()) continue;
    const auto [other, is_new] = realms.emplace(credential.realm, credential.name);
    if (is_new) continue;
    const std::string_view why =
        credential.realm.empty() ? "have no realm; give one of them its realm" : "are for the same realm";
    return fail(ErrorCode::config, fmt::format("its credentials '{}' and '{}' {}, or take it out of the configuration",
                                               other->second, credential.name, why));
  }
  return {};
}

Result<void> check_configuration(const Configuration& one) {
  if (one.limits.objects < kNoLimit || one.limits.bytes < kNoLimit)
    return fail(ErrorCode::config, "a limit is a number from 0 on, or -1 for none");
  if (one.seed_lists.empty()) return fail(ErrorCode::config, "a configuration has at least one list of seeds");
  return check_overrides(one.overrides);
}

Result<void> check_logins(const Domain& domain) {
  for (const Credential& one : domain.credentials)
    if (auto good = check_credential(one); !good)
      return pass(std::move(good.error()), fmt::format("credential '{}'", one.name));
  for (const Configuration& one : domain.configurations)
    if (auto good = check_credentials(one, domain); !good)
      return pass(std::move(good.error()), fmt::format("configuration '{}'", one.name));
  return {};
}

// A list of before may hold what is refused now.
Result<void> check_seed_lists(const Domain& domain, const Domain& before) {
  for (const SeedList& list : domain.seed_lists) {
    if (list.seeds.size() > kMostSeeds) return fail(ErrorCode::limit, "a list of seeds has 16 MiB at most");
    const auto was = std::ranges::find(before.seed_lists, list.was.empty() ? list.name : list.was, &SeedList::name);
    if (auto good = check_seeds(list.seeds, was == before.seed_lists.end() ? "" : was->seeds); !good)
      return pass(std::move(good.error()), fmt::format("list of seeds '{}'", list.name));
  }
  return {};
}

Result<void> check_domain(const Domain& domain, const Domain& before) {
  TRY_VOID(require_unique(domain.seed_lists, "list of seeds"));
  TRY_VOID(require_unique(domain.credentials, "credential"));
  TRY_VOID(require_unique(domain.configurations, "configuration"));
  TRY_VOID(check_seed_lists(domain, before));
  for (const Configuration& one : domain.configurations)
    if (auto good = check_configuration(one); !good)
      return pass(std::move(good.error()), fmt::format("configuration '{}'", one.name));
  if (auto traps = trap_patterns(domain.traps); !traps) return pass(std::move(traps.error()), "crawler traps");
  const auto is_default = [&](const Configuration& one) { return one.name == domain.default_configuration; };
  if (std::ranges::any_of(domain.configurations, is_default)) return {};
  return fail(ErrorCode::config,
              fmt::format("there is no configuration '{}' to be the default", domain.default_configuration));
}

Result<std::optional<int64_t>> alias_id(Connection& c, const Domain& domain) {
  if (domain.alias_of.empty()) return std::optional<int64_t>();
  TRY(const auto row, c.row("SELECT id, alias_of_id FROM domains WHERE name = ?", Values(domain.alias_of)));
  if (!row)
    return fail(ErrorCode::not_found, fmt::format("there is no domain '{}' to be an alias of", domain.alias_of));
  if (row->number(0) == domain.id)
    return fail(ErrorCode::config, fmt::format("{} cannot be an alias of itself: name another domain", domain.name));
  if (!row->is_null(1))
    return fail(ErrorCode::config, fmt::format("{} cannot have aliases: it is one itself", domain.alias_of));
  TRY(const int64_t own, c.number("SELECT count(*) FROM domains WHERE alias_of_id = ?", Values(domain.id)));
  if (own > 0) return fail(ErrorCode::config, fmt::format("{} has aliases, and cannot be one", domain.name));
  return row->number(0);
}

Result<Ids> save_seed_lists(Connection& c, const Domain& domain) {
  TRY_VOID(keep_only(c, "seed_lists", domain.id, domain.seed_lists));
  for (const SeedList& list : domain.seed_lists)
    TRY_VOID(
        c.execute("INSERT INTO seed_lists (domain_id, name, seeds, comments) VALUES (?, ?, ?, ?) "
                  "ON CONFLICT (domain_id, name) DO UPDATE SET seeds = excluded.seeds, comments = excluded.comments",
                  Values(domain.id, list.name, list.seeds, list.comments)));
  return ids_of(c, "seed_lists", domain.id);
}

Result<Ids> save_credentials(Connection& c, const Domain& domain) {
  TRY_VOID(keep_only(c, "credentials", domain.id, domain.credentials));
  for (const Credential& one : domain.credentials)
    TRY_VOID(c.execute(
        "INSERT INTO credentials (domain_id, name, url, realm, username, password, comments) VALUES (?, ?, ?, ?, ?, ?, "
        "?) "
        "ON CONFLICT (domain_id, name) DO UPDATE SET url = excluded.url, realm = excluded.realm, "
        "username = excluded.username, comments = excluded.comments, password = CASE WHEN excluded.password = '' "
        "THEN credentials.password ELSE excluded.password END",
        Values(domain.id, one.name, one.url, one.realm, one.username, one.password, one.comments)));
  return ids_of(c, "credentials", domain.id);
}

Result<void> save_links(Connection& c, std::string_view table, std::string_view column, int64_t configuration,
                        const std::vector<std::string>& names, const Ids& ids) {
  TRY_VOID(c.execute(fmt::format("DELETE FROM {} WHERE configuration_id = ?", table), Values(configuration)));
  for (const std::string& name : names) {
    const auto found = ids.find(name);
    if (found == ids.end()) return fail(ErrorCode::config, fmt::format("the domain has no '{}'", name));
    TRY_VOID(c.execute(
        fmt::format("INSERT INTO {} (configuration_id, {}) VALUES (?, ?) ON CONFLICT DO NOTHING", table, column),
        Values(configuration, found->second)));
  }
  return {};
}

Result<void> save_configurations(Connection& c, const Domain& domain, const Ids& seeds, const Ids& credentials) {
  for (const Configuration& one : domain.configurations) {
    TRY(const int64_t used, c.number("SELECT id FROM templates WHERE name = ?", Values(one.template_name)));
    if (used == 0) return fail(ErrorCode::config, fmt::format("there is no template '{}'", one.template_name));
    TRY(const int64_t id,
        c.number(
            "INSERT INTO configurations (domain_id, name, template_id, max_objects, max_bytes, overrides, comments) "
            "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (domain_id, name) DO UPDATE SET "
            "template_id = excluded.template_id, max_objects = excluded.max_objects, max_bytes = excluded.max_bytes, "
            "overrides = excluded.overrides, comments = excluded.comments RETURNING id",
            Values(domain.id, one.name, used, one.limits.objects, one.limits.bytes, one.overrides, one.comments)));
    TRY_VOID(save_links(c, "configuration_seeds", "seed_list_id", id, one.seed_lists, seeds));
    TRY_VOID(save_links(c, "configuration_credentials", "credential_id", id, one.credentials, credentials));
  }
  return c.execute(
      "UPDATE domains SET default_configuration_id = (SELECT id FROM configurations WHERE domain_id = ? AND "
      "name = ?) WHERE id = ?",
      Values(domain.id, domain.default_configuration, domain.id));
}

Result<void> read_parts(Connection& c, Domain& domain) {
  TRY_VOID(c.each("SELECT name, seeds, comments FROM seed_lists WHERE domain_id = ? ORDER BY name", Values(domain.id),
                  [&](const Row& row) { domain.seed_lists.push_back({row.text(0), row.text(1), row.text(2)}); }));
  TRY_VOID(c.each(
      "SELECT name, url, realm, username, password, comments FROM credentials WHERE domain_id = ? ORDER BY name",
      Values(domain.id), [&](const Row& row) {
        domain.credentials.push_back({row.text(0), row.text(1), row.text(2), row.text(3), row.text(4), row.text(5)});
      }));
  TRY_VOID(
      c.each("SELECT c.id, c.name, t.name, c.max_objects, c.max_bytes, c.overrides, c.comments FROM configurations c "
             "JOIN templates t ON t.id = c.template_id WHERE c.domain_id = ? ORDER BY c.name",
             Values(domain.id), [&](const Row& row) {
               Configuration& one = domain.configurations.emplace_back();
               one.id = row.number(0);
               one.name = row.text(1);
               one.template_name = row.text(2);
               one.limits = {row.number(3), row.number(4)};
               one.overrides = row.text(5);
               one.comments = row.text(6);
             }));
  for (Configuration& one : domain.configurations) {
    TRY_VOID(
        c.each("SELECT s.name FROM configuration_seeds l JOIN seed_lists s ON s.id = l.seed_list_id "
               "WHERE l.configuration_id = ? ORDER BY s.name",
               Values(one.id), [&](const Row& row) { one.seed_lists.push_back(row.text(0)); }));
    TRY_VOID(
        c.each("SELECT s.name FROM configuration_credentials l JOIN credentials s ON s.id = l.credential_id "
               "WHERE l.configuration_id = ? ORDER BY s.name",
               Values(one.id), [&](const Row& row) { one.credentials.push_back(row.text(0)); }));
  }
  return c.each("SELECT time, who, text FROM owners WHERE domain_id = ? ORDER BY id DESC", Values(domain.id),
                [&](const Row& row) { domain.owners.push_back({row.number(0), row.text(1), row.text(2)}); });
}

// Gives the domains behind `last` that have no configuration yet what the rule says.
Result<void> fill_new(Connection& c, int64_t last, const NewDomainRule& rule, int64_t template_id) {
  constexpr std::string_view kNew = "FROM domains WHERE id > ? AND default_configuration_id IS NULL";
  // A machine that is known by its address has no www.
  TRY_VOID(
      c.execute(fmt::format("INSERT INTO seed_lists (domain_id, name, seeds, comments) SELECT id, ?, "
                            "CASE WHEN upper(name) = lower(name) THEN 'http://' ELSE 'http://www.' END || name, '' {}",
                            kNew),
                Values(rule.seed_list, last)));
  TRY_VOID(c.execute(fmt::format("INSERT INTO configurations (domain_id, name, template_id, max_objects, max_bytes, "
                                 "overrides, comments) SELECT id, ?, {}, {}, {}, '', '' {}",
                                 template_id, rule.limits.objects, rule.limits.bytes, kNew),
                     Values(rule.configuration, last)));
  TRY_VOID(
      c.execute("INSERT INTO configuration_seeds (configuration_id, seed_list_id) SELECT c.id, s.id FROM domains d "
                "JOIN configurations c ON c.domain_id = d.id JOIN seed_lists s ON s.domain_id = d.id "
                "WHERE d.id > ? AND d.default_configuration_id IS NULL",
                Values(last)));
  return c.execute(
      "UPDATE domains SET default_configuration_id = (SELECT c.id FROM configurations c "
      "WHERE c.domain_id = domains.id) WHERE id > ? AND default_configuration_id IS NULL",
      Values(last));
}

template <class Item, class Add>
void add_changes(const std::vector<Item>& before, const std::vector<Item>& after, std::string_view kind,
                 FieldChanges& changes, const Add& add) {
  for (const Item& one : after) {
    const auto was = std::ranges::find(before, one.was.empty() ? one.name : one.was, &Item::name);
    const std::string named = fmt::format("{} {}", kind, one.name);
    if (was == before.end())
      changes.add(named, "", std::string_view("is there"));
    else
      changes.add(named + ": name", was->name, one.name);
    add(named, was == before.end() ? Item() : *was, one);
  }
  for (const Item& one : before) {
    const bool is_kept = std::ranges::any_of(
        after, [&](const Item& other) { return (other.was.empty() ? other.name : other.was) == one.name; });
    if (!is_kept) changes.add(fmt::format("{} {}", kind, one.name), std::string_view("was there"), "");
  }
}

std::string in_lines(std::vector<std::string> names) {
  std::ranges::sort(names);
  return fmt::format("{}", fmt::join(names, ", "));
}

template <class Item>
void keep_names(const std::vector<Item>& from, std::vector<Item>& to) {
  for (Item& one : to)
    if (const auto given = std::ranges::find(from, one.name, &Item::name); given != from.end()) one.was = given->was;
}

// A domain that was read again, with the names that its parts had before it was saved.
void keep_renamings(const Domain& from, Domain& to) {
  keep_names(from.seed_lists, to.seed_lists);
  keep_names(from.credentials, to.credentials);
  keep_names(from.configurations, to.configurations);
}

FieldChanges changes_between(const Domain& before, const Domain& after) {
  FieldChanges changes;
  changes.add("comments", before.comments, after.comments);
  changes.add("crawler traps", before.traps, after.traps);
  changes.add("default configuration", before.default_configuration, after.default_configuration);
  changes.add("alias of", before.alias_of, after.alias_of);
  const auto time = [](const Domain& one) {
    return one.alias_confirmed ? rfc3339(WallTime(std::chrono::seconds(*one.alias_confirmed))) : std::string();
  };
  if (before.alias_of == after.alias_of) changes.add("alias confirmed", time(before), time(after));
  add_changes(before.seed_lists, after.seed_lists, "seeds", changes,
              [&](const std::string& name, const SeedList& was, const SeedList& is) {
                changes.add(name, was.seeds, is.seeds);
                changes.add(name + ": comments", was.comments, is.comments);
              });
  add_changes(before.credentials, after.credentials, "credential", changes,
              [&](const std::string& name, const Credential& was, const Credential& is) {
                changes.add(name + ": URL", was.url, is.url);
                changes.add(name + ": realm", was.realm, is.realm);
                changes.add(name + ": user", was.username, is.username);
                changes.add_secret(name + ": password", was.password, is.password);
                changes.add(name + ": comments", was.comments, is.comments);
              });
  add_changes(before.configurations, after.configurations, "configuration", changes,
              [&](const std::string& name, const Configuration& was, const Configuration& is) {
                changes.add(name + ": template", was.template_name, is.template_name);
                changes.add(name + ": most objects", was.limits.objects, is.limits.objects);
                changes.add(name + ": most bytes", was.limits.bytes, is.limits.bytes);
                const bool is_open =
                    shown_settings(was.overrides) == was.overrides && shown_settings(is.overrides) == is.overrides;
                if (is_open)
                  changes.add(name + ": settings", was.overrides, is.overrides);
                else
                  changes.add_secret(name + ": settings", was.overrides, is.overrides);
                changes.add(name + ": seed lists", in_lines(was.seed_lists), in_lines(is.seed_lists));
                changes.add(name + ": credentials", in_lines(was.credentials), in_lines(is.credentials));
                changes.add(name + ": comments", was.comments, is.comments);
              });
  return changes;
}

}  // namespace

Result<std::optional<int64_t>> find_domain_id(Connection& c, std::string_view name) {
  TRY(const auto row, c.row("SELECT id FROM domains WHERE name = ?", Values(name)));
  if (!row) return std::optional<int64_t>();
  return row->number(0);
}

Result<Domain> find_domain(Connection& c, std::string_view name) {
  TRY(const auto row,
      c.row(
          "SELECT d.id, d.name, d.comments, d.traps, c.name, a.name, d.alias_confirmed, d.created, d.edition FROM "
          "domains d "
          "LEFT JOIN configurations c ON c.id = d.default_configuration_id LEFT JOIN domains a ON a.id = d.alias_of_id "
          "WHERE d.name = ?",
          Values(name)));
  if (!row) return fail(ErrorCode::not_found, fmt::format("there is no domain '{}'", name));
  Domain domain;
  domain.id = row->number(0);
  domain.name = row->text(1);
  domain.comments = row->text(2);
  domain.traps = row->text(3);
  domain.default_configuration = row->text(4);
  domain.alias_of = row->text(5);
  domain.alias_confirmed = row->maybe_number(6);
  domain.created = row->number(7);
  domain.edition = row->number(8);
  TRY_VOID(read_parts(c, domain));
  return domain;
}

Result<void> save_domain(Connection& c, const Domain& given, const Edit& edit) {
  Domain domain = given;
  TRY(const auto id, find_domain_id(c, domain.name));
  if (!id) return fail(ErrorCode::not_found, fmt::format("there is no domain '{}'", domain.name));
  domain.id = *id;
  TRY(const Domain before, find_domain(c, domain.name));
  follow_renamings(domain);
  TRY_VOID(check_domain(domain, before));
  // A domain of before may have what is refused now: it is not held up by that.
  if (auto good = check_logins(domain); !good && check_logins(before)) return good;
  TRY(const auto alias, alias_id(c, domain));
  const std::optional<int64_t> confirmed = alias ? domain.alias_confirmed.value_or(edit.now) : std::optional<int64_t>();
  TRY(const uint64_t changed,
      c.run("UPDATE domains SET comments = ?, traps = ?, alias_of_id = ?, alias_confirmed = ?, "
            "edition = edition + 1 WHERE id = ? AND edition = ?",
            Values(domain.comments, domain.traps, alias, confirmed, domain.id, domain.edition)));
  TRY_VOID(require_changed(changed, "domain", domain.name));
  TRY_VOID(keep_only(c, "configurations", domain.id, domain.configurations));
  TRY(const Ids seeds, save_seed_lists(c, domain));
  TRY(const Ids credentials, save_credentials(c, domain));
  TRY_VOID(save_configurations(c, domain, seeds, credentials));
  TRY(Domain after, find_domain(c, domain.name));
  keep_renamings(domain, after);
  return record_change(c, edit, "domain", domain.name, "changed", changes_between(before, after));
}

Result<uint64_t> create_domains(Connection& c, const std::vector<std::string>& names, const NewDomainRule& rule,
                                const Edit& edit) {
  TRY(const int64_t template_id, c.number("SELECT id FROM templates WHERE name = ?", Values(rule.template_name)));
  if (template_id == 0) return fail(ErrorCode::config, fmt::format("there is no template '{}'", rule.template_name));
  TRY(const int64_t last, c.number("SELECT coalesce(max(id), 0) FROM domains"));
  uint64_t created = 0;
  for (size_t at = 0; at < names.size(); at += kPiece) {
    std::vector<Values> rows;
    for (size_t i = at; i < std::min(names.size(), at + kPiece); ++i)
      rows.emplace_back(names[i], searched_name(names[i]), "", "", edit.now, 1);
    TRY(const uint64_t added,
        c.insert_new("INSERT INTO domains (name, shown, comments, traps, created, edition) VALUES", rows,
                     "ON CONFLICT (name) DO NOTHING"));
    created += added;
  }
  if (created == 0) return 0;
  TRY_VOID(fill_new(c, last, rule, template_id));
  if (names.size() == 1)
    TRY_VOID(record_change(c, edit, "domain", names.front(), "created"));
  else
    TRY_VOID(record_change(c, edit, "domain", "", fmt::format("created {} domains", created)));
  return created;
}

Result<void> add_owner(Connection& c, std::string_view domain, std::string_view text, const Edit& edit) {
  TRY(const auto id, find_domain_id(c, domain));
  if (!id) return fail(ErrorCode::not_found, fmt::format("there is no domain '{}'", domain));
  TRY_VOID(c.execute("INSERT INTO owners (domain_id, time, who, text) VALUES (?, ?, ?, ?)",
                     Values(*id, edit.now, edit.who, text)));
  return record_change(c, edit, "domain", domain, "noted its owner");
}

Result<int64_t> fill_shown_names(Connection& c, int64_t after) {
  std::vector<std::pair<int64_t, std::string>> names;
  TRY_VOID(c.each("SELECT id, name FROM domains WHERE id > ? AND shown = '' AND name LIKE '%xn--%' ORDER BY id LIMIT ?",
                  Values(after, kPiece), [&](const Row& row) { names.emplace_back(row.number(0), row.text(1)); }));
  for (const auto& [id, name] : names)
    TRY_VOID(c.execute("UPDATE domains SET shown = ? WHERE id = ?", Values(searched_name(name), id)));
  return names.empty() ? 0 : names.back().first;
}

Result<std::vector<DomainLine>> list_domains(Connection& c, std::string_view part, std::string_view after,
                                             int64_t limit) {
  const bool is_beginning = part.ends_with('*');
  const std::string_view wanted = is_beginning ? part.substr(0, part.size() - 1) : part;
  const auto pattern_of = [&](std::string_view text) {
    std::string pattern = is_beginning ? "" : "%";
    for (const char ch : text) {
      if (ch == '%' || ch == '_' || ch == '!') pattern += '!';
      pattern += to_lower(ch);
    }
    return pattern + "%";
  };
  const std::string pattern = pattern_of(wanted), shown = pattern_of(folded_name(wanted));
  std::vector<DomainLine> lines;
  TRY_VOID(
      c.each("SELECT d.name, a.name, (SELECT count(*) FROM configurations c WHERE c.domain_id = d.id), d.created "
             "FROM domains d LEFT JOIN domains a ON a.id = d.alias_of_id "
             "WHERE d.name > ? AND (d.name LIKE ? ESCAPE '!' OR d.shown LIKE ? ESCAPE '!') ORDER BY d.name LIMIT ?",
             Values(after, pattern, shown, limit),
             [&](const Row& row) { lines.push_back({row.text(0), row.text(1), row.number(2), row.number(3)}); }));
  return lines;
}

}  // namespace caddis::harvest
