#include "caddis/metrics/exposition.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "caddis/base/strings.h"

namespace caddis::metrics {
namespace {

// Within quotation marks.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out;
}

std::string number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  constexpr double kExact = 9007199254740992;  // integers up to here are exact
  if (value == std::floor(value) && std::abs(value) < kExact) return fmt::format("{:.0f}", value);
  return fmt::format("{}", value);
}

bool is_name_part(char c) { return is_alnum(c) || c == '_' || c == ':'; }

// The name that a text begins with; empty if there is none.
std::string_view name_at(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && is_name_part(text[end])) ++end;
  return end == 0 || is_digit(text[0]) ? std::string_view() : text.substr(0, end);
}

// The place of the brace that closes the labels, which begin behind `text[0]`; npos if none does.
size_t end_of_labels(std::string_view text) {
  bool quoted = false;
  for (size_t i = 1; i < text.size(); ++i) {
    if (quoted && text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      quoted = !quoted;
    else if (!quoted && text[i] == '}')
      return i;
  }
  return std::string_view::npos;
}

struct Sample {
  std::string_view name, labels, value;
};

bool is_number(std::string_view text) {
  if (text == "NaN" || text == "+Inf" || text == "-Inf") return true;
  bool digit = false;
  for (const char c : text) {
    if (is_digit(c))
      digit = true;
    else if (std::string_view("+-.eE").find(c) == std::string_view::npos)
      return false;
  }
  return digit;
}

std::optional<Sample> parse_sample(std::string_view line) {
  Sample sample;
  sample.name = name_at(line);
  if (sample.name.empty()) return std::nullopt;
  line.remove_prefix(sample.name.size());
  if (line.starts_with('{')) {
    const size_t end = end_of_labels(line);
    if (end == std::string_view::npos) return std::nullopt;
    sample.labels = line.substr(1, end - 1);
    line.remove_prefix(end + 1);
  }
  sample.value = trim(line);
  if (!is_number(sample.value)) return std::nullopt;  // one with a time, too: it would be of another moment
  return sample;
}

// A label of that name becomes another one.
std::string renamed(std::string_view labels, std::string_view name) {
  const std::string begin = fmt::format("{}=\"", name);
  if (labels.starts_with(begin)) return fmt::format("exported_{}", labels);
  const size_t found = labels.find("," + begin);
  if (found == std::string_view::npos) return std::string(labels);
  return fmt::format("{},exported_{}", labels.substr(0, found), labels.substr(found + 1));
}

struct Family {
  std::string head;     // HELP and TYPE
  std::string samples;  // lines
};

class Joined {
 public:
  explicit Joined(std::string_view label) : label_(label) {}

  void add(const Labelled& one) {
    const std::string own = fmt::format("{}=\"{}\"", label_, escaped(one.value));
    for (const std::string_view line : split(one.text, '\n')) {
      if (line.starts_with("# HELP ") || line.starts_with("# TYPE ")) {
        add_head(line);
      } else if (const auto sample = parse_sample(line)) {
        const std::string others = renamed(sample->labels, label_);
        fmt::format_to(std::back_inserter(family(sample->name).samples), "{}{{{}{}{}}} {}\n", sample->name, own,
                       others.empty() ? "" : ",", others, sample->value);
      }
    }
  }
  std::string text() const {
    std::string text;
    for (const std::string& name : order_)
      if (const Family& one = families_.find(name)->second; !one.samples.empty()) text += one.head + one.samples;
    return text;
  }

 private:
  void add_head(std::string_view line) {
    const std::string_view kind = line.substr(0, 7);
    const std::string_view name = name_at(line.substr(kind.size()));
    if (name.empty()) return;
    Family& one = family(name);
    if (one.head.find(kind) == std::string::npos) fmt::format_to(std::back_inserter(one.head), "{}\n", line);
  }
  Family& family(std::string_view name) {
    const auto [found, is_new] = families_.try_emplace(std::string(name));
    if (is_new) order_.push_back(found->first);
    return found->second;
  }

  const std::string_view label_;
  std::map<std::string, Family, std::less<>> families_;
  std::vector<std::string> order_;
};

}  // namespace

Exposition& Exposition::begin(const Metric& metric) {
  metric_ = metric;
  fmt::format_to(std::back_inserter(text_), "# HELP {} {}\n# TYPE {} {}\n", metric.name, metric.help, metric.name,
                 to_string(metric.type));
  return *this;
}

Exposition& Exposition::add(double value, std::string_view label_value) {
  text_ += metric_.name;
  if (!metric_.label.empty())
    fmt::format_to(std::back_inserter(text_), "{{{}=\"{}\"}}", metric_.label, escaped(label_value));
  fmt::format_to(std::back_inserter(text_), " {}\n", number(value));
  return *this;
}

std::string join_metrics(std::string_view name, const std::vector<Labelled>& texts) {
  Joined joined(name);
  for (const Labelled& one : texts) joined.add(one);
  return joined.text();
}

}  // namespace caddis::metrics
