#include "caddis/visit/scope_line.h"

#include <algorithm>

#include "caddis/config/log_settings.h"
#include "caddis/logs/json_line_writer.h"
#include "caddis/visit/lane_tools.h"

namespace caddis::visit {

std::optional<logs::JsonFields> logged_answers(const LaneTools& tools) {
  const config::LogSettings& settings = tools.context.settings->logs;
  const auto log = logs::JsonLog::scope;
  if (std::ranges::find(settings.write, to_string(log)) == settings.write.end()) return std::nullopt;
  return chosen_fields(log, settings.fields);
}

void append_scope_line(std::string& lines, const logs::JsonFields& fields, const ScopeAnswer& answer) {
  using enum logs::JsonField;
  logs::JsonLineWriter line(lines, fields);
  line.add_time(time, answer.at);
  line.add(url, answer.url);
  line.add(status, answer.is_accepted ? "accepted" : "rejected");
  line.add(hops, answer.hops);
  line.add(via, answer.via);
  line.add(seed, answer.seed);
  line.add(rule, answer.rule);
  line.end();
}

}  // namespace caddis::visit
