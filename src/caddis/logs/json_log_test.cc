#include "caddis/logs/json_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "caddis/base/time_format.h"
#include "caddis/logs/json_line_writer.h"

namespace caddis::logs {
namespace {

using std::chrono_literals::operator""ms;
using testing::HasSubstr;

TEST(JsonLog, NamesAreFoundAgain) {
  for (size_t i = 0; i < kJsonLogs; ++i) {
    const auto log = static_cast<JsonLog>(i);
    EXPECT_EQ(json_log_named(to_string(log)), log);
    EXPECT_TRUE(all_fields(log).has(JsonField::url));
  }
  EXPECT_EQ(json_log_named("gopher"), std::nullopt);
}

TEST(JsonLog, ChoicesAreHeldAgainstTheFieldsThatThereAre) {
  const auto choice = parse_field_choice("not-crawled:  url   status");
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->log, JsonLog::not_crawled);
  EXPECT_TRUE(choice->fields.has(JsonField::url));
  EXPECT_FALSE(choice->fields.has(JsonField::time));
  EXPECT_THAT(parse_field_choice("url status").error().message, HasSubstr("names no log"));
  EXPECT_THAT(parse_field_choice("gopher: url").error().message, HasSubstr("there is no log 'gopher'"));
  EXPECT_THAT(parse_field_choice("dns: url mime").error().message, HasSubstr("the log 'dns' has no field 'mime'"));
  EXPECT_TRUE(parse_field_choice("ftp: url listing reply"));
  EXPECT_THAT(parse_field_choice("http: listing").error().message, HasSubstr("the log 'http' has no field 'listing'"));
  EXPECT_THAT(parse_field_choice("dns: ").error().message, HasSubstr("no field is named"));
}

TEST(JsonLog, TheLastChoiceCounts) {
  const std::vector<std::string> choices = {"http: url", "http: status", "dns: url"};
  EXPECT_TRUE(chosen_fields(JsonLog::http, choices).has(JsonField::status));
  EXPECT_FALSE(chosen_fields(JsonLog::http, choices).has(JsonField::url));
  EXPECT_EQ(chosen_fields(JsonLog::failures, choices), all_fields(JsonLog::failures));
}

TEST(JsonLog, HeadersNameTheirFields) {
  EXPECT_EQ(json_log_header(JsonLog::scope, all_fields(JsonLog::scope), "a-20260102030000"),
            R"({"log":"scope","version":1,"fields":["time","url","status","hops","via","seed","rule"],)"
            R"("software":"Caddis 0.1.0","launch":"a-20260102030000"})"
            "\n");
}

TEST(JsonLineWriter, LeavesOutWhatIsEmptyOrNotChosen) {
  const JsonFields fields = chosen_fields(JsonLog::http, std::vector<std::string>{"http: url status via lane reused"});
  std::string lines;
  JsonLineWriter line(lines, fields);
  line.add(JsonField::url, "http://a.example/\"\n\xE4");
  line.add_number(JsonField::status, 0);
  line.add(JsonField::mime, "text/html");
  line.add(JsonField::via, "");
  line.add(JsonField::lane, 0);
  line.add_duration(JsonField::wait_ms, 3ms);
  line.add_flag(JsonField::reused, true);
  const size_t place = line.end();
  EXPECT_EQ(lines, "{\"url\":\"http://a.example/\\\"\\n\xEF\xBF\xBD\",\"status\":0,\"reused\":true}\n");
  EXPECT_EQ(lines.substr(place), "}\n");
}

}  // namespace
}  // namespace caddis::logs
