// The condition of a rule: a question that can be asked of a candidate.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/scope/candidate.h"
#include "caddis/scope/scope_settings.h"
#include "caddis/scope/seed_book.h"

namespace caddis::scope {

// A number of the candidate; nothing if it is not known.
using Measure = std::optional<int64_t> (*)(const Candidate&);

// The condition "> N", plain, for who asks many of them in a row: the number is greater than `bound`.
struct GreaterThan {
  Measure measure = nullptr;
  int64_t bound = 0;
};

// Immutable, any thread.
class Condition {
 public:
  virtual ~Condition() = default;
  // Returns what it found, which may be empty; nothing if it does not hold. The view lives as long as the condition,
  // the candidate and the seeds.
  virtual std::optional<std::string_view> match(const Candidate& candidate, const SeedBook& seeds) const = 0;
  // A sentence for people who ask why it holds, or why not (nothing was found): "21 hops from the seed".
  virtual std::string explain(const Candidate& candidate, std::optional<std::string_view> found) const = 0;
  // The kind by which it looks for seeds, if it does.
  virtual std::optional<ScopeKind> seed_kind() const { return {}; }
  // Says the same as `match`, which then finds nothing to name, if the condition is of that form.
  virtual std::optional<GreaterThan> greater_than() const { return {}; }
};

enum class Verdict : uint8_t { none, accept, reject };

// Reads a file that a rule names.
using ReadFile = std::function<Result<std::string>(const std::string& path)>;

// The part of a rule behind the name of its condition.
struct Arguments {
  std::string_view text;  // trimmed
  Verdict verdict;        // of the rule: lists with signs have lines for the one and for the other
  const ReadFile& read;

  // The words of the text. "@path" stands for the lines of a file, without blank ones and comments, which begin with
  // "#".
  Result<std::vector<std::string>> items() const;
  // The same of a text that is one expression, or "@path". One with a blank is refused: it would be found nowhere.
  Result<std::vector<std::string>> patterns() const;
};

using MadeCondition = Result<std::unique_ptr<const Condition>>;

}  // namespace caddis::scope
