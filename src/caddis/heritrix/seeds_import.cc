// Seeds: the list as it is, written beside crawl.yaml. Lines that widen the scope (+) stay in it; those that narrow it (-)
// become a rule, which counts where Heritrix's does.
#include <fmt/format.h>

#include "caddis/base/strings.h"
#include "caddis/heritrix/expressions.h"
#include "caddis/heritrix/handlers.h"

namespace caddis::heritrix {
namespace {

constexpr std::string_view kSeeds = "seeds.txt";

// The list without the lines that narrow the scope.
std::string kept_lines(Import& import, std::string_view text) {
  std::string kept;
  for (const std::string_view whole : split(text, '\n')) {
    const std::string_view line = trim(whole);
    if (line.starts_with('-'))
      import.excluded_surts.emplace_back(trim(line.substr(1)));
    else if (!line.empty())
      kept.append(line).append("\n");
  }
  return kept;
}

size_t count_seeds(std::string_view lines) {
  size_t count = 0;
  for (const std::string_view line : split(lines, '\n'))
    if (!line.empty() && !line.starts_with('#') && !line.starts_with('+')) ++count;
  return count;
}

void write_seeds(Import& import, const BeanProperty& property, std::string_view text) {
  const size_t excluded_before = import.excluded_surts.size();
  std::string kept = kept_lines(import, text);
  const size_t seeds = count_seeds(kept);
  const size_t excluded = import.excluded_surts.size() - excluded_before;
  const std::string path = import.add_file(kSeeds, std::move(kept));
  std::string why = seeds == 0 ? "it has no seeds yet: write them there" : fmt::format("with {} seeds", seeds);
  if (excluded > 0) why += fmt::format("; {} lines that begin with - are a rule of the scope", excluded);
  import.set(property, "crawl", "seed-files", {path}, excluded > 0 ? Fate::differently : Fate::taken, why);
}

}  // namespace

void import_seeds(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  if (property.value.is_text()) return write_seeds(import, property, property.value.text);
  const Bean* const source = import.tree().follow(property.value);
  if (source == nullptr) return import.tell(property, Fate::without, "name the list of seeds in crawl.seed-files");
  if (source->kind() != "ConfigFile") {
    write_seeds(import, property, source->text("value"));
    return import.tell_deep(*source, Fate::taken, "in the list of seeds");
  }
  const std::string name = source->text("path");
  const auto text =
      is_open(name) ? Result<std::string>(fail(ErrorCode::config, std::string(kTemplateMark))) : import.read(name);
  if (text) {
    write_seeds(import, property, *text);
    return import.tell_deep(*source, Fate::taken, fmt::format("copied into {}", kSeeds));
  }
  const std::string path = import.add_file(kSeeds, fmt::format("# Put the seeds of {} here, one a line.\n", name));
  import.set(property, "crawl", "seed-files", {path}, Fate::without, "write the seeds into it");
  import.tell_deep(*source, Fate::without, fmt::format("{}: put its lines into {}", text.error().message, kSeeds));
}

}  // namespace caddis::heritrix
