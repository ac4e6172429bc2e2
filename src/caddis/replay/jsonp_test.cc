// Callbacks of JSONP.
#include "caddis/replay/jsonp.h"

#include <gtest/gtest.h>

#include <array>
#include <initializer_list>

namespace caddis::replay {
namespace {

std::string called(std::string_view script, std::string_view captured, std::string_view asked) {
  const std::string base = "http://example.org/data?";
  const auto change = changed_callback(script, *url::Url::parse(base + std::string(captured)),
                                       *url::Url::parse(base + std::string(asked)));
  return change ? with_callback(script, *change) : std::string(script);
}

TEST(Jsonp, TheFunctionThatThePageWaitsForIsCalled) {
  EXPECT_EQ(called("jQuery1_2({\"a\": 1});", "callback=jQuery1_2&_=1", "callback=jQuery3_4&_=2"),
            "jQuery3_4({\"a\": 1});");
  EXPECT_EQ(called("/**/ typeof cb1 === 'function' && cb1([1])", "x=1&jsonp=cb1", "x=1&jsonp=cb2"),
            "/**/ typeof cb2 === 'function' && cb2([1])");
  EXPECT_EQ(called("\xEF\xBB\xBF;angular.callbacks._0 (1)", "cb=angular.callbacks._0", "cb=angular.callbacks._7"),
            "\xEF\xBB\xBF;angular.callbacks._7 (1)");
  EXPECT_EQ(called("// API\ntry{a[0](1)}catch(e){}", "c=a%5B0%5D", "c=b"), "// API\ntry{b(1)}catch(e){}");
  EXPECT_EQ(called("window.one && window.one(1)", "c=window.one", "c=window.two"), "window.two && window.two(1)");
}

TEST(Jsonp, OtherScriptsStay) {
  for (const auto& [script, captured, asked] : std::initializer_list<std::array<const char*, 3>>{
           {"one(1)", "callback=one", "callback=one"},
           {"one(1)", "callback=other", "callback=two"},         // the query does not name it
           {"one(1)", "callback=one", "function=two"},           // nor does what is asked for
           {"one = 1; one(1)", "callback=one", "callback=two"},  // no call
           {"var x = one(1)", "callback=one", "callback=two"},   //
           {"one(1)", "callback=one", "callback=alert(1)//"},    // more than a name
           {"one(1)", "callback=one", "callback=2"},             //
           {"one(1)", "callback=one", "callback=a%20b"},         //
           {"one(1)", "callback=one", "callback="},              //
           {"", "callback=one", "callback=two"},
           {"/*", "callback=one", "callback=two"}})
    EXPECT_EQ(called(script, captured, asked), script);
}

}  // namespace
}  // namespace caddis::replay
