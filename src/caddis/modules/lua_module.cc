// A script is held as text; each step and listener has an interpreter of its own, made when it is first needed and made
// again when the text has changed. Rules share theirs: a thread that asks takes one, so there are as many as threads ask
// at the same time, one for each lane, however many rules name the script.
#include "caddis/modules/lua_module.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "caddis/io/files.h"

namespace caddis::modules {
namespace {

constexpr size_t kLargest = 1 << 20;  // of a script
constexpr std::array kListenerFunctions = {"finished", "event", "report"};
constexpr std::array kPolicyFunctions = {"precedence", "cost", "queue_precedence", "group"};
constexpr std::array kFrontierFunctions = {"add_url", "next_url"};

// The limits of interpreters that are made from now on. Any thread.
struct ProcessLimits {
  std::mutex mutex;
  LuaLimits limits;
};

ProcessLimits& process_limits() {
  static ProcessLimits made;
  return made;
}

LuaLimits present_limits() {
  ProcessLimits& all = process_limits();
  const std::lock_guard lock(all.mutex);
  return all.limits;
}

// The text of a script, which may be replaced by a newer one. Any thread.
class Script {
 public:
  Script(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {}

  const std::string& path() const { return path_; }
  uint64_t version() const { return version_.load(std::memory_order_acquire); }
  Result<std::unique_ptr<LuaState>> interpreter(ModuleErrors& heard_by) {
    std::string text;
    {
      const std::lock_guard lock(mutex_);
      text = text_;
    }
    return LuaState::create(text, std::string(io::base_name(path_)), present_limits(), heard_by);
  }
  // Returns whether the file says something else now, and that can be used in the place of what there was. An error is
  // returned once, however often it is asked.
  Result<bool> reload() {
    auto read = io::real_files().read_all(path_, kLargest);
    {
      const std::lock_guard lock(mutex_);
      if (!read) {
        if (std::exchange(is_missing_, true)) return false;
        return std::unexpected(std::move(read).error());
      }
      is_missing_ = false;
      if (*read == text_ || *read == refused_) return false;
    }
    std::string text = *std::move(read);
    if (auto usable = check(text); !usable) {
      const std::lock_guard lock(mutex_);
      refused_ = std::move(text);
      return std::unexpected(std::move(usable).error());
    }
    const std::lock_guard lock(mutex_);
    text_ = std::move(text);
    version_.fetch_add(1, std::memory_order_release);
    return true;
  }
  // An interpreter of the present text, for one question. Who has not harmed it gives it back.
  struct Lent {
    std::unique_ptr<LuaState> state;
    uint64_t version = 0;
  };
  Result<Lent> lend() {
    Lent lent;
    {
      const std::lock_guard lock(mutex_);
      lent.version = version_.load(std::memory_order_relaxed);
      std::erase_if(idle_, [&](const Lent& one) { return one.version != lent.version; });
      if (!idle_.empty()) {
        lent = std::move(idle_.back());
        idle_.pop_back();
        return lent;
      }
    }
    TRY(lent.state, interpreter(*errors));
    return lent;
  }
  void give_back(Lent lent) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(lent));
  }
  // Functions that a newer text has to define, too.
  std::vector<const char*> functions;
  // The module's; set before anything is called.
  ModuleErrors* errors = nullptr;

 private:
  Result<void> check(const std::string& text) const {
    TRY(const auto state, LuaState::create(text, std::string(io::base_name(path_)), present_limits(), *errors));
    for (const char* function : functions)
      if (!state->defines(function))
        return fail(ErrorCode::config, fmt::format("the changed file defines no function '{}' any more", function));
    return {};
  }

  const std::string path_;
  std::mutex mutex_;
  std::string text_, refused_;
  std::vector<Lent> idle_;
  bool is_missing_ = false;  // and that was told
  std::atomic<uint64_t> version_ = 1;
};

template <class T>
T or_throw(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

// An interpreter that follows its script.
class Interpreter {
 public:
  explicit Interpreter(std::shared_ptr<Script> script) : script_(std::move(script)) {}
  // Throws what is wrong with the script.
  LuaState& get() {
    const uint64_t version = script_->version();
    if (state_ == nullptr || version_ != version) {
      state_ = or_throw(script_->interpreter(*script_->errors));
      version_ = version;
    }
    return *state_;
  }

 private:
  const std::shared_ptr<Script> script_;
  std::unique_ptr<LuaState> state_;
  uint64_t version_ = 0;
};

class LuaRule final : public Rule {
 public:
  LuaRule(std::shared_ptr<Script> script, std::string_view arguments)
      : script_(std::move(script)), arguments_(arguments) {}
  bool holds(const Link& link) override {
    Script::Lent lent = or_throw(script_->lend());
    // After an error it may be in any state: it goes.
    const bool answer = or_throw(lent.state->ask_rule(link, arguments_));
    script_->give_back(std::move(lent));
    return answer;
  }

 private:
  const std::shared_ptr<Script> script_;
  const std::string arguments_;
};

class LuaStep final : public Step {
 public:
  explicit LuaStep(std::shared_ptr<Script> script) : interpreter_(std::move(script)) {}
  void run(Page& page) override { or_throw(interpreter_.get().run_step(page)); }

 private:
  Interpreter interpreter_;
};

class LuaListener final : public Listener {
 public:
  LuaListener(std::shared_ptr<Script> script, const Values& settings)
      : script_(std::move(script)), settings_(settings) {}
  void finished(const Finished& visit) override {
    if (LuaState& state = current(); hears_finished_) or_throw(state.tell_finished(visit, settings_));
  }
  void event(std::string_view what) override {
    if (LuaState& state = current(); state.defines("event")) or_throw(state.tell("event", what));
  }
  std::string report() override {
    LuaState& state = current();
    return state.defines("report") ? or_throw(state.text_of("report")) : std::string();
  }
  std::string state() override {
    LuaState& state = current();
    return state.defines("state") ? or_throw(state.text_of("state")) : std::string();
  }
  void restore(std::string_view text) override {
    if (LuaState& state = current(); state.defines("restore")) or_throw(state.tell("restore", text));
  }

 private:
  // The interpreter of a changed script begins with what the former one knew; the former one stays if that fails.
  LuaState& current() {
    const uint64_t version = script_->version();
    if (state_ != nullptr && version_ == version) return *state_;
    auto made = or_throw(script_->interpreter(*script_->errors));
    if (state_ != nullptr && state_->defines("state") && made->defines("restore")) {
      const std::string known = or_throw(state_->text_of("state"));
      if (!known.empty()) or_throw(made->tell("restore", known));
    }
    state_ = std::move(made);
    version_ = version;
    hears_finished_ = state_->defines("finished");
    return *state_;
  }

  const std::shared_ptr<Script> script_;
  const Values& settings_;
  std::unique_ptr<LuaState> state_;
  uint64_t version_ = 0;
  bool hears_finished_ = false;
};

class LuaPolicy final : public Policy {
 public:
  LuaPolicy(std::shared_ptr<Script> script, const Values& settings)
      : interpreter_(std::move(script)), settings_(settings) {}
  int precedence(const Link& url) override { return number("precedence", url, Policy::precedence(url)); }
  int cost(const Link& url) override { return number("cost", url, Policy::cost(url)); }
  uint32_t queue_precedence(const Queue& queue) override {
    LuaState& state = interpreter_.get();
    if (!state.defines("queue_precedence")) return Policy::queue_precedence(queue);
    const int64_t number = or_throw(state.number_of("queue_precedence", queue, settings_));
    if (!std::in_range<uint32_t>(number)) throw std::out_of_range("queue_precedence() is below 0 or above 2^32 - 1");
    return static_cast<uint32_t>(number);
  }
  std::string group(std::string_view host) override {
    LuaState& state = interpreter_.get();
    return state.defines("group") ? or_throw(state.group_of(host, settings_)) : Policy::group(host);
  }

 private:
  int number(const char* function, const Link& url, int otherwise) {
    LuaState& state = interpreter_.get();
    if (!state.defines(function)) return otherwise;
    const int64_t number = or_throw(state.number_of(function, url, settings_));
    if (!std::in_range<int>(number)) throw std::out_of_range(fmt::format("{}() is {}", function, number));
    return static_cast<int>(number);
  }

  Interpreter interpreter_;
  const Values& settings_;
};

// Its URLs are in one interpreter, which stays though the script changes.
class LuaFrontier final : public Frontier {
 public:
  LuaFrontier(Script& script, const Values& settings)
      : state_(or_throw(script.interpreter(*script.errors))), settings_(settings) {}
  void add(uint64_t id, const Link& url) override { or_throw(state_->add_url(id, url, settings_)); }
  std::optional<uint64_t> next() override { return or_throw(state_->next_url(settings_)); }

 private:
  std::unique_ptr<LuaState> state_;
  const Values& settings_;
};

// The functions of that list that the script defines; a newer text has to define them, too.
bool defines_any(Script& script, LuaState& state, std::span<const char* const> functions) {
  bool any = false;
  for (const char* function : functions) {
    if (!state.defines(function)) continue;
    script.functions.push_back(function);
    any = true;
  }
  return any;
}

Result<Description> describe(const std::shared_ptr<Script>& script, LuaState& state) {
  Description description;
  const std::string_view file = io::base_name(script->path());
  description.name = file.substr(0, file.size() - std::string_view(".lua").size());
  TRY(description.doc, state.doc());
  if (description.doc.empty()) description.doc = fmt::format("The script {}.", script->path());
  TRY(description.settings, state.settings());
  if (state.defines("rule")) {
    script->functions.push_back("rule");
    description.make_rule = [script](std::string_view arguments) {
      return std::make_unique<LuaRule>(script, arguments);
    };
  }
  if (state.defines("step")) {
    script->functions.push_back("step");
    description.make_step = [script] { return std::make_unique<LuaStep>(script); };
  }
  if (defines_any(*script, state, kListenerFunctions))
    description.make_listener = [script](const Values& settings) {
      return std::make_unique<LuaListener>(script, settings);
    };
  if (defines_any(*script, state, kPolicyFunctions))
    description.make_policy = [script](const Values& settings) {
      return std::make_unique<LuaPolicy>(script, settings);
    };
  if (state.defines("add_url") != state.defines("next_url"))
    return fail(ErrorCode::config, "a frontier needs both functions, add_url and next_url");
  if (defines_any(*script, state, kFrontierFunctions))
    description.make_frontier = [script](const Values& settings) {
      return std::make_unique<LuaFrontier>(*script, settings);
    };
  if (script->functions.empty())
    return fail(ErrorCode::config,
                "it defines no function that Caddis calls: rule, step, finished, event, report, "
                "precedence, cost, queue_precedence, group, or add_url and next_url");
  return description;
}

}  // namespace

void set_lua_limits(const LuaLimits& limits) {
  ProcessLimits& all = process_limits();
  const std::lock_guard lock(all.mutex);
  all.limits = limits;
}

Result<std::vector<std::unique_ptr<LoadedModule>>> load_lua_module(const std::string& path) {
  TRY(std::string text, io::real_files().read_all(path, kLargest));
  auto script = std::make_shared<Script>(path, std::move(text));
  ModuleErrors while_loading(path);
  TRY(const auto state, script->interpreter(while_loading));
  TRY(Description description, describe(script, *state));
  TRY(auto module, LoadedModule::create(std::move(description), path, [script] { return script->reload(); }));
  script->errors = &module->errors();
  std::vector<std::unique_ptr<LoadedModule>> modules;
  modules.push_back(std::move(module));
  return modules;
}

}  // namespace caddis::modules
