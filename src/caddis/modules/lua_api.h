// All that a script finds besides Lua itself, as tables: the interpreter is filled from them, and docs/lua.md is written
// from them. Internal to modules.
#pragma once

#include <string>

struct lua_State;

namespace caddis::modules {

// Fills a new interpreter; may fail with an error of Lua's.
void open_lua_api(lua_State* lua);

// The objects of the call at hand onto the stack.
void push_link(lua_State* lua);
void push_page(lua_State* lua);
void push_finished(lua_State* lua);
void push_queue(lua_State* lua);
void push_settings(lua_State* lua);

}  // namespace caddis::modules
