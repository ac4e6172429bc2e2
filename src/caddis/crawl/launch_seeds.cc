#include "caddis/crawl/launch_seeds.h"

#include <fmt/format.h>

#include "caddis/crawl/memory_shares.h"

namespace caddis::crawl {

std::vector<url::Url> usable_seeds(const config::CrawlSettings& settings, config::SeedProblems& problems) {
  std::vector<url::Url> seeds;
  for (const std::string& text : settings.seeds) {
    auto seed = config::parse_seed(text);
    if (seed)
      seeds.push_back(*std::move(seed));
    else
      problems.add(std::move(seed).error().message);
  }
  return seeds;
}

Result<void> check_has_seeds(const std::vector<url::Url>& seeds, bool others, const config::SeedProblems& problems) {
  if (!seeds.empty() || (others && problems.empty())) return {};
  return fail(ErrorCode::config, problems.empty() ? "nothing to crawl: give at least one URL, or --seeds FILE"
                                                  : fmt::format("{}", fmt::join(problems.told(), "\n")));
}

Result<std::shared_ptr<const frontier::Precedences>> load_precedences(const config::Settings& settings,
                                                                      io::Files& files,
                                                                      const frontier::Identity& identity) {
  std::shared_ptr<const frontier::Precedences> none;
  const std::string& path = settings.frontier.precedences;
  if (path.empty()) return none;
  TRY(auto listed, frontier::Precedences::load(files, path, identity, memory_shares(settings).precedences));
  return std::make_shared<const frontier::Precedences>(std::move(listed));
}

}  // namespace caddis::crawl
