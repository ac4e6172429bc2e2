// All that scripts find: one table of entries for each object and library, with a function for Lua and a sentence for
// docs/lua.md. Lua is the one that was compiled as C++: its errors are exceptions, so objects on the way are destroyed.
#include "caddis/modules/lua_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <lua.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/modules/lua_console.h"
#include "caddis/modules/lua_docs.h"
#include "caddis/modules/lua_state.h"
#include "caddis/modules/regex_cache.h"

namespace caddis::modules {
namespace {

std::string_view text_of(lua_State* lua, int index) {
  size_t size = 0;
  const char* const text = luaL_checklstring(lua, index, &size);
  return {text, size};
}

void push(lua_State* lua, std::string_view text) { lua_pushlstring(lua, text.data(), text.size()); }

// --- fields of objects

template <class T>
struct FieldEntry {
  std::string_view name, doc;
  void (*push)(lua_State* lua, const T& object);
};

const FieldEntry<Link> kLinkFields[] = {
    {"url", "The URL.", [](lua_State* lua, const Link& link) { push(lua, link.url); }},
    {"scheme", "`http` or `https`.", [](lua_State* lua, const Link& link) { push(lua, link.scheme); }},
    {"host", "Its host.", [](lua_State* lua, const Link& link) { push(lua, link.host); }},
    {"path", "Its path, without the query.", [](lua_State* lua, const Link& link) { push(lua, link.path); }},
    {"hops", "The hops from the seed to it, a letter each: `LLE`; empty for seeds.",
     [](lua_State* lua, const Link& link) { push(lua, link.hops); }},
    {"via", "The page that led to it; empty for seeds.", [](lua_State* lua, const Link& link) { push(lua, link.via); }},
    {"seed", "The seed from which the links led here.", [](lua_State* lua, const Link& link) { push(lua, link.seed); }},
    {"is_seed", "Whether it is a seed.", [](lua_State* lua, const Link& link) { lua_pushboolean(lua, link.is_seed); }},
    {"status", "In guards: the status of the answer. 0 in rules of the scope.",
     [](lua_State* lua, const Link& link) { lua_pushinteger(lua, link.status); }},
    {"mime", "In guards: the type of the answer.", [](lua_State* lua, const Link& link) { push(lua, link.mime); }},
    {"length", "In guards: the bytes of the body; -1 if that is not known.",
     [](lua_State* lua, const Link& link) { lua_pushinteger(lua, link.length); }},
    {"address", "In guards: the server's address.", [](lua_State* lua, const Link& link) { push(lua, link.address); }},
};

const FieldEntry<Page> kPageFields[] = {
    {"url", "Its URL.", [](lua_State* lua, const Page& page) { push(lua, page.url()); }},
    {"host", "Its host.", [](lua_State* lua, const Page& page) { push(lua, page.host()); }},
    {"hops", "The hops from the seed to it.", [](lua_State* lua, const Page& page) { push(lua, page.hops()); }},
    {"via", "The page that led to it.", [](lua_State* lua, const Page& page) { push(lua, page.via()); }},
    {"seed", "The seed from which the links led here.",
     [](lua_State* lua, const Page& page) { push(lua, page.seed()); }},
    {"status", "The status of the answer; 0 before the fetch.",
     [](lua_State* lua, const Page& page) { lua_pushinteger(lua, page.status()); }},
    {"mime", "The type of the answer, without its parameters.",
     [](lua_State* lua, const Page& page) { push(lua, page.mime()); }},
    {"body", "The body with its codings undone, up to `extract.max-length`; empty before the step `decode`.",
     [](lua_State* lua, const Page& page) { push(lua, page.body()); }},
    {"settings", "The settings of the script that hold for this URL: `page.settings[\"max-words\"]`.",
     [](lua_State* lua, const Page& /*page*/) { push_settings(lua); }},
};

const FieldEntry<Finished> kVisitFields[] = {
    {"url", "Its URL.", [](lua_State* lua, const Finished& visit) { push(lua, visit.url); }},
    {"host", "Its host.", [](lua_State* lua, const Finished& visit) { push(lua, visit.host); }},
    {"status", "HTTP's status, or one of the negative numbers of crawl.log.",
     [](lua_State* lua, const Finished& visit) { lua_pushinteger(lua, visit.status); }},
    {"mime", "The type of the answer.", [](lua_State* lua, const Finished& visit) { push(lua, visit.mime); }},
    {"size", "The bytes received.",
     [](lua_State* lua, const Finished& visit) { lua_pushinteger(lua, static_cast<lua_Integer>(visit.size)); }},
    {"duration", "The time of the fetch in milliseconds.",
     [](lua_State* lua, const Finished& visit) { lua_pushinteger(lua, visit.duration); }},
    {"digest", "The digest of the content: `sha1:…`.",
     [](lua_State* lua, const Finished& visit) { push(lua, visit.digest); }},
    {"hops", "The hops from the seed to it.", [](lua_State* lua, const Finished& visit) { push(lua, visit.hops); }},
    {"via", "The page that led to it.", [](lua_State* lua, const Finished& visit) { push(lua, visit.via); }},
    {"seed", "The seed from which the links led here.",
     [](lua_State* lua, const Finished& visit) { push(lua, visit.seed); }},
    {"is_seed", "Whether it is a seed.",
     [](lua_State* lua, const Finished& visit) { lua_pushboolean(lua, visit.is_seed); }},
    {"is_prerequisite", "Whether it is robots.txt, the look-up of an address, or a login.",
     [](lua_State* lua, const Finished& visit) { lua_pushboolean(lua, visit.is_prerequisite); }},
};

const FieldEntry<Queue> kQueueFields[] = {
    {"origin", "Its origin: `https://example.org`.",
     [](lua_State* lua, const Queue& queue) { push(lua, queue.origin); }},
    {"host", "Its host.", [](lua_State* lua, const Queue& queue) { push(lua, queue.host); }},
    {"waiting", "URLs that wait in it.",
     [](lua_State* lua, const Queue& queue) { lua_pushinteger(lua, static_cast<lua_Integer>(queue.waiting)); }},
    {"finished", "Documents of it that are done.",
     [](lua_State* lua, const Queue& queue) { lua_pushinteger(lua, static_cast<lua_Integer>(queue.finished)); }},
};

// --- functions

struct FunctionEntry {
  std::string_view name, arguments, doc;
  lua_CFunction call;
};

Page& page_at_hand(lua_State* lua) {
  Page* const page = LuaState::of(lua).at_hand().page;
  if (page == nullptr) luaL_error(lua, "the page is gone: it can be asked while step() runs");
  return *page;
}

// Methods have their object as the first argument.
const FunctionEntry kPageMethods[] = {
    {"header", "(name)", "Returns the first field of that name in the answer; an empty text if there is none.",
     [](lua_State* lua) {
       push(lua, page_at_hand(lua).header(text_of(lua, 2)));
       return 1;
     }},
    {"add_link", "(url, hop, context)",
     "Adds a link of the page, absolute or relative to it. `hop` is `\"L\"` for a link (which is meant if nothing is "
     "said), "
     "`\"E\"` for a part of the page, `\"X\"` for a guess, `\"I\"` for an inferred one, `\"M\"` for an entry of a "
     "manifest. `context` is what metadata and logs name as its place. The "
     "step has "
     "to stand before `links`, and before `records` for the metadata record. Returns false for what is no URL that can "
     "be "
     "crawled.",
     [](lua_State* lua) {
       const std::string_view hop = luaL_optstring(lua, 3, "L");
       if (hop.size() != 1) luaL_argerror(lua, 3, "a hop is one letter");
       Page& page = page_at_hand(lua);
       lua_pushboolean(lua, page.add_link(text_of(lua, 2), hop.front(), luaL_optstring(lua, 4, "script")));
       return 1;
     }},
    {"annotate", "(text)", "Puts a word into the last column of crawl.log.",
     [](lua_State* lua) {
       page_at_hand(lua).annotate(text_of(lua, 2));
       return 0;
     }},
    {"add_metadata", "(name, value)",
     "Adds a field to the WARC metadata record. Its name has letters, digits, `-` and `_`, and is none of Caddis's "
     "own. The step has to stand before `records`.",
     [](lua_State* lua) {
       page_at_hand(lua).add_metadata(text_of(lua, 2), text_of(lua, 3));
       return 0;
     }},
    {"leave_out", "()",
     "No records are written of it, and crawl.log says `noRecords`. The step has to stand before `records`.",
     [](lua_State* lua) {
       page_at_hand(lua).leave_out();
       return 0;
     }},
};

const re2::RE2& expression_at(lua_State* lua, int index) {
  const auto compiled = LuaState::of(lua).expressions().of(text_of(lua, index));
  if (!compiled) luaL_error(lua, "%s", compiled.error().message.c_str());
  return **compiled;
}

// The groups of a match, or the whole match if there are none. Returns how many values are on the stack.
int push_groups(lua_State* lua, std::span<const re2::StringPiece> found) {
  const std::span<const re2::StringPiece> groups = found.size() == 1 ? found : found.subspan(1);
  luaL_checkstack(lua, static_cast<int>(groups.size()), "too many groups");
  for (const re2::StringPiece& group : groups) {
    if (group.data() == nullptr)
      lua_pushnil(lua);
    else
      lua_pushlstring(lua, group.data(), group.size());
  }
  return static_cast<int>(groups.size());
}

// Finds the expression in `text` from `from` on, with all its groups.
bool match_from(lua_State* lua, const re2::RE2& expression, std::string_view text, size_t from,
                std::vector<re2::StringPiece>& found) {
  LuaState::of(lua).check_limits(lua);
  found.assign(static_cast<size_t>(expression.NumberOfCapturingGroups()) + 1, {});
  const re2::StringPiece whole(text.data(), text.size());
  return expression.Match(whole, from, text.size(), re2::RE2::UNANCHORED, found.data(), static_cast<int>(found.size()));
}

int find_expression(lua_State* lua) {
  const std::string_view text = text_of(lua, 1);
  std::vector<re2::StringPiece> found;
  if (!match_from(lua, expression_at(lua, 2), text, 0, found)) {
    lua_pushnil(lua);
    return 1;
  }
  const auto begin = found.front().data() - text.data();
  lua_pushinteger(lua, begin + 1);
  lua_pushinteger(lua, begin + static_cast<lua_Integer>(found.front().size()));
  return 2;
}

int match_expression(lua_State* lua) {
  std::vector<re2::StringPiece> found;
  if (match_from(lua, expression_at(lua, 2), text_of(lua, 1), 0, found)) return push_groups(lua, found);
  lua_pushnil(lua);
  return 1;
}

int match_all(lua_State* lua) {
  const std::string_view text = text_of(lua, 1);
  const re2::RE2& expression = expression_at(lua, 2);
  lua_newtable(lua);
  std::vector<re2::StringPiece> found;
  lua_Integer count = 0;
  for (size_t from = 0; from <= text.size() && match_from(lua, expression, text, from, found);) {
    const re2::StringPiece& shown = found.size() > 1 ? found[1] : found[0];
    lua_pushlstring(lua, shown.data() == nullptr ? "" : shown.data(), shown.size());
    lua_seti(lua, -2, ++count);
    const auto end = static_cast<size_t>(found.front().data() - text.data()) + found.front().size();
    from = found.front().empty() ? end + 1 : end;
  }
  return 1;
}

int replace_all(lua_State* lua) {
  const std::string_view text = text_of(lua, 1);
  const re2::RE2& expression = expression_at(lua, 2);
  const std::string_view by = text_of(lua, 3);
  const re2::StringPiece rewrite(by.data(), by.size());
  if (std::string wrong; !expression.CheckRewriteString(rewrite, &wrong)) luaL_argerror(lua, 3, wrong.c_str());
  std::string made;
  std::vector<re2::StringPiece> found;
  size_t from = 0, copied = 0;
  while (from <= text.size() && match_from(lua, expression, text, from, found)) {
    const auto begin = static_cast<size_t>(found.front().data() - text.data());
    made += text.substr(copied, begin - copied);
    expression.Rewrite(&made, rewrite, found.data(), static_cast<int>(found.size()));
    copied = begin + found.front().size();
    from = found.front().empty() ? copied + 1 : copied;
    if (std::cmp_greater(made.size(), LuaState::of(lua).most_memory()))
      luaL_error(lua, "the text would be too long (modules.script-memory)");
  }
  made += text.substr(std::min(copied, text.size()));
  push(lua, made);
  return 1;
}

// Expressions are RE2's: the time that they take is bounded by the length of the text.
const FunctionEntry kExpressions[] = {
    {"find", "(text, expression)",
     "Returns where the expression is found first: the places of its first and last byte; or nil.", find_expression},
    {"match", "(text, expression)", "Returns what its groups have matched, or the whole match if it has none; or nil.",
     match_expression},
    {"all", "(text, expression)",
     "Returns a list of all matches: of the first group, or of the whole if there is none.", match_all},
    {"replace", "(text, expression, by)",
     "Returns the text with every match replaced; `\\1` in `by` stands for a group.", replace_all},
};

int repeat(lua_State* lua) {
  const std::string_view text = text_of(lua, 1);
  const lua_Integer times = luaL_checkinteger(lua, 2);
  const std::string_view between = luaL_optstring(lua, 3, "");
  const auto most = static_cast<lua_Integer>(LuaState::of(lua).most_memory());
  const auto piece = static_cast<lua_Integer>(text.size() + between.size());
  if (times <= 0 || piece == 0) {
    push(lua, {});
    return 1;
  }
  if (times > most / piece) luaL_error(lua, "the text would be too long (modules.script-memory)");
  luaL_Buffer buffer;
  luaL_buffinit(lua, &buffer);
  for (lua_Integer i = 0; i < times; ++i) {
    if (i > 0) luaL_addlstring(&buffer, between.data(), between.size());
    luaL_addlstring(&buffer, text.data(), text.size());
  }
  luaL_pushresult(&buffer);
  return 1;
}

// A plain text alone: Lua's own patterns may run for ever.
int find_text(lua_State* lua) {
  const std::string_view text = text_of(lua, 1);
  const std::string_view what = text_of(lua, 2);
  const lua_Integer first = luaL_optinteger(lua, 3, 1);
  const size_t from = first > 0 ? static_cast<size_t>(first - 1) : 0;
  if (from > text.size()) {
    lua_pushnil(lua);
    return 1;
  }
  LuaState::of(lua).check_limits(lua);
  // In the C library it takes no longer than both texts together, whatever they are.
  const void* const found = ::memmem(text.data() + from, text.size() - from, what.data(), what.size());
  if (found == nullptr) {
    lua_pushnil(lua);
    return 1;
  }
  const auto at = static_cast<const char*>(found) - text.data();
  lua_pushinteger(lua, at + 1);
  lua_pushinteger(lua, at + static_cast<lua_Integer>(what.size()));
  return 2;
}

const FunctionEntry kTexts[] = {
    {"find", "(text, what, from)",
     "Returns where `what` is found, as it stands there: the places of its first and last byte; or nil.", find_text},
    {"rep", "(text, times, between)", "As in Lua.", repeat},
};

// A finalizer would run without limits.
int set_metatable(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  luaL_argexpected(lua, lua_isnil(lua, 2) || lua_istable(lua, 2), 2, "nil or table");
  if (lua_istable(lua, 2)) {
    lua_pushliteral(lua, "__gc");
    if (lua_rawget(lua, 2) != LUA_TNIL) luaL_error(lua, "__gc is not there for scripts");
  }
  if (luaL_getmetafield(lua, 1, "__metatable") != LUA_TNIL) luaL_error(lua, "the metatable is protected");
  lua_settop(lua, 2);
  lua_setmetatable(lua, 1);
  return 1;
}

int print_line(lua_State* lua) {
  constexpr size_t kLongest = 500;
  std::string line;
  const int count = lua_gettop(lua);
  for (int i = 1; i <= count && line.size() < kLongest; ++i) {
    size_t size = 0;
    const char* const text = luaL_tolstring(lua, i, &size);
    line += (i == 1 ? "" : " ") + std::string(text, std::min(size, kLongest));
    lua_pop(lua, 1);
  }
  LuaState::of(lua).errors().say(line);
  return 0;
}

const FunctionEntry kGlobals[] = {
    {"print", "(…)", "Tells the people who watch the crawl: in its log, and in progress-statistics.log.", print_line},
    {"setmetatable", "(table, metatable)", "As in Lua, without `__gc`.", set_metatable},
};

// Lua's own functions on tables trust what a table says of itself, and count nothing on the way.
constexpr std::string_view kPrelude = R"(
local select, getmetatable, type, error, concat, unpack = select, getmetatable, type, error, table.concat, table.unpack
local function plain(t)
  if type(t) ~= "table" or getmetatable(t) ~= nil then error("a table without a metatable is needed", 3) end
  return t
end
function table.concat(t, ...) return concat(plain(t), ...) end
function table.unpack(t, ...) return unpack(plain(t), ...) end
local function less(a, b) return a < b end
function table.sort(t, before)
  before = before or less
  local n, from = #t, t
  local to = {}
  local width = 1
  while width < n do
    for low = 1, n, 2 * width do
      local middle, high = low + width, low + 2 * width
      if middle > n + 1 then middle = n + 1 end
      if high > n + 1 then high = n + 1 end
      local a, b = low, middle
      for i = low, high - 1 do
        if a < middle and (b >= high or not before(from[b], from[a])) then
          to[i] = from[a]
          a = a + 1
        else
          to[i] = from[b]
          b = b + 1
        end
      end
    end
    from, to = to, from == t and {} or from
    width = 2 * width
  end
  if from ~= t then
    for i = 1, n do t[i] = from[i] end
  end
end
function table.insert(t, ...)
  local n = #t
  if select('#', ...) == 1 then t[n + 1] = (...) return end
  local at, value = ...
  for i = n, at, -1 do t[i + 1] = t[i] end
  t[at] = value
end
function table.remove(t, at)
  local n = #t
  at = at or n
  local value = t[at]
  for i = at, n - 1 do t[i] = t[i + 1] end
  if n > 0 and at <= n then t[n] = nil end
  return value
end
)";

// The parts of Lua that are taken away.
struct Removed {
  const char* library;  // null: a global function
  std::string_view names[6];
};
constexpr Removed kRemoved[] = {
    {nullptr, {"dofile", "load", "loadfile", "collectgarbage", "xpcall"}},
    {"string", {"match", "gmatch", "gsub", "dump", "pack", "unpack"}},
    {"string", {"packsize"}},
    {"table", {"move"}},
    {"math", {"random", "randomseed"}},
};

// Calls the function that it stands for. A C++ exception becomes an error of Lua, which is one of another type.
int call_guarded(lua_State* lua) {
  const auto call = reinterpret_cast<lua_CFunction>(lua_touserdata(lua, lua_upvalueindex(1)));
  try {
    return call(lua);
  } catch (const std::exception& error) {
    lua_settop(lua, 0);
    lua_pushstring(lua, error.what());
  }
  return lua_error(lua);
}

void push_guarded(lua_State* lua, lua_CFunction call) {
  lua_pushlightuserdata(lua, reinterpret_cast<void*>(call));
  lua_pushcclosure(lua, call_guarded, 1);
}

void set_functions(lua_State* lua, int table, std::span<const FunctionEntry> functions) {
  for (const FunctionEntry& function : functions) {
    push(lua, function.name);
    push_guarded(lua, function.call);
    lua_settable(lua, table);
  }
}

// --- objects

template <class T>
using ObjectOf = const T* (*)(const LuaState::AtHand&);

template <class T>
const T& object_at_hand(lua_State* lua, ObjectOf<T> object_of, const char* name) {
  const T* const object = object_of(LuaState::of(lua).at_hand());
  if (object == nullptr) luaL_error(lua, "the %s is gone: it can be asked while the function runs that got it", name);
  return *object;
}

template <class T>
bool push_field(lua_State* lua, std::span<const FieldEntry<T>> fields, const T& object) {
  const std::string_view name = text_of(lua, 2);
  const auto found = std::ranges::find(fields, name, &FieldEntry<T>::name);
  if (found == fields.end()) return false;
  found->push(lua, object);
  return true;
}

int no_field(lua_State* lua, const char* object) {
  return luaL_error(lua, "a %s has no '%s' (docs/lua.md has all that it has)", object, lua_tostring(lua, 2));
}

int index_link(lua_State* lua) {
  const Link& link = object_at_hand<Link>(lua, [](const LuaState::AtHand& at_hand) { return at_hand.link; }, "link");
  return push_field<Link>(lua, kLinkFields, link) ? 1 : no_field(lua, "link");
}

int index_page(lua_State* lua) {
  if (push_field<Page>(lua, kPageFields, page_at_hand(lua))) return 1;
  const auto* const found = std::ranges::find(kPageMethods, text_of(lua, 2), &FunctionEntry::name);
  if (found == std::end(kPageMethods)) return no_field(lua, "page");
  push_guarded(lua, found->call);
  return 1;
}

int index_visit(lua_State* lua) {
  const Finished& visit =
      object_at_hand<Finished>(lua, [](const LuaState::AtHand& at_hand) { return at_hand.visit; }, "visit");
  return push_field<Finished>(lua, kVisitFields, visit) ? 1 : no_field(lua, "visit");
}

void push_list(lua_State* lua, const std::vector<std::string>& items) {
  lua_newtable(lua);
  for (const std::string& item : items) {
    push(lua, item);
    lua_seti(lua, -2, luaL_len(lua, -2) + 1);
  }
}

int index_queue(lua_State* lua) {
  const Queue& queue =
      object_at_hand<Queue>(lua, [](const LuaState::AtHand& at_hand) { return at_hand.queue; }, "queue");
  return push_field<Queue>(lua, kQueueFields, queue) ? 1 : no_field(lua, "queue");
}

int index_settings(lua_State* lua) {
  const Values& settings = object_at_hand<Values>(
      lua, [](const LuaState::AtHand& at_hand) { return at_hand.settings; }, "table of settings");
  const std::string_view name = text_of(lua, 2);
  switch (settings.kind(name)) {
    case Kind::none:
      return luaL_error(lua, "the script has no setting '%s'", lua_tostring(lua, 2));
    case Kind::flag:
      lua_pushboolean(lua, settings.flag(name));
      return 1;
    case Kind::number:
    case Kind::duration:
    case Kind::size:
      lua_pushinteger(lua, settings.number(name));
      return 1;
    case Kind::real:
      lua_pushnumber(lua, settings.real(name));
      return 1;
    case Kind::text:
      push(lua, settings.text(name));
      return 1;
    case Kind::list:
      push_list(lua, settings.list(name));
      return 1;
  }
  return 0;
}

int refuse_change(lua_State* lua) { return luaL_error(lua, "this is not to be changed"); }

// An object is one userdata for the interpreter's life: what it stands for is at hand while a function runs.
void make_object(lua_State* lua, const char* name, lua_CFunction index) {
  lua_newuserdatauv(lua, 0, 0);
  lua_createtable(lua, 0, 3);
  push_guarded(lua, index);
  lua_setfield(lua, -2, "__index");
  lua_pushcfunction(lua, refuse_change);
  lua_setfield(lua, -2, "__newindex");
  lua_pushstring(lua, name);
  lua_setfield(lua, -2, "__metatable");
  lua_setmetatable(lua, -2);
  lua_setfield(lua, LUA_REGISTRYINDEX, name);
}

constexpr const char* kLink = "caddis link";
constexpr const char* kPage = "caddis page";
constexpr const char* kVisit = "caddis visit";
constexpr const char* kQueue = "caddis queue";
constexpr const char* kSettings = "caddis settings";

void remove_parts(lua_State* lua) {
  for (const Removed& part : kRemoved) {
    if (part.library == nullptr)
      lua_pushglobaltable(lua);
    else
      lua_getglobal(lua, part.library);
    for (const std::string_view name : part.names) {
      if (name.empty()) continue;
      push(lua, name);
      lua_pushnil(lua);
      lua_settable(lua, -3);
    }
    lua_pop(lua, 1);
  }
}

}  // namespace

void open_lua_api(lua_State* lua) {
  const luaL_Reg libraries[] = {{LUA_GNAME, luaopen_base},
                                {LUA_STRLIBNAME, luaopen_string},
                                {LUA_TABLIBNAME, luaopen_table},
                                {LUA_MATHLIBNAME, luaopen_math},
                                {LUA_UTF8LIBNAME, luaopen_utf8}};
  for (const luaL_Reg& library : libraries) {
    luaL_requiref(lua, library.name, library.func, 1);
    lua_pop(lua, 1);
  }
  remove_parts(lua);
  lua_pushglobaltable(lua);
  set_functions(lua, lua_gettop(lua), kGlobals);
  lua_getglobal(lua, "string");
  set_functions(lua, lua_gettop(lua), kTexts);
  lua_newtable(lua);
  set_functions(lua, lua_gettop(lua), kExpressions);
  lua_setglobal(lua, "re");
  lua_settop(lua, 0);
  make_object(lua, kLink, index_link);
  make_object(lua, kPage, index_page);
  make_object(lua, kVisit, index_visit);
  make_object(lua, kQueue, index_queue);
  make_object(lua, kSettings, index_settings);
  // Methods of texts work by a metatable that scripts might change.
  lua_pushliteral(lua, "");
  lua_getmetatable(lua, -1);
  lua_pushliteral(lua, "string");
  lua_setfield(lua, -2, "__metatable");
  lua_settop(lua, 0);
  // Lua makes this text when it has no memory left: it is there already then.
  lua_pushliteral(lua, "error in error handling");
  lua_setfield(lua, LUA_REGISTRYINDEX, "caddis error");
  if (luaL_loadbufferx(lua, kPrelude.data(), kPrelude.size(), "=prelude", "t") != LUA_OK) lua_error(lua);
  lua_call(lua, 0, 0);
}

void push_link(lua_State* lua) { lua_getfield(lua, LUA_REGISTRYINDEX, kLink); }
void push_page(lua_State* lua) { lua_getfield(lua, LUA_REGISTRYINDEX, kPage); }
void push_finished(lua_State* lua) { lua_getfield(lua, LUA_REGISTRYINDEX, kVisit); }
void push_queue(lua_State* lua) { lua_getfield(lua, LUA_REGISTRYINDEX, kQueue); }
void push_settings(lua_State* lua) { lua_getfield(lua, LUA_REGISTRYINDEX, kSettings); }

// --- docs/lua.md

namespace {

constexpr std::string_view kIntroduction = R"(# Scripts

Written by `caddis schema --lua` from the tables in the sources; change it there.

A script is a file in Lua 5.4 that a crawl asks: as a rule of its scope or a guard, as a step of its visits, as a listener with a
report of its own, or for the order of what waits. [extending.md](extending.md) is a tutorial; this page has all that a script finds.

```yaml
modules:
  load: [/etc/caddis/calendar.lua]     # the script's name is `calendar`
scope:
  rules:
    - shorthand
    - reject module calendar
```

```lua
-- calendar.lua: calendars have no end.
function rule(link)
  return re.match(link.url, [[/\d{4}/\d{2}/\d{2}/]]) ~= nil
end
```

## Functions that a script may define

| function | when it is called |
|---|---|
| `rule(link, arguments)` | for each URL that reaches the condition `module NAME ARGUMENTS`; it returns whether the condition holds |
| `step(page)` | for each visit that reaches the step NAME of `pipeline.url` |
| `finished(visit, settings)` | for each visit that is over for good, in the order of crawl.log |
| `event(text)` | for what operators do and what befalls the crawl (CRAWL, OPERATOR, PATTERN and CHECKPOINT in progress-statistics.log, without that word: `RUNNING - Running`, `PAUSED - Paused`, `ENDED - Finished`), but for what modules say |
| `report()` | when the crawl ends; returns the text of `reports/NAME-report.txt` |
| `precedence(link, settings)` | for each URL that was found, if `frontier.policy` names the script and `frontier.order` is `module`; it returns the precedence of the URL in its queue, 0 to 62, lower ones first |
| `cost(link, settings)` | for each visit, if `frontier.cost` is `module`; it returns its cost, 0 to 1000 |
| `queue_precedence(queue, settings)` | for queues that are due, if `frontier.queues` is `module`; lower ones are visited first |
| `group(host, settings)` | if `politeness.together` is `module`; it returns the politeness group of the host, the same each time, or nil |
| `add_url(id, link, settings)`, `next_url(settings)` | if `frontier.module` names the script: a URL that is new to the crawl; the id of the URL that is next, or nil |
| `state()`, `restore(text)` | a script that counts returns what it knows as a text; it is committed with the visits it speaks of, and given back when the crawl is resumed |

The global `doc` is a sentence that tells people of the script. The global `settings` is a table of its settings, which stand in crawl.yaml,
in sheets and in `caddis schema` below the script's name: `settings = {["max-words"] = {default = 10, doc = "So many words.", min = 1}}`.
The default says what kind a setting is: number, text, boolean, or a list of texts. `doc` is a sentence of one line, with a full stop.

## Rules of the house

* A crawl has several interpreters with the same script: what a rule or a step leaves in a global variable, the next call may not find.
  `finished`, `event`, `report`, `state` and `restore` are called in one alone, and may count. So are the functions of a policy, and
  `add_url` and `next_url`, in one of their own.
* A call is bounded: `modules.script-instructions`, `modules.script-time`, `modules.script-memory`.
* An error is that of the one URL or visit at hand: the rule does not hold, the step is passed, and the log of the crawl names script,
  line and URL. After `modules.max-errors` of them the script is switched off, which is on record, too.
* A file that changes is read again within ten seconds. If the new one cannot be read, or lacks a function that the old one had, the old
  one goes on. Settings stay those of the old one until the crawl is resumed, and so does a frontier.
* A frontier that is switched off, or that hands over nothing though URLs wait and none is being visited, is asked no more: what it held
  is visited in the order in which it was found.
* `state` is called about once a second: what it returns is best kept small. A listener that is switched off writes no report.
* Scripts have no files, no sockets, no clock and no chance. There is Lua's own library without `io`, `os`, `debug`, `package`, `coroutine`,
  `load`, `xpcall`, `collectgarbage`, `table.move`, `math.random`, `string.pack` and its like, and without its patterns, whose time has no
  bound: `re` is in their place. `table.concat` and `table.unpack` take tables without a metatable.

)";

std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

template <class T>
void append_fields(std::string& page, std::string_view object, std::span<const FieldEntry<T>> fields) {
  for (const FieldEntry<T>& field : fields)
    page += fmt::format("| `{}.{}` | {} |\n", object, field.name, cell(field.doc));
}

void append_functions(std::string& page, std::string_view prefix, std::span<const FunctionEntry> functions) {
  for (const FunctionEntry& function : functions)
    page += fmt::format("| `{}{}{}` | {} |\n", prefix, function.name, function.arguments, cell(function.doc));
}

}  // namespace

std::string lua_markdown() {
  constexpr std::string_view kHead = "| | |\n|---|---|\n";
  std::string page(kIntroduction);
  page += fmt::format("## A link\n\n{}", kHead);
  append_fields<Link>(page, "link", kLinkFields);
  page += fmt::format("\n## A page\n\n{}", kHead);
  append_fields<Page>(page, "page", kPageFields);
  append_functions(page, "page:", kPageMethods);
  page += fmt::format("\n## A visit that is over\n\n{}", kHead);
  append_fields<Finished>(page, "visit", kVisitFields);
  page += fmt::format("\n## A queue\n\n{}", kHead);
  append_fields<Queue>(page, "queue", kQueueFields);
  page += fmt::format("\n## Expressions\n\nExpressions are RE2's, as in rules. They see bytes.\n\n{}", kHead);
  append_functions(page, "re.", kExpressions);
  page += fmt::format("\n## What is different in Lua's own library\n\n{}", kHead);
  append_functions(page, "", kGlobals);
  append_functions(page, "string.", kTexts);
  return page + console_markdown();
}

}  // namespace caddis::modules
