// Lines of logs in JSON from anywhere: nothing crashes, all views lie within the line, and what people ask of it has an
// answer on one line.
#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/logs/json_column.h"
#include "caddis/logs/json_line.h"
#include "caddis/logs/line_upgrade.h"

namespace {

bool lies_in(std::string_view part, std::string_view whole) {
  return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::logs;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  JsonLine line;
  if (!line.parse(input)) return 0;
  std::string again = "{";
  for (const JsonLine::Member& member : line.members()) {
    CADDIS_CHECK(lies_in(member.name, input) && lies_in(member.value, input) && !member.value.empty());
    again.append(again.size() > 1 ? "," : "").append("\"").append(member.name).append("\":").append(member.value);
    std::string room;
    (void)json_text_of(member.value, room);
    (void)json_texts_of(member.value);
  }
  JsonLine copied;
  CADDIS_CHECK(copied.parse(again += '}'));
  CADDIS_CHECK(copied.members().size() == line.members().size());
  const auto columns = parse_json_columns("time,url,status,host,domain,class,outcome,day,extra");
  CADDIS_CHECK(columns.has_value());
  std::string room;
  for (const JsonColumn& column : *columns) {
    const std::string_view value = value_of(line, column, room);
    CADDIS_CHECK(!value.empty());
  }
  (void)downgraded_line(line);
  (void)legacy_number(line);
  return 0;
}
