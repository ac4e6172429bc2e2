#include "caddis/url/key_notation.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/url/key_tokens.h"

namespace caddis::url {
namespace {

constexpr size_t kMostBytes = 64 * 1024;
constexpr size_t kMostSteps = 500;

std::unexpected<Error> at_word(const KeyToken& word, Error error) {
  return fail(ErrorCode::config, fmt::format("'{}' (character {}): {}", word.text, word.at + 1, error.message));
}

std::unexpected<Error> at_word(const KeyToken& word, std::string message) {
  return at_word(word, Error{ErrorCode::config, std::move(message)});
}

Result<std::vector<KeyGuard>> read_guards(const KeyToken& word) {
  std::vector<KeyGuard> guards;
  for (const std::string_view text : word.guards) {
    auto guard = KeyGuard::parse(text);
    if (!guard) return at_word(word, std::move(guard).error());
    guards.push_back(*std::move(guard));
  }
  return guards;
}

Result<KeyStep> read_step(const KeyToken& word) {
  const StepKind* const kind = find_step(word.name);
  if (kind == nullptr) return at_word(word, no_such_step(word.name).error());
  KeyStep step{.kind = kind, .plain = kind->plain != nullptr ? kind->plain->apply : nullptr, .made = {}, .guards = {}};
  TRY(step.guards, read_guards(word));
  const bool is_fixed = kind->stage == StepStage::parse || kind->stage == StepStage::write;
  if (is_fixed && !step.guards.empty()) return at_word(word, "a step that reads or writes a URL has no guards");
  if (kind->make == nullptr) {
    if (word.has_arguments) return at_word(word, fmt::format("the step '{}' has no arguments", kind->name));
    return step;
  }
  auto made = kind->make(word.arguments);
  if (!made) return at_word(word, std::move(made).error());
  step.made = *std::move(made);
  return step;
}

// Where a step that is switched on takes its place: among those of its stage, before the first that ranks behind it.
std::vector<KeyStep>::iterator place_of(std::vector<KeyStep>& steps, const StepKind* kind) {
  const auto is_of = [](StepStage stage) { return [stage](const KeyStep& step) { return step.kind->stage == stage; }; };
  const auto reader = std::ranges::find_if(steps, is_of(StepStage::parse));
  if (kind->stage == StepStage::parse) return reader;
  const auto writer = std::ranges::find_if(steps, is_of(StepStage::write));
  auto begin = reader == steps.end() ? steps.begin() : reader + 1;
  auto end = writer;
  if (kind->stage == StepStage::write) begin = std::find_if(begin, writer, is_of(StepStage::text));
  if (kind->stage == StepStage::text) {
    begin = writer == steps.end() ? writer : writer + 1;
    end = steps.end();
  }
  return std::find_if(begin, std::max(begin, end), [kind](const KeyStep& step) { return step.kind > kind; });
}

std::string names_of(const std::vector<KeyStep>& steps) {
  std::string names;
  for (const KeyStep& step : steps) names.append(names.empty() ? "" : ", ").append(step.kind->name);
  return names;
}

// "-step" takes it away; with guards it is left out where they hold. Returns the change in its normal form.
Result<std::string> switch_off(std::vector<KeyStep>& steps, const KeyToken& word) {
  const StepKind* const kind = find_step(word.name);
  if (kind == nullptr) return at_word(word, no_such_step(word.name).error());
  if (word.has_arguments) return at_word(word, "a step is switched off by its name, without arguments");
  const auto is_it = [kind](const KeyStep& step) { return step.kind == kind; };
  if (std::ranges::find_if(steps, is_it) == steps.end())
    return at_word(word, fmt::format("there is no such step in it; it has {}", names_of(steps)));
  TRY(const auto guards, read_guards(word));
  std::string written = "-" + std::string(kind->name);
  if (guards.empty()) {
    std::erase_if(steps, is_it);
    return written;
  }
  if (guards.size() > 1) return at_word(word, "one guard says where a step is left out: put ',' between its parts");
  if (kind->stage == StepStage::parse || kind->stage == StepStage::write)
    return at_word(word, "a step that reads or writes a URL has no guards");
  written += guards.front().write();
  for (KeyStep& step : steps)
    if (is_it(step)) step.guards.push_back(guards.front().negated());
  return written;
}

Result<std::string> switch_on(std::vector<KeyStep>& steps, const KeyToken& word) {
  TRY(KeyStep step, read_step(word));
  std::string written = "+" + step.write();
  steps.insert(place_of(steps, step.kind), std::move(step));
  return written;
}

size_t count_of(const std::vector<KeyStep>& steps, StepStage stage) {
  return static_cast<size_t>(std::ranges::count(steps, stage, [](const KeyStep& step) { return step.kind->stage; }));
}

Result<void> check_order(const std::vector<KeyStep>& steps) {
  const size_t readers = count_of(steps, StepStage::parse), writers = count_of(steps, StepStage::write);
  if (readers != 1 || writers != 1)
    return fail(
        ErrorCode::config,
        fmt::format("a policy has one step that parses (whatwg-parse, lenient-parse, outback-parse), and behind it "
                    "one that writes the key (write-url, write-ssurt, write-surt-key, write-host-path, "
                    "write-outback-key); these are {} and {}",
                    readers, writers));
  bool has_read = false, has_written = false;
  for (const KeyStep& step : steps) {
    const StepStage stage = step.kind->stage;
    const bool is_between = has_read && !has_written;
    const bool wants_parts = stage == StepStage::parts || stage == StepStage::write;
    if (stage == StepStage::text ? is_between : wants_parts && !is_between)
      return fail(
          ErrorCode::config,
          fmt::format("'{}' cannot stand there: steps on the text of a URL stand before the one that parses it or "
                      "behind the one that writes the key, all others between these",
                      step.kind->name));
    has_read = has_read || stage == StepStage::parse;
    has_written = has_written || stage == StepStage::write;
  }
  return {};
}

struct Label {
  std::string name;
  int version = 0;  // 0: none is named
};

Result<Label> read_label(const KeyToken& word, std::string_view text) {
  Label label;
  const size_t slash = text.find('/');
  label.name = text.substr(0, slash);
  const bool is_name = !label.name.empty() && label.name.size() <= 64 &&
                       std::ranges::all_of(label.name, [](char c) { return is_alnum(c) || c == '-' || c == '_'; });
  if (!is_name) return at_word(word, "the name of a policy has letters, digits, '-' and '_'");
  if (slash == std::string_view::npos) return label;
  const auto version = parse_int(text.substr(slash + 1));
  if (!version || *version < 1 || *version > 1'000'000)
    return at_word(word, "a version is a number, as in " + label.name + "/1");
  label.version = static_cast<int>(*version);
  return label;
}

Result<const ShippedPolicy*> shipped_policy(const KeyToken& word, const Label& label) {
  std::vector<std::string> names;
  for (const ShippedPolicy& policy : shipped_policies()) {
    names.emplace_back(policy.name);
    if (policy.name != label.name) continue;
    if (label.version == 0 || label.version == policy.version) return &policy;
    return at_word(word, fmt::format("this version of Caddis has {}/{}", policy.name, policy.version));
  }
  const std::string nearest = nearest_name(label.name, names);
  if (!nearest.empty())
    return at_word(word, fmt::format("there is no policy '{}'; did you mean '{}'?", label.name, nearest));
  return at_word(word, fmt::format("there is no policy '{}'; there are {}, and lists of your own: 'NAME/1: STEP STEP…'",
                                   label.name, fmt::join(names, ", ")));
}

Result<std::vector<KeyStep>> read_list(const std::vector<KeyToken>& words, size_t from) {
  std::vector<KeyStep> steps;
  for (size_t i = from; i < words.size(); ++i) {
    if (words[i].sign != 0)
      return at_word(words[i], "a list has steps without '+' and '-', which change a policy that ships");
    TRY(KeyStep step, read_step(words[i]));
    steps.push_back(std::move(step));
  }
  TRY_VOID(check_order(steps));
  return steps;
}

// "mine/3: step step…"
Result<ReadNotation> read_own(const std::vector<KeyToken>& words, const Label& label) {
  if (label.version == 0) return at_word(words.front(), fmt::format("a list has a version: '{}/1: …'", label.name));
  TRY(std::vector<KeyStep> steps, read_list(words, 1));
  std::string text = fmt::format("{}/{}", label.name, label.version);
  const std::string list = write_steps(steps);
  for (const ShippedPolicy& policy : shipped_policies()) {
    if (policy.name != label.name) continue;
    TRY(const ReadNotation known, read_notation(policy.name));
    if (known.label != text || write_steps(known.steps) != list)
      return at_word(words.front(),
                     fmt::format("these are not the steps of {}: give the list another name", known.label));
    return known;
  }
  return ReadNotation{text, fmt::format("{}: {}", text, list), std::move(steps)};
}

// "caddis/1 -step +step…"
Result<ReadNotation> read_changed(const std::vector<KeyToken>& words, const Label& label) {
  TRY(const ShippedPolicy* const base, shipped_policy(words.front(), label));
  TRY(const auto base_words, key_tokens(base->steps));
  TRY(std::vector<KeyStep> steps, read_list(base_words, 0));
  ReadNotation read{fmt::format("{}/{}", base->name, base->version), {}, {}};
  read.notation = read.label;
  for (size_t i = 1; i < words.size(); ++i) {
    const KeyToken& word = words[i];
    if (word.sign == 0)
      return at_word(word, "a step behind the name of a policy is switched on with '+' or off with '-'");
    TRY(const std::string change, word.sign == '+' ? switch_on(steps, word) : switch_off(steps, word));
    read.notation.append(" ").append(change);
  }
  TRY_VOID(check_order(steps));
  read.steps = std::move(steps);
  return read;
}

}  // namespace

const std::vector<ShippedPolicy>& shipped_policies() {
  static const std::vector<ShippedPolicy> kPolicies = {
      {"caddis", 1, "whatwg-parse strip-fragment strip-userinfo strip-session-ids strip-empty-query write-url"},
      {"exact", 1, "whatwg-parse strip-fragment write-url"},
      {"heritrix", 1,
       "whatwg-parse strip-fragment write-url lowercase heritrix-strip-userinfo heritrix-strip-wwwn "
       "heritrix-strip-session-ids heritrix-strip-cfids fixup-query"},
      {"ia-surt", 1,
       "lenient-parse strip-fragment unescape-repeatedly normalize-host-idna2003 normalize-path escape strip-userinfo "
       "strip-default-port strip-www-n lowercase-parts strip-path-session-ids strip-trailing-slash "
       "strip-query-session-ids sort-query write-surt-key"},
      {"ssurt", 1, "whatwg-parse strip-fragment write-ssurt"},
      {"owb-aggressive", 1,
       "lowercase heritrix-strip-session-ids heritrix-strip-cfids fixup-query lenient-parse strip-fragment "
       "normalize-host-idna2003 normalize-path normalize-escapes strip-userinfo strip-default-port strip-www-n "
       "lowercase-parts strip-path-session-ids strip-extra-slashes strip-empty-query blank-to-plus write-host-path"},
      {"semantic", 1,
       "whatwg-parse strip-fragment normalize-escapes strip-userinfo strip-extra-slashes sort-query write-url"},
      {"outback", 1,
       "outback-parse strip-fragment strip-userinfo strip-default-port lowercase-unicode outback-host strip-www-n "
       "outback-query outback-escapes outback-path outback-session-ids write-outback-key"},
  };
  return kPolicies;
}

std::string write_steps(const std::vector<KeyStep>& steps) {
  std::string out;
  for (const KeyStep& step : steps) out.append(out.empty() ? "" : " ").append(step.write());
  return out;
}

Result<ReadNotation> read_notation(std::string_view notation) {
  if (notation.size() > kMostBytes) return fail(ErrorCode::config, "it is longer than 64 KB");
  TRY(const std::vector<KeyToken> words, key_tokens(notation));
  if (words.empty()) return fail(ErrorCode::config, "it is empty; write the name of a policy, as in 'caddis/1'");
  if (words.size() > kMostSteps) return fail(ErrorCode::config, fmt::format("it has more than {} words", kMostSteps));
  const KeyToken& first = words.front();
  const bool is_list = first.text.ends_with(':');
  TRY(const Label label, read_label(first, first.text.substr(0, first.text.size() - (is_list ? 1 : 0))));
  return is_list ? read_own(words, label) : read_changed(words, label);
}

}  // namespace caddis::url
