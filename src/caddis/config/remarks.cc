#include "caddis/config/remarks.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/visible.h"
#include "caddis/config/seeds.h"

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

}  // namespace

std::vector<Remark> remarks_on(const Settings& settings, bool visits_others) {
  Remarks remarks(visits_others);
  add_meeting(settings, remarks);
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
