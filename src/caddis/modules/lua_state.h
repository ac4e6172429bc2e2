// A Lua interpreter with one script in it, in a sandbox: bounded in instructions, memory and time, without files, sockets,
// clocks, chance and other scripts. docs/lua.md has what scripts find (lua_api.h).
//
// Lua counts no instructions inside a call of its library, so all that could run for long there is left out or replaced:
// Lua's own patterns (RE2 in their place), finalizers, coroutines, message handlers.
//
// One thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/modules/module.h"
#include "caddis/modules/module_errors.h"

struct lua_State;
struct lua_Debug;

namespace caddis::modules {

class RegexCache;

struct LuaLimits {
  int64_t instructions = 10'000'000;        // of one call
  int64_t memory = 64 << 20;                // bytes of one interpreter
  Duration time = std::chrono::seconds(1);  // of one call
  const char* why_too_long = "it ran for too long (modules.script-time)";
};

class LuaState {
 public:
  // Runs the script's text once. An error has file and line; ErrorCode::config. `errors` hears what the script prints.
  static Result<std::unique_ptr<LuaState>> create(std::string_view text, const std::string& file_name,
                                                  const LuaLimits& limits, ModuleErrors& errors);
  ~LuaState();
  LuaState(const LuaState&) = delete;
  LuaState& operator=(const LuaState&) = delete;

  bool defines(const char* function);
  // Each fails with what Lua says of it. None of them takes what a function had no time to finish back.
  Result<bool> ask_rule(const Link& link, std::string_view arguments);
  Result<void> run_step(Page& page);
  Result<void> tell_finished(const Finished& visit, const Values& settings);
  // Functions of a policy: what they return for a link, a queue or a host.
  Result<int64_t> number_of(const char* function, const Link& link, const Values& settings);
  Result<int64_t> number_of(const char* function, const Queue& queue, const Values& settings);
  Result<std::string> group_of(std::string_view host, const Values& settings);
  // Functions of a frontier.
  Result<void> add_url(uint64_t id, const Link& link, const Values& settings);
  Result<std::optional<uint64_t>> next_url(const Values& settings);
  Result<void> tell(const char* function, std::string_view text);
  Result<std::string> text_of(const char* function);
  // The global variables `doc` and `settings` of the script.
  Result<std::string> doc();
  Result<std::vector<Setting>> settings();

  // --- for the functions that scripts call (lua_api.cc)
  static LuaState& of(lua_State* lua);
  // The objects at hand; null if a script has kept one of them for later.
  struct AtHand {
    const Link* link = nullptr;
    Page* page = nullptr;
    const Finished* visit = nullptr;
    const Queue* queue = nullptr;
    const Values* settings = nullptr;
  };
  const AtHand& at_hand() const { return at_hand_; }
  RegexCache& expressions() { return *expressions_; }
  ModuleErrors& errors() { return errors_; }
  int64_t most_memory() const { return limits_.memory; }
  // Ends the call with an error of Lua's if a limit is reached: for calls of the library that may take long.
  void check_limits(lua_State* lua);

  // --- for the console (lua_console.cc)
  // Calls `body` where Lua's errors are caught, with all limits anew.
  Result<void> protect(const std::function<void(lua_State*)>& body);
  // Inside `protect`: the thread of Lua's goes on, within its limits. Returns what lua_resume does.
  int resume(lua_State* thread, int arguments, int* results);

 private:
  LuaState(const LuaLimits& limits, ModuleErrors& errors);
  Result<void> call(const AtHand& at_hand, const std::function<void(lua_State*)>& body);
  Result<int64_t> number_of(const AtHand& at_hand, const char* function, void (*push)(lua_State*));
  static void* allocate(void* self, void* block, size_t old_size, size_t new_size);
  static void count(lua_State* lua, lua_Debug* where);
  void end_call(lua_State* lua, const char* why);

  const LuaLimits limits_;
  ModuleErrors& errors_;
  lua_State* lua_ = nullptr;
  int64_t memory_ = 0;        // in use
  int64_t instructions_ = 0;  // left of the call
  SteadyTime deadline_{};
  const char* ended_by_ = nullptr;  // the limit at which the call was ended
  AtHand at_hand_;
  std::unique_ptr<RegexCache> expressions_;
};

}  // namespace caddis::modules
