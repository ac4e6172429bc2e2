#include "caddis/config/explain_setting.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "caddis/base/strings.h"
#include "caddis/scope/sheet_times.h"
#include "caddis/scope/sheets.h"
#include "caddis/url/crawl_schemes.h"

namespace caddis::config {
namespace {

// The sheets that hold for a URL, and those that hold for its host; at their times.
struct Holding {
  std::vector<size_t> of_url, of_host;
  scope::SheetTimes times;
};

Result<Holding> holding(const Settings& settings, const url::Url* url) {
  Holding found;
  if (url == nullptr || settings.sheets.empty()) return found;
  TRY(const auto sheets, scope::Sheets::create(settings.sheets, settings.crawl.sheet_order));
  TRY(found.times, scope::SheetTimes::create(settings.sheets));
  found.of_url = sheets->members(sheets->of(*url));
  found.of_host = sheets->members(sheets->of_host(url::crawl_host(*url)));
  return found;
}

ExplainedSetting explain(const settings::ConstSection& section, const settings::Field& field, const Settings& settings,
                         const Holding& holding, WallTime now, const std::vector<Remark>& remarks) {
  using Where = SettingOrigin::Where;
  ExplainedSetting one{fmt::format("{}.{}", section.schema->name(), field.name), &field, {}, {}, {}};
  one.origins.push_back({Where::by_default, "", field.write_shown(field.default_value)});
  if (const settings::Value value = field.get(section.object); value != field.default_value)
    one.origins.push_back({Where::crawl, "", field.write_shown(value)});
  settings::Value counting = field.get(section.object);
  for (const size_t member : field.per_host() ? holding.of_host : holding.of_url) {
    const settings::Sheet& sheet = settings.sheets[member];
    for (const settings::Overlay::Entry& entry : sheet.values.entries())
      if (entry.field == &field) {
        const settings::Value laid = field.laid_over(counting, entry.value);
        const bool holds = holding.times.holds(member, now);
        (holds ? one.origins : one.not_now)
            .push_back({Where::sheet, sheet.name, field.write_shown(laid), holding.times.next_change(member, now)});
        if (holds) counting = laid;
      }
  }
  const SettingOrigin& counts = one.origins.back();
  std::ranges::copy_if(remarks, std::back_inserter(one.remarks), [&](const Remark& remark) {
    return remark.setting == one.name && remark.sheet == counts.sheet;
  });
  return one;
}

}  // namespace

Result<std::vector<ExplainedSetting>> explain_settings(const Settings& settings, std::string_view name,
                                                       const url::Url* url, WallTime now) {
  TRY(const Holding holds, holding(settings, url));
  const auto remarks = remarks_on(settings);
  std::vector<ExplainedSetting> found;
  std::vector<std::string> names;
  for (const settings::ConstSection& section : sections_of(settings)) {
    names.emplace_back(section.schema->name());
    for (const settings::Field& field : section.schema->fields()) {
      const std::string full = fmt::format("{}.{}", section.schema->name(), field.name);
      names.push_back(full);
      if (name.empty() || name == full || name == section.schema->name())
        found.push_back(explain(section, field, settings, holds, now, remarks));
    }
  }
  if (!found.empty()) return found;
  // As in a file: the right name in the wrong section, or none.
  const std::string_view last = name.substr(name.find('.') + 1);
  std::string near;
  for (const settings::ConstSection& section : sections_of(settings))
    if (near.empty() && section.schema->find(last) != nullptr)
      near = fmt::format("{}.{}", section.schema->name(), last);
  if (near.empty()) near = nearest_name(name, names);
  return fail(ErrorCode::config, fmt::format("there is no setting '{}'{}", name,
                                             near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

}  // namespace caddis::config
