// Scripts of the console: what they ask, what they get, and what becomes of those that fail, loop or allocate.
#include "caddis/modules/lua_console.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "caddis/modules/lua_docs.h"

namespace caddis::modules {
namespace {

const LuaLimits kSmall = {.instructions = 1'000'000, .memory = 8 << 20, .time = std::chrono::seconds(10)};

class LuaConsoleTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = LuaConsole::create(kSmall);
    ASSERT_TRUE(made) << made.error().message;
    console_ = *std::move(made);
  }
  // Runs a script whose questions are all answered alike.
  ConsoleOutcome run(const std::string& script, const Result<std::string>& answer = "{}") {
    asked_.clear();
    auto question = console_->begin(script, "test");
    while (question && asked_.size() < 1000) {
      asked_.push_back(question->method + " " + question->target +
                       (question->body.empty() ? "" : " [" + question->body + "]"));
      question = console_->answer(answer);
    }
    return console_->take_outcome();
  }
  std::string output_of(const std::string& script, const Result<std::string>& answer = "{}") {
    const ConsoleOutcome outcome = run(script, answer);
    EXPECT_EQ(outcome.error, "") << script;
    return outcome.output;
  }
  std::string error_of(const std::string& script, const Result<std::string>& answer = "{}") {
    return run(script, answer).error;
  }
  std::string asked_by(const std::string& script) {
    EXPECT_EQ(error_of(script), "") << script;
    std::string all;
    for (const std::string& one : asked_) all += (all.empty() ? "" : "; ") + one;
    return all;
  }

  std::unique_ptr<LuaConsole> console_;
  std::vector<std::string> asked_;
};

TEST_F(LuaConsoleTest, ShowsWhatAnExpressionIsAndWhatIsPrinted) {
  EXPECT_EQ(output_of("1 + 1"), "2\n");
  EXPECT_EQ(output_of("nil"), "nil\n");
  EXPECT_EQ(output_of("return 1, 'two'"), "1\ttwo\n");
  EXPECT_EQ(output_of("local a = 1"), "");
  EXPECT_EQ(output_of("print('a', true, {})"), "a\ttrue\t{}\n");
  EXPECT_EQ(output_of("{b = {1, 2}, a = {c = false}, d = {{x = 1, y = 2}, {x = 3}}}"),
            "a:\n  c: false\nb:\n  - 1\n  - 2\nd:\n  - x: 1\n    y: 2\n  - x: 3\n");
}

TEST_F(LuaConsoleTest, KeepsVariablesFromOneScriptToTheNext) {
  EXPECT_EQ(output_of("total = 3"), "");
  EXPECT_EQ(error_of("total = total + 1; error('no')"), "test:1: no");
  EXPECT_EQ(output_of("total"), "4\n");
}

TEST_F(LuaConsoleTest, AsksByRequestsOfTheApi) {
  EXPECT_EQ(asked_by("crawl.status()"), "GET /status");
  EXPECT_EQ(asked_by("crawl.queues()"), "GET /queues");
  EXPECT_EQ(asked_by("crawl.queues{limit=5}"), "GET /queues?limit=5");
  EXPECT_EQ(asked_by("crawl.host('a.example')"), "GET /hosts/a.example");
  EXPECT_EQ(asked_by("crawl.change_host('a.example', {block=true})"), "POST /hosts/a.example?block=true");
  EXPECT_EQ(asked_by("crawl.change_host('a.example', {delay=''})"), "POST /hosts/a.example?delay=");
  EXPECT_EQ(asked_by("crawl.retire_queue('http://a.example', false)"),
            "POST /queues?queue=http%3A%2F%2Fa.example&retire=false");
  EXPECT_EQ(asked_by("crawl.add('http://a.example/')"), "POST /urls [http://a.example/]");
  EXPECT_EQ(asked_by("crawl.add({'http://a.example/', 'http://b.example/'}, {seed=true})"),
            "POST /urls?seed=true [http://a.example/\nhttp://b.example/]");
  EXPECT_EQ(asked_by("crawl.set('politeness.delay', '3s', {sites={'a.example', 'b.example'}})"),
            "POST /settings?sites=a.example%20b.example [politeness.delay=3s\n]");
  EXPECT_EQ(asked_by("crawl.set('scope.exclude', {'a', 'b'})"), "POST /settings [scope.exclude=a\nscope.exclude=b\n]");
  EXPECT_EQ(asked_by("crawl.set('scope.exclude', {})"), "POST /settings [scope.exclude=\n]");
  EXPECT_EQ(asked_by("crawl.unset('politeness.delay')"), "POST /settings/unset [politeness.delay]");
  EXPECT_EQ(asked_by("crawl.scope('http://a.example/?a=b&c', {hops='LL'})"),
            "GET /scope?url=http%3A%2F%2Fa.example%2F%3Fa%3Db%26c&hops=LL");
  EXPECT_EQ(asked_by("crawl.checkpoint()"), "POST /checkpoint");
  EXPECT_EQ(asked_by("crawl.checkpoint('one'); crawl.pause()"), "POST /checkpoint?name=one; POST /pause");
}

TEST_F(LuaConsoleTest, GetsAnswersAsTables) {
  EXPECT_EQ(output_of("crawl.status().state", R"({"state": "running"})"), "running\n");
  EXPECT_EQ(output_of("crawl.get('politeness.delay')", R"({"settings": [{"value": "3s"}]})"), "3s\n");
  EXPECT_EQ(output_of("local n = 0 for _, q in ipairs(crawl.queues()) do n = n + q.queued end print(n)",
                      R"([{"queued": 2}, {"queued": 40}])"),
            "42\n");
  EXPECT_EQ(output_of("crawl.host('a')", R"({"delay_seconds": 1.5, "known": true, "group": null})"),
            "delay_seconds: 1.5\nknown: true\n");
}

TEST_F(LuaConsoleTest, SaysTheLineOfWhatIsWrong) {
  EXPECT_EQ(error_of("local a = 1\ncrawl.host('a')", fail(ErrorCode::parse, "'a' is no host")),
            "test:2: 'a' is no host");
  EXPECT_EQ(error_of("crawl.host('a')", fail(ErrorCode::parse, "'a' is no host")), "test:1: 'a' is no host");
  EXPECT_EQ(error_of("return crawl.host('a')", fail(ErrorCode::parse, "'a' is no host")), "test:1: 'a' is no host");
  EXPECT_EQ(output_of("pcall(crawl.host, 'a')", fail(ErrorCode::parse, "no host")), "false\tno host\n");
  EXPECT_EQ(error_of("\n\ncrawl.nothing()"), "test:3: attempt to call a nil value (field 'nothing')");
  EXPECT_EQ(error_of("crawl.urls{pattern='x'}"),
            "test:1: crawl.urls has no parameter 'pattern': crawl.urls{host=, regex=, limit=, marker=, nearest=}");
  EXPECT_EQ(error_of("crawl.host()"), "test:1: write crawl.host(host)");
  EXPECT_EQ(error_of("crawl.status(1)"), "test:1: write crawl.status()");
  EXPECT_EQ(error_of("crawl.host(print)"), "test:1: host: a text is needed, not function");
  EXPECT_EQ(error_of("string.rep('a', 3, 'b').x.y = 1"), "test:1: attempt to index a nil value (field 'x')");
  EXPECT_EQ(error_of("error({})"), "an error that is a table");
}

TEST_F(LuaConsoleTest, KnowsAStatementThatIsNotWhole) {
  EXPECT_TRUE(run("for i = 1, 2 do").incomplete);
  EXPECT_TRUE(run("crawl.queues{").incomplete);
  EXPECT_FALSE(run("for i = 1, 2 dx").incomplete);
  EXPECT_FALSE(run("for i = 1, 2 do print(i) end").incomplete);
}

TEST_F(LuaConsoleTest, EndsWhatLoopsOrAllocates) {
  EXPECT_EQ(error_of("while true do end"), "test:1: it ran for too many instructions (modules.script-instructions)");
  EXPECT_EQ(error_of("while true do pcall(function() while true do end end) end"),
            "test:1: it ran for too many instructions (modules.script-instructions)");
  EXPECT_EQ(error_of("local t = {} for i = 1, 1e9 do t[i] = string.rep('x', 1000) end"),
            "it needs too much memory (modules.script-memory)");
  EXPECT_NE(error_of("local function f() return f() + 1 end f()"), "");
  EXPECT_EQ(output_of("1 + 1"), "2\n") << "the session goes on";
}

// The limits are those of one slice: a script that asks goes on.
TEST_F(LuaConsoleTest, CountsAnewAfterEachAnswer) {
  EXPECT_EQ(output_of("for i = 1, 50 do for j = 1, 1e5 do end crawl.status() end print('done')"), "done\n");
  EXPECT_EQ(asked_.size(), 50u);
}

TEST_F(LuaConsoleTest, RefusesToAskWhereItCannotWait) {
  EXPECT_TRUE(error_of("setmetatable({}, {__index = function() return crawl.status() end}).x").empty());
  EXPECT_TRUE(error_of("string.format('%s', setmetatable({}, {__tostring = function() return crawl.status() end}))")
                  .contains("cannot be called from here"));
}

TEST_F(LuaConsoleTest, BoundsWhatIsPrinted) {
  const std::string shown = output_of("for i = 1, 100 do print(string.rep('x', 50000)) end");
  EXPECT_LT(shown.size(), LuaConsole::kMostOutput + 100);
  EXPECT_TRUE(shown.ends_with("(no more is shown of what the script prints)\n"));
}

TEST_F(LuaConsoleTest, HasNoFilesAndNoOtherScripts) {
  for (const char* name : {"io", "os", "require", "dofile", "load", "loadfile", "debug", "coroutine"})
    EXPECT_EQ(output_of(name), "nil\n") << name;
}

TEST_F(LuaConsoleTest, CanBeLeftInTheMiddle) {
  ASSERT_TRUE(console_->begin("crawl.status() print('never')", "test"));
  EXPECT_TRUE(console_->is_running());
  console_->abandon("it was ended");
  EXPECT_FALSE(console_->is_running());
  EXPECT_EQ(console_->take_outcome().error, "it was ended");
  EXPECT_EQ(output_of("2"), "2\n");
}

TEST(ConsoleSessions, KeepsThoseUsedLast) {
  ConsoleSessions sessions;
  const auto first = *sessions.open("1", kSmall);
  for (const char* name : {"2", "3", "4"}) ASSERT_TRUE(sessions.open(name, kSmall));
  EXPECT_EQ(*sessions.open("1", kSmall), first);
  const auto second = *sessions.open("2", kSmall);
  ASSERT_TRUE(sessions.open("5", kSmall));
  EXPECT_EQ(*sessions.open("1", kSmall), first);
  EXPECT_EQ(*sessions.open("2", kSmall), second);
  EXPECT_NE(*sessions.open("", kSmall), *sessions.open("", kSmall));
  ASSERT_TRUE(first->begin("crawl.status()", "test"));
  EXPECT_EQ(sessions.open("1", kSmall).error().code, ErrorCode::conflict);
}

TEST(ConsoleDocs, NameEveryFunction) {
  const std::string page = lua_markdown();
  for (const char* name : {"crawl.status()", "crawl.urls{host=", "crawl.scope(url", "crawl.checkpoint(name)"})
    EXPECT_TRUE(page.contains(name)) << name;
}

}  // namespace
}  // namespace caddis::modules
