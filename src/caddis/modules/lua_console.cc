// The functions of `crawl` are rows of a table: a row says which request of the control API the function is, and which
// of its parameters stand where. A script runs as a thread of Lua's, which yields at each question.
#include "caddis/modules/lua_console.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <lua.hpp>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "caddis/base/percent.h"
#include "caddis/base/strings.h"

namespace caddis::modules {
namespace {

using Json = nlohmann::json;

struct ConsoleEntry {
  std::string_view name, arguments, doc;
  std::string_view method, path;
  std::string_view positional = {};  // parameters by their place; "/" is the last segment of the path
  std::string_view named = {};       // parameters in a table at the end
  // How the body is made of those that are by place, and are no parameters then.
  enum class Body { none, first, lines, setting } body = Body::none;
  const char* part = "";  // of the answer: a JSON pointer
};

constexpr ConsoleEntry kCrawl[] = {
    {"status", "()",
     "What the crawl is doing: a table with `state`, `documents`, `queued`, `slow_because` and all other figures of "
     "`caddis status --json`.",
     "GET", "/status"},
    {"queues", "{by=, limit=, all=, marker=}",
     "A list of queues, the largest first, or by `\"wait\"` or `\"failures\"`: each with `queue`, `queued`, `state`, "
     "`wait_seconds`, `last_fetch_seconds`, `failures` and more. With `all=true` it is a table of `queues` and a "
     "`marker`, with which the next part is asked for; an empty one ends the list.",
     "GET", "/queues", "", "by limit all marker"},
    {"host", "(host)", "All that is known of a host, its queues among it.", "GET", "/hosts/", "/"},
    {"change_host", "(host, {delay=, budget=, block=, retire=})",
     "Changes what operators say of a host, and returns it as `crawl.host` does. An empty text takes a delay or a "
     "budget back.",
     "POST", "/hosts/", "/", "delay budget block retire"},
    {"retire_queue", "(queue, retire)", "Retires a queue (`http://a.example:8080`), or calls it back (`false`).",
     "POST", "/queues", "queue retire"},
    {"wake", "{host=, marker=}", "What waits after failures is tried again now, in parts.", "POST", "/wake", "",
     "host marker"},
    {"url", "(url)", "Whether a URL is known, waits or is being visited; its sheets and its host.", "GET", "/url",
     "url"},
    {"urls", "{host=, regex=, limit=, marker=, nearest=}",
     "URLs that wait, at most `limit` (100; 10,000 are the most): a table of `urls`, each with `url`, `via`, `hops`, "
     "`seed`, `queue`, `precedence`, and a `marker`, with which the next part is asked for; an empty one ends the "
     "list.",
     "GET", "/urls", "", "host regex limit marker nearest"},
    {"add", "(urls, {seed=, force=})",
     "Adds a URL, or a list of them; no scope is asked. With `seed` they widen the scope, with `force` they are "
     "visited again. A text in "
     "braces is what the control API takes: `{\"url\": …, \"precedence\": \"first\"}`.",
     "POST", "/urls", "", "seed force", ConsoleEntry::Body::lines},
    {"delete", "{host=, regex=, dry=, marker=, nearest=}",
     "Deletes URLs that wait, in parts; with `dry` it only counts them, and then `nearest` is as for `crawl.urls`.",
     "POST", "/urls/delete", "", "host regex dry marker nearest"},
    {"visits", "{limit=}", "The visits that run, those that have run longest first, each with its step.", "GET",
     "/visits", "", "limit", ConsoleEntry::Body::none, "/visits"},
    {"reports", "()", "The reports that the crawl makes: a table of `reports`, each with `name` and `title`.", "GET",
     "/reports"},
    {"report", "(name, {limit=})",
     "A report as it is now, such as `hosts-report`: a table with `columns` and `rows`, each by the names of the "
     "columns.",
     "GET", "/reports/", "/", "limit"},
    {"write_reports", "()", "Writes all reports into the folder of the launch, now.", "POST", "/reports"},
    {"feeds", "{site=}",
     "The sites whose feeds are polled, or one of them: a list, each with `name`, `state`, `next_poll`, `items`, "
     "`feeds` and "
     "more.",
     "GET", "/feeds", "", "site", ConsoleEntry::Body::none, "/sites"},
    {"poll_feeds", "(site)", "Polls the feeds of a site now.", "POST", "/feeds/poll", "site", "",
     ConsoleEntry::Body::none, "/sites/0"},
    {"end_visit", "(url)", "Ends the visit of a URL.", "POST", "/visits/end", "url"},
    {"scope", "(url, {via=, hops=, seed=, source=})",
     "Whether a URL belongs to the crawl (`accepted`), which rule says so (`rule`, `explanation`), and what each of "
     "the `rules` says. `hops` is a letter a hop; `seed=true` asks for it as a seed.",
     "GET", "/scope", "url", "via hops seed source"},
    {"get", "(name, {url=})", "The value of a setting as a text, for a URL or a host if one is given.", "GET",
     "/settings", "name", "url", ConsoleEntry::Body::none, "/settings/0/value"},
    {"explain", "(name, {url=})",
     "A list of settings, one, a section or all: each with `value`, `doc`, `live`, and `origins`, where the value "
     "comes from.",
     "GET", "/settings", "name", "url", ConsoleEntry::Body::none, "/settings"},
    {"set", "(name, value, {sites=, sheet=, dry=})",
     "Changes a setting, for the whole crawl, for `sites` (a text or a list), or in a sheet, as `caddis settings set` "
     "does. "
     "The value is a text, a number, a boolean or a list of texts. Returns what changes.",
     "POST", "/settings", "", "sites sheet dry", ConsoleEntry::Body::setting},
    {"unset", "(name, {sites=, sheet=, dry=})", "Takes a setting back.", "POST", "/settings/unset", "",
     "sites sheet dry", ConsoleEntry::Body::first},
    {"sheets", "(name)", "The sheets, or one of them.", "GET", "/sheets", "name", "", ConsoleEntry::Body::none,
     "/sheets"},
    {"checkpoint", "(name)", "Takes a checkpoint, and returns when it is on disk.", "POST", "/checkpoint", "name"},
    {"pause", "()", "Pauses the crawl.", "POST", "/pause"},
    {"resume", "()", "Resumes the crawl.", "POST", "/resume"},
    {"stop", "()", "Stops the crawl: visits in flight end, then it ends.", "POST", "/stop"},
};

// Tables are shown as people read them, the names of their fields in order.
constexpr std::string_view kPrelude = R"(
local write, type, tostring, next, rawlen, rawget, select = ...
local sort, concat, pack, sub = table.sort, table.concat, table.pack, string.sub
local function shown(value, indent, depth)
  if type(value) ~= "table" then return tostring(value) end
  if next(value) == nil then return "{}" end
  if depth > 8 then return "..." end
  local lines, inner = {}, indent .. "  "
  if rawlen(value) > 0 then
    for i = 1, rawlen(value) do
      local item = rawget(value, i)
      local text = shown(item, inner, depth + 1)
      if type(item) == "table" and next(item) ~= nil then text = sub(text, #inner + 1) end
      lines[#lines + 1] = indent .. "- " .. text
    end
    return concat(lines, "\n")
  end
  local names = {}
  for name in next, value do names[#names + 1] = name end
  sort(names, function(a, b) return tostring(a) < tostring(b) end)
  for _, name in next, names do
    local item = rawget(value, name)
    local is_nested = type(item) == "table" and next(item) ~= nil
    lines[#lines + 1] = indent .. tostring(name) .. (is_nested and ":\n" or ": ") .. shown(item, inner, depth + 1)
  end
  return concat(lines, "\n")
end
function print(...)
  local texts = pack(...)
  for i = 1, texts.n do texts[i] = shown(texts[i], "", 1) end
  write(concat(texts, "\t", 1, texts.n) .. "\n")
end
local tell = print
-- An expression returns `mark` before its values.
local function tell_results(mark, first, ...)
  if first == mark then
    if select("#", ...) > 0 then tell(...) end
  elseif first ~= nil or select("#", ...) > 0 then
    tell(first, ...)
  end
end
return function(script)
  local mark = {}
  tell_results(mark, script(mark))
end
)";
constexpr const char* kPreludeName = "=caddis console";
constexpr const char* kRunner = "caddis runner";
constexpr const char* kThread = "caddis thread";

std::string_view text_at(lua_State* lua, int index) {
  size_t size = 0;
  const char* const text = lua_tolstring(lua, index, &size);
  return text == nullptr ? std::string_view() : std::string_view(text, size);
}

// A text, a number, a boolean, or the texts of a list with `between` between them.
std::string value_at(lua_State* lua, int index, std::string_view name, std::string_view between) {
  switch (lua_type(lua, index)) {
    case LUA_TBOOLEAN:
      return lua_toboolean(lua, index) != 0 ? "true" : "false";
    case LUA_TNUMBER:
    case LUA_TSTRING: {
      lua_pushvalue(lua, index);
      std::string text(text_at(lua, -1));
      lua_pop(lua, 1);
      return text;
    }
    case LUA_TTABLE: {
      std::string all;
      const auto count = static_cast<lua_Integer>(lua_rawlen(lua, index));
      for (lua_Integer i = 1; i <= count; ++i) {
        lua_rawgeti(lua, index, i);
        if (lua_type(lua, -1) != LUA_TSTRING)
          luaL_error(lua, "%s: a list of texts is needed", std::string(name).c_str());
        all.append(i == 1 ? "" : between).append(text_at(lua, -1));
        lua_pop(lua, 1);
      }
      return all;
    }
    default:
      luaL_error(lua, "%s: a text is needed, not %s", std::string(name).c_str(), luaL_typename(lua, index));
      return {};
  }
}

void add_parameter(std::string& target, std::string_view name, std::string_view value) {
  target += fmt::format("{}{}={}", target.contains('?') ? "&" : "?", name, percent_encoded(value));
}

// The parameters in the table at `index`.
void add_named(lua_State* lua, int index, const ConsoleEntry& entry, std::string& target) {
  for (lua_pushnil(lua); lua_next(lua, index) != 0; lua_pop(lua, 1)) {
    const std::string name(lua_type(lua, -2) == LUA_TSTRING ? text_at(lua, -2) : std::string_view("1"));
    const auto known = split(entry.named, ' ');
    if (std::ranges::find(known, name) == known.end())
      luaL_error(lua, "crawl.%s has no parameter '%s': crawl.%s%s", entry.name.data(), name.c_str(), entry.name.data(),
                 entry.arguments.data());
    add_parameter(target, name, value_at(lua, lua_gettop(lua), name, " "));
  }
}

ConsoleQuestion question_of(lua_State* lua, const ConsoleEntry& entry) {
  ConsoleQuestion question{std::string(entry.method), std::string(entry.path), {}};
  int index = 1;
  const auto next_value = [&](std::string_view name, std::string_view between) {
    if (lua_isnoneornil(lua, index)) luaL_error(lua, "write crawl.%s%s", entry.name.data(), entry.arguments.data());
    return value_at(lua, index++, name, between);
  };
  if (entry.body == ConsoleEntry::Body::first) question.body = next_value("name", "\n");
  if (entry.body == ConsoleEntry::Body::lines) question.body = next_value("urls", "\n");
  if (entry.body == ConsoleEntry::Body::setting) {
    // A list has a line for each of its items.
    const std::string name = next_value("name", " ");
    const std::string values = next_value("value", "\n");
    for (const std::string_view value : split(values, '\n')) question.body += fmt::format("{}={}\n", name, value);
  }
  for (const std::string_view name : split(entry.positional, ' ')) {
    if (name.empty()) continue;
    if (name == "/")
      question.target += percent_encoded(next_value("host", " "));
    else if (!lua_isnoneornil(lua, index) || name == "url" || name == "queue")
      add_parameter(question.target, name, next_value(name, " "));
  }
  if (lua_istable(lua, index)) {
    add_named(lua, index++, entry, question.target);
  }
  if (!lua_isnoneornil(lua, index)) luaL_error(lua, "write crawl.%s%s", entry.name.data(), entry.arguments.data());
  return question;
}

LuaConsole& console_of(lua_State* lua) { return *static_cast<LuaConsole*>(lua_touserdata(lua, lua_upvalueindex(2))); }

// Calls `body`; a C++ exception becomes an error of Lua, which is one of another type.
template <class Body>
int guarded(lua_State* lua, const Body& body) {
  try {
    return body();
  } catch (const std::exception& error) {
    lua_settop(lua, 0);
    lua_pushstring(lua, error.what());
  }
  return lua_error(lua);
}

int go_on_with_answer(lua_State* lua, int /*status*/, lua_KContext /*context*/) {
  return guarded(lua, [&] {
    console_of(lua).push_answer(lua);
    return 1;
  });
}

int ask_crawl(lua_State* lua) {
  guarded(lua, [&] {
    const auto& entry = *static_cast<const ConsoleEntry*>(lua_touserdata(lua, lua_upvalueindex(1)));
    if (lua_isyieldable(lua) == 0)
      luaL_error(lua, "crawl.%s cannot be called from here: call it before, and keep what it returns",
                 entry.name.data());
    console_of(lua).ask(question_of(lua, entry), entry.part);
    return 0;
  });
  return lua_yieldk(lua, 0, 0, go_on_with_answer);
}

int write_output(lua_State* lua) {
  return guarded(lua, [&] {
    LuaState::of(lua).check_limits(lua);
    console_of(lua).print(text_at(lua, 1));
    return 0;
  });
}

void push_json(lua_State* lua, const Json& json) {
  luaL_checkstack(lua, 8, "the answer is too deep");
  switch (json.type()) {
    case Json::value_t::object:
      lua_newtable(lua);
      for (const auto& [name, value] : json.items()) {
        lua_pushlstring(lua, name.data(), name.size());
        push_json(lua, value);
        lua_rawset(lua, -3);
      }
      return;
    case Json::value_t::array: {
      lua_createtable(lua, static_cast<int>(json.size()), 0);
      lua_Integer index = 0;
      for (const Json& item : json) {
        push_json(lua, item);
        lua_rawseti(lua, -2, ++index);
      }
      return;
    }
    case Json::value_t::string: {
      const auto& text = json.get_ref<const std::string&>();
      lua_pushlstring(lua, text.data(), text.size());
      return;
    }
    case Json::value_t::boolean:
      lua_pushboolean(lua, json.get<bool>() ? 1 : 0);
      return;
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
      lua_pushinteger(lua, json.get<lua_Integer>());
      return;
    case Json::value_t::number_float:
      lua_pushnumber(lua, json.get<double>());
      return;
    default:
      lua_pushnil(lua);
  }
}

void push_closure(lua_State* lua, const ConsoleEntry* entry, LuaConsole* console, lua_CFunction call) {
  lua_pushlightuserdata(lua, const_cast<ConsoleEntry*>(entry));
  lua_pushlightuserdata(lua, console);
  lua_pushcclosure(lua, call, 2);
}

// A place in what calls the script says nothing to people: that is where a function was called in whose place it returned.
std::string without_own_place(std::string error) {
  constexpr std::string_view kOwn = "caddis console:";
  if (!error.starts_with(kOwn)) return error;
  const size_t end = error.find(": ", kOwn.size());
  return end == std::string::npos ? error : error.substr(end + 2);
}

// The text as an expression whose value is wanted, or as it stands. Onto the stack: the function, or the error.
bool compile(lua_State* lua, std::string_view text, const std::string& name) {
  // No tail call: the line of an error would be lost.
  const std::string expression = "return ..., " + std::string(text);
  if (luaL_loadbufferx(lua, expression.data(), expression.size(), name.c_str(), "t") == LUA_OK) return true;
  lua_pop(lua, 1);
  return luaL_loadbufferx(lua, text.data(), text.size(), name.c_str(), "t") == LUA_OK;
}

}  // namespace

Result<std::unique_ptr<LuaConsole>> LuaConsole::create(const LuaLimits& limits) {
  std::unique_ptr<LuaConsole> console(new LuaConsole);
  TRY(console->state_, LuaState::create("", "console", limits, console->errors_));
  TRY_VOID(console->state_->protect([&](lua_State* lua) {
    lua_newtable(lua);
    for (const ConsoleEntry& entry : kCrawl) {
      push_closure(lua, &entry, console.get(), ask_crawl);
      lua_setfield(lua, -2, entry.name.data());
    }
    lua_setglobal(lua, "crawl");
    if (luaL_loadbufferx(lua, kPrelude.data(), kPrelude.size(), kPreludeName, "t") != LUA_OK) lua_error(lua);
    push_closure(lua, nullptr, console.get(), write_output);
    for (const char* name : {"type", "tostring", "next", "rawlen", "rawget", "select"}) lua_getglobal(lua, name);
    lua_call(lua, 7, 1);
    lua_setfield(lua, LUA_REGISTRYINDEX, kRunner);
  }));
  return console;
}

LuaConsole::~LuaConsole() = default;

std::optional<ConsoleQuestion> LuaConsole::begin(std::string_view text, const std::string& name) {
  outcome_ = {};
  const auto made = state_->protect([&](lua_State* lua) {
    if (!compile(lua, text, "=" + name)) {
      outcome_.incomplete = text_at(lua, -1).ends_with("near <eof>");
      lua_error(lua);
    }
    lua_State* const thread = lua_newthread(lua);
    lua_setfield(lua, LUA_REGISTRYINDEX, kThread);
    lua_getfield(lua, LUA_REGISTRYINDEX, kRunner);
    lua_pushvalue(lua, -2);
    lua_xmove(lua, thread, 2);
    thread_ = thread;
  });
  if (made) return go_on(1);
  end(made.error().message);
  return std::nullopt;
}

std::optional<ConsoleQuestion> LuaConsole::answer(const Result<std::string>& document) {
  answer_ = &document;
  auto question = go_on(0);
  answer_ = nullptr;
  return question;
}

std::optional<ConsoleQuestion> LuaConsole::go_on(int arguments) {
  question_.reset();
  int status = LUA_OK;
  std::string error;
  const auto done = state_->protect([&](lua_State* /*lua*/) {
    int results = 0;
    status = state_->resume(thread_, arguments, &results);
    if (status == LUA_YIELD || status == LUA_OK) {
      lua_pop(thread_, results);
      return;
    }
    error = status == LUA_ERRMEM                   ? "it needs too much memory (modules.script-memory)"
            : lua_type(thread_, -1) == LUA_TSTRING ? std::string(text_at(thread_, -1))
                                                   : fmt::format("an error that is a {}", luaL_typename(thread_, -1));
  });
  if (!done) error = done.error().message;
  if (done && status == LUA_YIELD && question_) return std::exchange(question_, std::nullopt);
  end(without_own_place(std::move(error)));
  return std::nullopt;
}

void LuaConsole::end(std::string error) {
  outcome_.error = std::move(error);
  thread_ = nullptr;
  (void)state_->protect([](lua_State* lua) {
    lua_pushnil(lua);
    lua_setfield(lua, LUA_REGISTRYINDEX, kThread);
    lua_gc(lua, LUA_GCCOLLECT);
  });
}

void LuaConsole::abandon(std::string why) { end(std::move(why)); }

void LuaConsole::ask(ConsoleQuestion question, const char* part) {
  question_ = std::move(question);
  part_ = part;
}

void LuaConsole::push_answer(lua_State* lua) {
  if (answer_ == nullptr) luaL_error(lua, "the crawl has not answered");
  if (!*answer_) {
    luaL_error(lua, "%s", answer_->error().message.c_str());
    return;
  }
  const Json document = Json::parse(**answer_, nullptr, false);
  const Json::json_pointer part(part_);
  if (!document.is_discarded() && document.contains(part))
    push_json(lua, document.at(part));
  else
    lua_pushnil(lua);
}

void LuaConsole::print(std::string_view text) {
  if (outcome_.output.size() >= kMostOutput) return;
  outcome_.output += text.substr(0, kMostOutput - outcome_.output.size());
  if (outcome_.output.size() >= kMostOutput) outcome_.output += "\n(no more is shown of what the script prints)\n";
}

// --- sessions

Result<std::shared_ptr<LuaConsole>> ConsoleSessions::open(const std::string& name, const LuaLimits& limits) {
  if (name.empty()) {
    TRY(auto made, LuaConsole::create(limits));
    return std::shared_ptr<LuaConsole>(std::move(made));
  }
  auto known = sessions_.find(name);
  if (known == sessions_.end()) {
    if (sessions_.size() >= kMost) {
      const auto oldest = std::ranges::min_element(
          sessions_, {}, [](const auto& one) { return std::pair(one.second.console->is_running(), one.second.used); });
      if (oldest->second.console->is_running())
        return fail(ErrorCode::conflict, "scripts run in all sessions of the console: wait until one has ended");
      sessions_.erase(oldest);
    }
    TRY(auto made, LuaConsole::create(limits));
    known = sessions_.emplace(name, Session{std::move(made)}).first;
  }
  if (known->second.console->is_running())
    return fail(ErrorCode::conflict, "a script runs in this session of the console: wait until it has ended");
  known->second.used = ++uses_;
  return known->second.console;
}

// --- docs/lua.md

std::string console_markdown() {
  std::string page = R"(
## The console

`caddis console COLLECTION` runs scripts inside a crawl that runs: lines from the terminal, a file, or `-e 'CODE'`
(docs/crawling.md has examples). So does a file `NAME.lua` in the action directory of the launch (docs/formats/action.md).
They find all that stands above but `link`, `page` and `visit`, and besides it

| | |
|---|---|
| `print(…)` | Shows what it is given to the operator, tables with all that is in them. |
)";
  for (const ConsoleEntry& entry : kCrawl)
    page += fmt::format("| `crawl.{}{}` | {} |\n", entry.name, entry.arguments, entry.doc);
  page += R"(
Each function of `crawl` is a call of the control API (`api/openapi.yaml` has all fields of what it returns), with the same
refusals, which are errors of the script: `pcall` catches them. The crawl goes on while a script waits for an answer, so two
answers may be of different moments. A parameter in braces may be left out, and so may the braces.

A script ends with an error if it calculates for longer than `modules.console-time` or `modules.script-instructions` between two
calls, needs more than `modules.script-memory`, asks more than 10,000 times, or takes more than a minute as a whole (a checkpoint may
take longer). A session keeps the bounds with which it began.
The crawl goes on in any case; what the script has changed until then stays changed. Every script is a line of the operator's log, as
is each change.
)";
  return page;
}

}  // namespace caddis::modules
