// Lines of logs from anywhere: nothing crashes, all views lie within the line, and what was read can be written and read
// again.
#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/logs/log_field.h"
#include "caddis/logs/log_filter.h"
#include "caddis/logs/log_line.h"

namespace {

using caddis::logs::LogLine;

void check_again(const LogLine& line) {
  std::string text;
  for (size_t i = 0; i < LogLine::kFields; ++i)
    text.append(i == 0 ? "" : " ").append(line.field(static_cast<LogLine::Field>(i)));
  text.append(" ").append(line.json());
  LogLine again;
  CADDIS_CHECK(again.parse(text));
  for (size_t i = 0; i < LogLine::kFields; ++i) {
    const auto field = static_cast<LogLine::Field>(i);
    CADDIS_CHECK(again.field(field) == line.field(field));
  }
  CADDIS_CHECK(again.json() == line.json());
}

void ask_everything(const LogLine& line) {
  for (size_t i = 0; i < caddis::logs::log_field_names().size(); ++i)
    CADDIS_CHECK(!caddis::logs::value_of(line, static_cast<caddis::logs::LogField>(i)).empty());
  (void)caddis::logs::repeated_capture(line);
  std::string_view rest = line.field(LogLine::annotations);
  for (size_t steps = rest.size() + 1; !rest.empty(); --steps) {
    CADDIS_CHECK(steps > 0);
    (void)caddis::logs::take_annotation(rest);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  LogLine line;
  if (line.parse(input)) {
    check_again(line);
    ask_everything(line);
    const std::string host(caddis::logs::host_of(line.field(LogLine::url)));
    const auto filter = caddis::logs::LogFilter::create({.hosts = {host},
                                                         .domains = {},
                                                         .statuses = {"ok,failed,excluded,captured"},
                                                         .mimes = {"*"},
                                                         .seeds = {},
                                                         .vias = {},
                                                         .annotations = {},
                                                         .regexes = {},
                                                         .from = "2001",
                                                         .to = {}});
    CADDIS_CHECK(filter.has_value());
    (void)filter->matches(line);
  }
  (void)caddis::logs::LogFilter::create({.hosts = {},
                                         .domains = {},
                                         .statuses = {std::string(input)},
                                         .mimes = {},
                                         .seeds = {},
                                         .vias = {},
                                         .annotations = {},
                                         .regexes = {},
                                         .from = std::string(input),
                                         .to = {}});
  return 0;
}
