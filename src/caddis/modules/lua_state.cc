// Everything that may raise an error of Lua's runs inside `protect`. The limits are looked at by a hook, each hundred
// instructions, and by the calls of the library that may take long.
#include "caddis/modules/lua_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <lua.hpp>
#include <utility>

#include "caddis/modules/lua_api.h"
#include "caddis/modules/regex_cache.h"

namespace caddis::modules {
namespace {

constexpr int kCountEvery = 100;  // instructions between two looks at the limits

using Body = std::function<void(lua_State*)>;

int call_body(lua_State* lua) {
  (*static_cast<const Body*>(lua_touserdata(lua, 1)))(lua);
  return 0;
}

// The error on top of the stack. Only a string can be read without a call that may fail itself.
std::string message_of(lua_State* lua) {
  if (lua_type(lua, -1) != LUA_TSTRING) return fmt::format("an error that is a {}", luaL_typename(lua, -1));
  size_t size = 0;
  const char* const text = lua_tolstring(lua, -1, &size);
  return {text, size};
}

std::string text_at(lua_State* lua, int index) {
  size_t size = 0;
  const char* const text = lua_tolstring(lua, index, &size);
  return text == nullptr ? std::string() : std::string(text, size);
}

// The function of that name onto the stack.
void push_function(lua_State* lua, const char* name) {
  if (lua_getglobal(lua, name) != LUA_TFUNCTION) luaL_error(lua, "there is no function '%s'", name);
}

// The value at `index` as people would write it in crawl.yaml, and its kind.
void read_default(lua_State* lua, int index, const char* name, Setting& into) {
  switch (lua_type(lua, index)) {
    case LUA_TBOOLEAN:
      into.kind = Kind::flag;
      into.default_value = lua_toboolean(lua, index) != 0 ? "true" : "false";
      return;
    case LUA_TNUMBER:
      into.kind = lua_isinteger(lua, index) != 0 ? Kind::number : Kind::real;
      into.default_value = into.kind == Kind::number ? fmt::format("{}", lua_tointeger(lua, index))
                                                     : fmt::format("{}", lua_tonumber(lua, index));
      return;
    case LUA_TSTRING:
      into.kind = Kind::text;
      into.default_value = text_at(lua, index);
      return;
    case LUA_TTABLE:
      into.kind = Kind::list;
      for (lua_Integer i = 1; lua_rawgeti(lua, index, i) == LUA_TSTRING; ++i) {
        into.default_value += (i == 1 ? "" : "\n") + text_at(lua, -1);
        lua_pop(lua, 1);
      }
      lua_pop(lua, 1);
      return;
    default:
      luaL_error(lua, "settings: '%s' needs a default: a number, a text, a boolean or a list of texts", name);
  }
}

std::string bound_at(lua_State* lua, int table, const char* name) {
  const int type = lua_getfield(lua, table, name);
  std::string bound = type == LUA_TNUMBER || type == LUA_TSTRING ? text_at(lua, -1) : std::string();
  lua_pop(lua, 1);
  return bound;
}

Setting read_setting(lua_State* lua, const char* name, int table) {
  if (lua_type(lua, table) != LUA_TTABLE)
    luaL_error(lua, "settings: '%s' needs a table such as {default = 3, doc = \"So many.\"}", name);
  Setting setting;
  setting.name = name;
  lua_getfield(lua, table, "default");
  read_default(lua, lua_gettop(lua), name, setting);
  lua_pop(lua, 1);
  setting.doc = bound_at(lua, table, "doc");
  setting.min = bound_at(lua, table, "min");
  setting.max = bound_at(lua, table, "max");
  return setting;
}

}  // namespace

LuaState::LuaState(const LuaLimits& limits, ModuleErrors& errors)
    : limits_(limits), errors_(errors), expressions_(std::make_unique<RegexCache>()) {}

LuaState::~LuaState() {
  if (lua_ != nullptr) lua_close(lua_);
}

LuaState& LuaState::of(lua_State* lua) { return **static_cast<LuaState**>(lua_getextraspace(lua)); }

Result<std::unique_ptr<LuaState>> LuaState::create(std::string_view text, const std::string& file_name,
                                                   const LuaLimits& limits, ModuleErrors& errors) {
  std::unique_ptr<LuaState> state(new LuaState(limits, errors));
  state->lua_ = lua_newstate(allocate, state.get());
  if (state->lua_ == nullptr) return fail(ErrorCode::config, "there is no memory for a Lua interpreter");
  *static_cast<LuaState**>(lua_getextraspace(state->lua_)) = state.get();
  TRY_VOID(state->protect([&](lua_State* lua) {
    open_lua_api(lua);
    // Text alone: what is compiled already is not checked by Lua.
    if (luaL_loadbufferx(lua, text.data(), text.size(), ("@" + file_name).c_str(), "t") != LUA_OK) lua_error(lua);
    lua_call(lua, 0, 0);
  }));
  return state;
}

void* LuaState::allocate(void* self, void* block, size_t old_size, size_t new_size) {
  auto& state = *static_cast<LuaState*>(self);
  // The old size of a new block is a type.
  const auto before = block == nullptr ? 0 : static_cast<int64_t>(old_size);
  const int64_t after = state.memory_ - before + static_cast<int64_t>(new_size);
  if (new_size == 0) {
    std::free(block);
    state.memory_ = after;
    return nullptr;
  }
  if (static_cast<int64_t>(new_size) > before && after > state.limits_.memory) return nullptr;
  void* const made = std::realloc(block, new_size);
  if (made != nullptr) state.memory_ = after;
  return made;
}

void LuaState::count(lua_State* lua, lua_Debug* /*where*/) {
  LuaState& state = of(lua);
  state.instructions_ -= kCountEvery;
  state.check_limits(lua);
}

void LuaState::check_limits(lua_State* lua) {
  // A script that has caught the error cannot go on.
  if (ended_by_ != nullptr) end_call(lua, ended_by_);
  if (instructions_ <= 0) end_call(lua, "it ran for too many instructions (modules.script-instructions)");
  if (system_clock().steady() > deadline_) end_call(lua, limits_.why_too_long);
}

void LuaState::end_call(lua_State* lua, const char* why) {
  // From here on each instruction ends the call.
  lua_sethook(lua, count, LUA_MASKCOUNT, 1);
  ended_by_ = why;
  luaL_where(lua, 0);
  if (lua_tostring(lua, -1)[0] == '\0') {
    lua_pop(lua, 1);
    luaL_where(lua, 1);
  }
  lua_pushstring(lua, why);
  lua_concat(lua, 2);
  lua_error(lua);
}

int LuaState::resume(lua_State* thread, int arguments, int* results) {
  lua_sethook(thread, count, LUA_MASKCOUNT, kCountEvery);
  return lua_resume(thread, lua_, arguments, results);
}

Result<void> LuaState::protect(const Body& body) {
  instructions_ = limits_.instructions;
  ended_by_ = nullptr;
  deadline_ = system_clock().steady() + limits_.time;
  lua_sethook(lua_, count, LUA_MASKCOUNT, kCountEvery);
  lua_pushcfunction(lua_, call_body);
  lua_pushlightuserdata(lua_, const_cast<Body*>(&body));
  const int outcome = lua_pcall(lua_, 1, 0, 0);
  if (outcome == LUA_OK) return {};
  std::string message =
      outcome == LUA_ERRMEM ? std::string("it needs too much memory (modules.script-memory)") : message_of(lua_);
  lua_settop(lua_, 0);
  return fail(ErrorCode::config, std::move(message));
}

Result<void> LuaState::call(const AtHand& at_hand, const Body& body) {
  at_hand_ = at_hand;
  auto done = protect(body);
  at_hand_ = {};
  return done;
}

bool LuaState::defines(const char* function) {
  bool is_defined = false;
  const auto looked = protect([&](lua_State* lua) { is_defined = lua_getglobal(lua, function) == LUA_TFUNCTION; });
  return looked.has_value() && is_defined;
}

Result<bool> LuaState::ask_rule(const Link& link, std::string_view arguments) {
  bool holds = false;
  TRY_VOID(call({.link = &link}, [&](lua_State* lua) {
    push_function(lua, "rule");
    push_link(lua);
    lua_pushlstring(lua, arguments.data(), arguments.size());
    lua_call(lua, 2, 1);
    holds = lua_toboolean(lua, -1) != 0;
  }));
  return holds;
}

Result<void> LuaState::run_step(Page& page) {
  return call({.page = &page, .settings = &page.settings()}, [](lua_State* lua) {
    push_function(lua, "step");
    push_page(lua);
    lua_call(lua, 1, 0);
  });
}

Result<void> LuaState::tell_finished(const Finished& visit, const Values& settings) {
  return call({.visit = &visit, .settings = &settings}, [](lua_State* lua) {
    push_function(lua, "finished");
    push_finished(lua);
    push_settings(lua);
    lua_call(lua, 2, 0);
  });
}

Result<int64_t> LuaState::number_of(const char* function, const Link& link, const Values& settings) {
  return number_of({.link = &link, .settings = &settings}, function, push_link);
}

Result<int64_t> LuaState::number_of(const char* function, const Queue& queue, const Values& settings) {
  return number_of({.queue = &queue, .settings = &settings}, function, push_queue);
}

Result<int64_t> LuaState::number_of(const AtHand& at_hand, const char* function, void (*push)(lua_State*)) {
  int64_t number = 0;
  TRY_VOID(call(at_hand, [&](lua_State* lua) {
    push_function(lua, function);
    push(lua);
    push_settings(lua);
    lua_call(lua, 2, 1);
    if (lua_isinteger(lua, -1) == 0) luaL_error(lua, "%s() returned no whole number", function);
    number = lua_tointeger(lua, -1);
  }));
  return number;
}

Result<std::string> LuaState::group_of(std::string_view host, const Values& settings) {
  std::string group;
  TRY_VOID(call({.settings = &settings}, [&](lua_State* lua) {
    push_function(lua, "group");
    lua_pushlstring(lua, host.data(), host.size());
    push_settings(lua);
    lua_call(lua, 2, 1);
    if (lua_isnil(lua, -1)) return;
    if (lua_type(lua, -1) != LUA_TSTRING) luaL_error(lua, "group() returned neither a text nor nil");
    group = text_at(lua, -1);
  }));
  return group;
}

Result<void> LuaState::add_url(uint64_t id, const Link& link, const Values& settings) {
  return call({.link = &link, .settings = &settings}, [&](lua_State* lua) {
    push_function(lua, "add_url");
    lua_pushinteger(lua, static_cast<lua_Integer>(id));
    push_link(lua);
    push_settings(lua);
    lua_call(lua, 3, 0);
  });
}

Result<std::optional<uint64_t>> LuaState::next_url(const Values& settings) {
  std::optional<uint64_t> id;
  TRY_VOID(call({.settings = &settings}, [&](lua_State* lua) {
    push_function(lua, "next_url");
    push_settings(lua);
    lua_call(lua, 1, 1);
    if (lua_isnil(lua, -1)) return;
    if (lua_isinteger(lua, -1) == 0) luaL_error(lua, "next_url() returned neither a number of add_url nor nil");
    id = static_cast<uint64_t>(lua_tointeger(lua, -1));
  }));
  return id;
}

Result<void> LuaState::tell(const char* function, std::string_view text) {
  return call({}, [&](lua_State* lua) {
    push_function(lua, function);
    lua_pushlstring(lua, text.data(), text.size());
    lua_call(lua, 1, 0);
  });
}

Result<std::string> LuaState::text_of(const char* function) {
  std::string text;
  TRY_VOID(call({}, [&](lua_State* lua) {
    push_function(lua, function);
    lua_call(lua, 0, 1);
    if (lua_type(lua, -1) != LUA_TSTRING) luaL_error(lua, "%s() returned no text", function);
    text = text_at(lua, -1);
  }));
  return text;
}

Result<std::string> LuaState::doc() {
  std::string text;
  TRY_VOID(protect([&](lua_State* lua) {
    if (lua_getglobal(lua, "doc") == LUA_TSTRING) text = text_at(lua, -1);
  }));
  return text;
}

Result<std::vector<Setting>> LuaState::settings() {
  std::vector<Setting> settings;
  TRY_VOID(protect([&](lua_State* lua) {
    if (lua_getglobal(lua, "settings") != LUA_TTABLE) return;
    const int table = lua_gettop(lua);
    for (lua_pushnil(lua); lua_next(lua, table) != 0; lua_pop(lua, 1)) {
      if (lua_type(lua, -2) != LUA_TSTRING) luaL_error(lua, "settings: each needs a name");
      settings.push_back(read_setting(lua, lua_tostring(lua, -2), lua_gettop(lua)));
    }
  }));
  std::ranges::sort(settings, {}, &Setting::name);
  return settings;
}

}  // namespace caddis::modules
