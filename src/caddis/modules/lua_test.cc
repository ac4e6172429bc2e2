// Scripts: what they find, what they may not use, and what becomes of those that loop, allocate or throw.
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "caddis/modules/lua_docs.h"
#include "caddis/modules/lua_module.h"
#include "caddis/modules/lua_state.h"
#include "caddis/modules/module_values.h"
#include "caddis/modules/registry.h"
#include "caddis/modules/shared_rule.h"
#include "support/testdata.h"

namespace caddis::modules {
namespace {

const LuaLimits kSmall = {.instructions = 1'000'000, .memory = 8 << 20, .time = std::chrono::seconds(10)};

std::unique_ptr<LuaState> state_of(const std::string& text, const LuaLimits& limits = kSmall) {
  static ModuleErrors errors("test");
  auto made = LuaState::create(text, "test.lua", limits, errors);
  EXPECT_TRUE(made.has_value()) << (made ? "" : made.error().message);
  return made ? *std::move(made) : nullptr;
}

Link link_of(std::string_view url) {
  return {.url = url,
          .scheme = "https",
          .host = "example.org",
          .path = "/a",
          .hops = "LE",
          .via = "https://example.org/",
          .seed = "https://example.org/",
          .is_seed = false,
          .status = 0,
          .mime = {},
          .length = -1,
          .address = {}};
}

// The error of a script whose rule is `body`.
std::string failure_of(const std::string& body, const LuaLimits& limits = kSmall) {
  const auto state = state_of("function rule(link, arguments)\n" + body + "\nend", limits);
  const auto answer = state->ask_rule(link_of("https://example.org/a"), "");
  return answer ? std::string(*answer ? "true" : "false") : answer.error().message;
}

class NoValues final : public Values {
 public:
  Kind kind(std::string_view) const override { return Kind::none; }
  bool flag(std::string_view) const override { return false; }
  int64_t number(std::string_view) const override { return 0; }
  double real(std::string_view) const override { return 0; }
  std::string text(std::string_view) const override { return {}; }
  std::vector<std::string> list(std::string_view) const override { return {}; }
};

class FakePage final : public Page {
 public:
  std::string_view url() const override { return "https://example.org/a"; }
  std::string_view host() const override { return "example.org"; }
  std::string_view hops() const override { return "L"; }
  std::string_view via() const override { return "https://example.org/"; }
  std::string_view seed() const override { return "https://example.org/"; }
  int status() const override { return 200; }
  std::string_view mime() const override { return "text/html"; }
  std::string_view header(std::string_view name) const override { return name == "server" ? "nginx" : ""; }
  std::string_view body() const override { return body_text; }
  const Values& settings() const override { return values; }
  bool add_link(std::string_view url, char hop, std::string_view context) override {
    if (url.starts_with("javascript:")) return false;
    said.push_back(std::string(url) + " " + hop + " " + std::string(context));
    return true;
  }
  void annotate(std::string_view text) override { said.push_back("annotation " + std::string(text)); }
  void add_metadata(std::string_view name, std::string_view value) override {
    said.push_back(std::string(name) + "=" + std::string(value));
  }
  void leave_out() override { said.emplace_back("left out"); }

  std::string body_text = "<p data-href='/b'>";
  NoValues values;
  std::vector<std::string> said;
};

TEST(LuaRule, SeesTheLinkAndItsArguments) {
  const auto state = state_of(R"(
    function rule(link, arguments)
      return link.url == "https://example.org/a" and link.host == "example.org" and link.hops == "LE"
         and link.path == "/a" and link.scheme == "https" and not link.is_seed and link.length == -1
         and arguments == "x y"
    end)");
  EXPECT_EQ(*state->ask_rule(link_of("https://example.org/a"), "x y"), true);
  EXPECT_EQ(*state->ask_rule(link_of("https://example.org/b"), "x y"), false);
}

TEST(LuaRule, AnErrorNamesFileAndLine) {
  EXPECT_EQ(failure_of("local x = nil\nreturn x.y").substr(0, 11), "test.lua:3:");
  EXPECT_NE(failure_of("return link.colour").find("a link has no 'colour'"), std::string::npos);
  EXPECT_NE(failure_of("error({})").find("an error that is a table"), std::string::npos);
  EXPECT_NE(failure_of("link.url = 'x'").find("not to be changed"), std::string::npos);
}

TEST(LuaRule, CannotKeepALinkForLater) {
  const auto state = state_of(
      "local kept\nfunction rule(link) kept = link return true end\n"
      "function event(text) return kept.url end");
  EXPECT_TRUE(state->ask_rule(link_of("https://example.org/a"), "").has_value());
  const auto later = state->tell("event", "x");
  ASSERT_FALSE(later.has_value());
  EXPECT_NE(later.error().message.find("the link is gone"), std::string::npos);
}

// Each would run for ever, or take all memory, in a Lua without bounds.
TEST(LuaLimits, EndWhatRunsForTooLong) {
  const std::string endless[] = {
      "while true do end",
      "while true do pcall(function() while true do end end) end",
      "local t = setmetatable({}, {__index = function() while true do end end}) return t.x",
      "local t = setmetatable({}, {__len = function() return 1 << 62 end}) table.insert(t, 1, 0)",
      "local t = setmetatable({}, {__len = function() return 1 << 62 end}) table.remove(t, 1)",
      "local function f() return f() end return f()",
      "local t = setmetatable({}, {__len = function() return 2147483646 end, __index = rawlen, __newindex = rawlen}) "
      "table.sort(t)",
      "local t = {} for i = 1, 5000 do t[i] = i end while true do table.sort(t, pcall) end",
  };
  for (const std::string& body : endless)
    EXPECT_NE(failure_of(body).find("modules.script-"), std::string::npos) << body << ": " << failure_of(body);
}

TEST(LuaLimits, ACaughtErrorKeepsItsReason) {
  EXPECT_NE(failure_of("while true do pcall(function() while true do end end) end").find("modules.script-instructions"),
            std::string::npos);
}

TEST(LuaLimits, EndWhatLastsForTooLong) {
  const LuaLimits limits = {.instructions = 1LL << 60, .memory = 32 << 20, .time = std::chrono::milliseconds(20)};
  const std::string slow[] = {
      "while true do end",
      "local s = string.rep('a', 1000000) while true do re.find(s, 'b') end",
      "return #re.all(string.rep('a', 1000000), '(?s)a(?:.*z)?')",
      "return re.replace(string.rep('a', 1000000), '(?s)a(?:.*z)?', 'x')",
      "local s = string.rep('a', 5000000) while true do string.find(s, 'b') end",
  };
  for (const std::string& body : slow)
    EXPECT_NE(failure_of(body, limits).find("modules.script-time"), std::string::npos) << failure_of(body, limits);
}

// Texts whose search takes as many steps as both their lengths multiplied, if it is done simply.
TEST(LuaLimits, SearchIsLinear) {
  const LuaLimits limits = {.instructions = 1'000'000, .memory = 64 << 20, .time = std::chrono::seconds(10)};
  EXPECT_EQ(failure_of("return string.find(string.rep('a', 4000000), string.rep('a', 2000000) .. 'b') == nil", limits),
            "true");
}

TEST(LuaLimits, EndWhatTakesTooMuchMemory) {
  const std::string greedy[] = {
      "local s = 'x' while true do s = s .. s end",
      "local t = {} for i = 1, 1 << 40 do t[i] = {} end",
      "return string.rep('x', 1 << 40)",
      "return table.concat({string.rep('x', 4000000), string.rep('y', 4000000)})",
      "local s = string.rep('a', 100000) return re.replace(s, '.', s)",
  };
  for (const std::string& body : greedy)
    EXPECT_NE(failure_of(body).find("modules.script-memory"), std::string::npos) << body << ": " << failure_of(body);
  EXPECT_EQ(failure_of("return string.rep('', 1 << 60) == ''"), "true");
  EXPECT_EQ(failure_of("return string.rep('ab', 2, '-') == 'ab-ab'"), "true");
}

TEST(LuaLimits, HoldForEachCallAnew) {
  const auto state = state_of("function rule(link) for i = 1, 100000 do end return true end");
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(state->ask_rule(link_of("https://example.org/"), "").has_value());
  const auto greedy = state_of("function rule(link) local s = string.rep('x', 1500000) return #s > 0 end");
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(greedy->ask_rule(link_of("https://example.org/"), "").has_value());
}

TEST(LuaSandbox, HasNoDoorToTheOutside) {
  for (const char* name :
       {"io", "os", "debug", "package", "require", "dofile", "loadfile", "load", "coroutine", "xpcall",
        "collectgarbage", "string.gsub", "string.match", "string.gmatch", "string.dump", "table.move", "math.random"})
    EXPECT_EQ(failure_of(std::string("return ") + name + " == nil"), "true") << name;
  EXPECT_EQ(failure_of("return getmetatable('') == 'string'"), "true");
  EXPECT_NE(failure_of("table.concat(setmetatable({}, {__index = table.concat}), '', 1, 1 << 60)")
                .find("without a metatable"),
            std::string::npos);
  EXPECT_NE(failure_of("table.unpack('x', 1, 1 << 60)").find("without a metatable"), std::string::npos);
  EXPECT_NE(failure_of("re.find('x', string.rep('x', 5000))").find("4096 bytes"), std::string::npos);
  EXPECT_NE(failure_of("setmetatable({}, {__gc = function() end})").find("__gc"), std::string::npos);
  EXPECT_NE(failure_of("setmetatable(link, {})").find("table expected"), std::string::npos);
}

TEST(LuaSandbox, RefusesCompiledScripts) {
  ModuleErrors errors("test");
  const auto made = LuaState::create("\x1bLua", "test.lua", kSmall, errors);
  ASSERT_FALSE(made.has_value());
}

TEST(LuaExpressions, AreThoseOfRe2) {
  EXPECT_EQ(failure_of("local a, b = re.find('abcd', 'b.') return a == 2 and b == 3"), "true");
  EXPECT_EQ(failure_of("return re.find('abcd', 'x') == nil and re.match('abcd', 'x') == nil"), "true");
  EXPECT_EQ(failure_of("local y, m = re.match('/2026/11/', [[/(\\d+)/(\\d+)/]]) return y == '2026' and m == '11'"),
            "true");
  EXPECT_EQ(failure_of("return re.match('abc', 'b|c') == 'b'"), "true");
  EXPECT_EQ(failure_of("return table.concat(re.all('a1b22', [[\\d+]]), ',') == '1,22'"), "true");
  EXPECT_EQ(failure_of("return #re.all('abc', 'x*') == 4"), "true");
  EXPECT_EQ(failure_of("return re.replace('a-b', '(a)-(b)', [[\\2-\\1]]) == 'b-a'"), "true");
  EXPECT_EQ(failure_of("return re.find('\\xff\\xfe<', '<') == 3"), "true");
  EXPECT_NE(failure_of("return re.find('x', '(')").find("is no regular expression"), std::string::npos);
  EXPECT_EQ(failure_of("local a, b = string.find('a.b', '.') return a == 2 and b == 2"), "true");
  EXPECT_EQ(failure_of("local t = {1, 3} table.insert(t, 2, 2) table.insert(t, 4) return table.concat(t) == '1234' and "
                       "table.remove(t, 1) == 1 and table.remove(t) == 4 and #t == 2"),
            "true");
}

TEST(LuaStep, ChangesThePage) {
  const auto state = state_of(R"(
    function step(page)
      page:annotate(page:header("server") .. page.status .. page.mime)
      for _, url in ipairs(re.all(page.body, "data-href='([^']+)'")) do page:add_link(url, "E", "data-href") end
      page:add_link("/c")
      page:annotate(tostring(page:add_link("javascript:x")))
      page:add_metadata("k", "v")
      page:leave_out()
    end)");
  FakePage page;
  const auto ran = state->run_step(page);
  ASSERT_TRUE(ran.has_value()) << ran.error().message;
  const std::vector<std::string> expected = {
      "annotation nginx200text/html", "/b E data-href", "/c L script", "annotation false", "k=v", "left out"};
  EXPECT_EQ(page.said, expected);
}

TEST(LuaExpressions, TablesAreSorted) {
  EXPECT_EQ(failure_of("local t = {} for i = 1, 100 do t[i] = i * 37 % 101 end table.sort(t) "
                       "for i = 1, 100 do if t[i] ~= i then return false end end return true"),
            "true");
  EXPECT_EQ(
      failure_of("local t = {3, 1, 2} table.sort(t, function(a, b) return a > b end) return table.concat(t) == '321'"),
      "true");
  EXPECT_EQ(failure_of("local t = {} table.sort(t) return #t == 0"), "true");
}

TEST(LuaStep, RefusesAHopThatIsNone) {
  const auto state = state_of("function step(page) page:add_link('/c', 'LL') end");
  FakePage page;
  const auto ran = state->run_step(page);
  ASSERT_FALSE(ran.has_value());
  EXPECT_NE(ran.error().message.find("a hop is one letter"), std::string::npos);
}

TEST(ModuleErrors, SwitchOffAndOnAgain) {
  ModuleErrors errors("calendar");
  errors.set_most(3);
  for (int i = 0; i < 2; ++i) errors.record("rule", "calendar.lua:3: no", "https://example.org/");
  EXPECT_FALSE(errors.is_off());
  errors.record("rule", "calendar.lua:3: no", "https://example.org/");
  EXPECT_TRUE(errors.is_off());
  const auto told = errors.take();
  ASSERT_EQ(told.size(), 4U);
  EXPECT_EQ(told[0], "module calendar: its rule failed at https://example.org/: calendar.lua:3: no");
  EXPECT_NE(told[3].find("switched off after 3 errors"), std::string::npos);
  EXPECT_TRUE(errors.take().empty());
  errors.reset();
  EXPECT_FALSE(errors.is_off());
}

// Files of scripts, each with a name of its own: the registry keeps what it has loaded.
class LuaFile : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    const std::string path = folder_.path() + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
  static std::string load_error(const std::string& path, const std::vector<std::string>& taken = {}) {
    const std::vector<std::string> paths = {path};
    const auto loaded = load_modules(paths, taken);
    return loaded ? "" : loaded.error().message;
  }
  testing::TempDir folder_;
};

TEST_F(LuaFile, IsAModuleWithItsName) {
  const std::string path = write("first-rule.lua", "doc = 'It rules.'\nfunction rule(link) return true end");
  ASSERT_EQ(load_error(path), "");
  ASSERT_EQ(load_error(path), "");
  const LoadedModule* module = find_module("first-rule");
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(module->description().doc, "It rules.");
  EXPECT_TRUE(module->description().make_rule);
  EXPECT_FALSE(module->description().make_step);
  EXPECT_EQ(module->schema(), nullptr);
  const std::vector<std::string> paths = {path};
  EXPECT_EQ(modules_of(paths), std::vector<const LoadedModule*>{module});
}

TEST_F(LuaFile, IsRefusedWithTheReason) {
  EXPECT_NE(load_error("relative.lua").find("give the whole path"), std::string::npos);
  EXPECT_NE(load_error(folder_.path() + "/missing.lua").find("missing.lua"), std::string::npos);
  EXPECT_NE(load_error(write("text.txt", "x")).find("a module is a .lua file or a shared object"), std::string::npos);
  EXPECT_NE(load_error(write("broken.lua", "function rule(")).find("broken.lua:1:"), std::string::npos);
  EXPECT_NE(load_error(write("empty.lua", "x = 1")).find("defines no function that Caddis calls"), std::string::npos);
  EXPECT_NE(load_error(write("Upper.lua", "function rule() end")).find("is no name of a module"), std::string::npos);
  EXPECT_NE(load_error(write("scope.lua", "function rule() end"), {"scope"}).find("Caddis's own"), std::string::npos);
  EXPECT_NE(load_error(write("fake.so", "no object")).find("it cannot be loaded"), std::string::npos);
  EXPECT_EQ(load_error(write("twice.lua", "function rule() end")), "");
  EXPECT_NE(no_such_module("twcie").error().message.find("did you mean 'twice'?"), std::string::npos);
}

TEST_F(LuaFile, HasSettingsOfItsOwn) {
  const std::string path = write("with-settings.lua", R"(
    settings = {
      ["max-words"] = {default = 10, min = 1, max = 20, doc = "So many words."},
      names = {default = {"a", "b"}, doc = "Names."},
      on = {default = true, doc = "Whether it is on."},
      factor = {default = 1.5, doc = "A factor."},
      text = {default = "x", doc = "A text."},
    }
    function step(page)
      local s = page.settings
      page:annotate(s["max-words"] + 1 .. s.names[2] .. tostring(s.on) .. s.factor .. s.text)
    end)");
  ASSERT_EQ(load_error(path), "");
  const LoadedModule& module = *find_module("with-settings");
  ASSERT_NE(module.schema(), nullptr);
  ModuleSections values;
  const auto section = [&] {
    const std::vector<std::string> files = {path};
    return values.sections(files).front();
  }();
  EXPECT_TRUE(settings::apply(section, "max-words", "12", "test").has_value());
  EXPECT_FALSE(settings::apply(section, "max-words", "21", "test").has_value());
  const ModuleValues read(module, values);
  EXPECT_EQ(read.number("max-words"), 12);
  EXPECT_EQ(read.list("names"), (std::vector<std::string>{"a", "b"}));
  EXPECT_THROW((void)read.text("max-words"), std::invalid_argument);
  EXPECT_EQ(ModuleValues(module, ModuleSections()).number("max-words"), 10);
}

TEST_F(LuaFile, ASettingThatCannotBeIsRefused) {
  EXPECT_NE(
      load_error(write("no-default.lua", "settings = {x = {doc = 'X.'}} function rule() end")).find("needs a default"),
      std::string::npos);
  EXPECT_NE(load_error(write("no-doc.lua", "settings = {x = {default = 1}} function rule() end")).find("full stop"),
            std::string::npos);
  const std::pair<const char*, const char*> refused[] = {
      {"two-lines.lua", "doc = 'a\\nb.' settings = {x = {default = 1, doc = 'X.'}} function rule() end"},
      {"bad-name.lua", "settings = {['a: b'] = {default = 1, doc = 'X.'}} function rule() end"},
      {"bad-item.lua", "settings = {x = {default = {'a\\1'}, doc = 'X.'}} function rule() end"},
      {"list-bound.lua", "settings = {x = {default = {}, min = 1, doc = 'X.'}} function rule() end"},
  };
  for (const auto& [name, text] : refused) EXPECT_NE(load_error(write(name, text)), "") << name;
  EXPECT_NE(
      load_error(write("bad-bound.lua", "settings = {x = {default = 1, min = 'y', doc = 'X.'}} function rule() end")),
      "");
}

TEST_F(LuaFile, IsReadAgain) {
  const std::string path = write("changing.lua", "function rule(link) return true end");
  ASSERT_EQ(load_error(path), "");
  const LoadedModule& module = *find_module("changing");
  const auto rule = SharedRule::create(module, "");
  ASSERT_TRUE(rule.has_value());
  const Link link = link_of("https://example.org/a");
  EXPECT_TRUE((*rule)->holds(link));
  EXPECT_FALSE(*module.reload());
  module.errors().set_most(1);
  module.errors().record("rule", "x", "y");
  EXPECT_FALSE((*rule)->holds(link));
  write("changing.lua", "function rule(link) return link.path == '/b' end");
  EXPECT_TRUE(*module.reload());
  EXPECT_FALSE((*rule)->holds(link));
  EXPECT_FALSE(module.errors().is_off());
  // One that cannot be used is told of once, and changes nothing.
  write("changing.lua", "function rule(");
  EXPECT_FALSE(module.reload().has_value());
  EXPECT_FALSE(*module.reload());
  write("changing.lua", "function step(page) end");
  EXPECT_FALSE(module.reload().has_value());
  Link other = link;
  other.path = "/b";
  EXPECT_TRUE((*rule)->holds(other));
}

TEST_F(LuaFile, AListenerKeepsWhatItKnows) {
  const std::string text = R"(
    local count = 0
    function finished(visit) count = count + visit.size end
    function state() return tostring(count) end
    function restore(text) count = tonumber(text) end
    function report() return "VERSION " .. count end)";
  const std::string path = write("counting.lua", text);
  ASSERT_EQ(load_error(path), "");
  const LoadedModule& module = *find_module("counting");
  const NoValues none;
  const auto listener = module.description().make_listener(none);
  listener->restore("5");
  listener->finished({.url = "https://example.org/",
                      .host = {},
                      .hops = {},
                      .via = {},
                      .seed = {},
                      .mime = {},
                      .digest = {},
                      .status = 200,
                      .size = 7});
  EXPECT_EQ(listener->state(), "12");
  std::string newer = text;
  newer.replace(newer.find("VERSION"), 7, "newer");
  write("counting.lua", newer);
  EXPECT_TRUE(*module.reload());
  EXPECT_EQ(listener->report(), "newer 12");
}

TEST_F(LuaFile, ARuleIsAskedByManyThreads) {
  const std::string path = write("threads.lua", "local n = 0 function rule(link) n = n + 1 return n > 0 end");
  ASSERT_EQ(load_error(path), "");
  const auto rule = SharedRule::create(*find_module("threads"), "");
  ASSERT_TRUE(rule.has_value());
  std::atomic<int> yes = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (int j = 0; j < 200; ++j) yes += (*rule)->holds(link_of("https://example.org/")) ? 1 : 0;
      });
  }
  EXPECT_EQ(yes, 800);
}

TEST_F(LuaFile, RulesOfAScriptShareItsInterpreters) {
  const std::string path = write("shared.lua", R"(
    local asked = ""
    function rule(link, argument)
      if argument == "fail" then error("x") end
      asked = asked .. argument
      return asked == link.path
    end)");
  ASSERT_EQ(load_error(path), "");
  const LoadedModule& module = *find_module("shared");
  const auto a = SharedRule::create(module, "a"), b = SharedRule::create(module, "b"),
             fails = SharedRule::create(module, "fail");
  ASSERT_TRUE(a && b && fails);
  Link link = link_of("https://example.org/");
  const auto says = [&](const SharedRule& rule, std::string_view known) {
    link.path = known;
    return rule.holds(link);
  };
  EXPECT_TRUE(says(**a, "a"));
  EXPECT_TRUE(says(**b, "ab")) << "one interpreter, whatever the arguments";
  EXPECT_FALSE(says(**fails, ""));
  EXPECT_TRUE(says(**b, "b")) << "an interpreter with an error is not used again";
  write("shared.lua", "function rule(link) return link.path == 'new' end");
  EXPECT_TRUE(*module.reload());
  EXPECT_TRUE(says(**a, "new"));
}

TEST(LuaDocs, AreWhatIsInTheTree) {
  EXPECT_EQ(testing::read_file(testing::source_path("docs/lua.md")), lua_markdown())
      << "run: caddis schema --lua > docs/lua.md";
}

}  // namespace
}  // namespace caddis::modules
