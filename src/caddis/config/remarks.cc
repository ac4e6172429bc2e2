#include "caddis/config/remarks.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/visible.h"
#include "caddis/config/policy_use.h"
#include "caddis/config/seeds.h"
#include "caddis/io/beneath.h"
#include "caddis/modules/registry.h"
#include "caddis/url/percent.h"

namespace caddis::config {
namespace {

using settings::Severity;

constexpr size_t kShown = 100;

constexpr std::string_view kContactHelp =
    "a contact is needed, so that site owners can reach you: give --contact URL-or-address, or set CADDIS_CONTACT, or "
    "write 'contact: …' below 'crawl:' into ~/.config/caddis/caddis.yaml";

class Remarks {
 public:
  explicit Remarks(bool visits_others) : visits_others_(visits_others) {}

  void add_field(const settings::Schema& schema, const settings::Field& field, const settings::Value& value,
                 const std::string& sheet) {
    const std::string name = fmt::format("{}.{}", schema.name(), field.name);
    for (const settings::Constraint* constraint : field.broken_by(value)) {
      if (constraint->of_others && !visits_others_) continue;
      all_.push_back({constraint->severity, name, sheet,
                      fmt::format("{}{} = {} {}", sheet.empty() ? "" : fmt::format("sheet '{}': ", sheet), name,
                                  visible(field.write_shown(value), kShown), constraint->text)});
    }
  }
  void add(Severity severity, std::string setting, std::string_view text) {
    all_.push_back({severity, std::move(setting), "", std::string(text)});
  }
  bool visits_others() const { return visits_others_; }
  std::vector<Remark> take() { return std::move(all_); }

 private:
  const bool visits_others_;
  std::vector<Remark> all_;
};

bool has_limit(const LimitSettings& limits) {
  return limits.max_documents > 0 || limits.max_bytes > 0 || limits.max_novel_bytes > 0 || limits.max_warc_bytes > 0 ||
         limits.max_time > Duration(0);
}

// A scope that follows links to wherever they lead, and not only next door.
bool is_endless(const scope::ScopeSettings& scope) {
  constexpr int64_t kNextDoor = 2;
  return scope.kind == scope::ScopeKind::any && scope.rules.empty() && scope.restrict_to.empty() &&
         scope.max_hops > kNextDoor;
}

void add_meeting(const Settings& settings, Remarks& remarks) {
  if (!remarks.visits_others()) return;
  if (settings.crawl.contact.empty()) remarks.add(Severity::warning, "crawl.contact", kContactHelp);
  if (!is_endless(settings.scope)) return;
  if (!has_limit(settings.limits))
    remarks.add(Severity::info, "scope.kind",
                fmt::format("scope.kind = any with max-hops = {} and without a limit has no end that you will see: set "
                            "limits.max-time or max-documents, fewer hops, or scope.restrict-to",
                            settings.scope.max_hops));
  if (settings.politeness.host_budget == 0)
    remarks.add(Severity::info, "politeness.host-budget",
                "politeness.host-budget = 0 with scope.kind = any lets a host with endless URLs have as many as it "
                "likes");
}

// The first seed that fetch.files does not open; a sheet may open it.
void add_files(const Settings& settings, Remarks& remarks) {
  const bool is_in_sheet = std::ranges::any_of(settings.sheets, [](const settings::Sheet& sheet) {
    return sheet.values.touches(settings::schema_of<fetch::FetchSettings>());
  });
  if (is_in_sheet) return;
  for (const std::string& text : settings.crawl.seeds) {
    const auto seed = parse_seed(text);
    if (!seed || seed->scheme() != "file") continue;
    if (io::folder_of(settings.fetch.files, url::percent_decode(seed->pathname())) != nullptr) continue;
    return remarks.add(Severity::info, "fetch.files",
                       fmt::format("fetch.files names no folder that holds the seed {}: it will not be fetched",
                                   visible(seed->href(), kShown)));
  }
}

// Policies and frontiers of modules that are not used.
void add_order_modules(const Settings& settings, Remarks& remarks) {
  const std::string& policy = settings.frontier.policy;
  const bool is_in_sheet = std::ranges::any_of(settings.sheets, [](const settings::Sheet& sheet) {
    return sheet.values.touches(settings::schema_of<frontier::OrderSettings>()) ||
           sheet.values.touches(settings::schema_of<frontier::PolitenessSettings>());
  });
  if (!policy.empty() && setting_that_asks_policy(settings).empty() && !is_in_sheet)
    remarks.add(Severity::info, "frontier.policy",
                fmt::format("frontier.policy names {}, but it is never asked: say `module` in frontier.order, "
                            "frontier.cost, frontier.queues or politeness.together",
                            policy));
  for (const modules::LoadedModule* module : modules::modules_of(settings.modules.load)) {
    const modules::Description& parts = module->description();
    if (parts.make_frontier && settings.frontier.module != module->name())
      remarks.add(Severity::info, "frontier.module",
                  fmt::format("frontier.module does not name {0}: its frontier is never asked", module->name()));
    if (parts.make_policy && policy != module->name())
      remarks.add(Severity::info, "frontier.policy",
                  fmt::format("frontier.policy does not name {0}: its policy is never asked", module->name()));
  }
}

// Modules whose step nobody asks for.
void add_modules(const Settings& settings, Remarks& remarks) {
  add_order_modules(settings, remarks);
  for (const modules::LoadedModule* module : modules::modules_of(settings.modules.load)) {
    if (!module->description().make_step) continue;
    if (std::ranges::find(settings.pipeline.url, module->name()) != settings.pipeline.url.end()) continue;
    remarks.add(
        Severity::info, "pipeline.url",
        fmt::format("pipeline.url does not name {0}: its step is never taken; put {0} behind fetch, at the place "
                    "where it is to be taken",
                    module->name()));
  }
}

}  // namespace

std::vector<Remark> remarks_on(const Settings& settings, bool visits_others) {
  Remarks remarks(visits_others);
  add_meeting(settings, remarks);
  add_files(settings, remarks);
  add_modules(settings, remarks);
  for (const settings::ConstSection& section : sections_of(settings))
    for (const settings::Field& field : section.schema->fields())
      if (!field.row.constraints.empty()) remarks.add_field(*section.schema, field, field.get(section.object), "");
  for (const settings::Sheet& sheet : settings.sheets)
    for (const settings::Overlay::Entry& entry : sheet.values.entries())
      remarks.add_field(*entry.schema, *entry.field, entry.value, sheet.name);
  return remarks.take();
}

std::vector<Remark> remarks_on(const Settings& settings) {
  std::vector<url::Url> seeds;
  for (const std::string& text : settings.crawl.seeds)
    if (auto seed = parse_seed(text)) seeds.push_back(*std::move(seed));
  return remarks_on(settings, seeds.empty() || !only_loopback(seeds));
}

bool is_about(const Remark& remark, const std::vector<settings::Change>& changes) {
  const std::string changed = (remark.sheet.empty() ? "" : "sheets: ") + remark.setting;
  return std::ranges::any_of(changes, [&](const settings::Change& change) {
    return fmt::format("{}.{}", change.section, change.name) == changed;
  });
}

Result<void> check_warnings(const std::vector<Remark>& remarks) {
  std::string refused;
  for (const Remark& remark : remarks)
    if (remark.severity != Severity::info) refused += (refused.empty() ? "" : "\n") + remark.text;
  if (refused.empty()) return {};
  return fail(ErrorCode::config, std::move(refused));
}

}  // namespace caddis::config
