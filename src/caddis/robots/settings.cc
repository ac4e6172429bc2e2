#include "caddis/robots/settings.h"

#include <fmt/format.h>

#include "caddis/base/visible.h"
#include "caddis/robots/agent.h"

namespace caddis::robots {

Result<void> validate(const RobotsSettings& settings) {
  const bool by_name = settings.policy == RobotsPolicy::first_named || settings.policy == RobotsPolicy::most_favored;
  if (by_name && settings.agents.empty())
    return fail(ErrorCode::config, "robots.policy: this policy needs robots.agents (--robots-agent NAME)");
  if (settings.policy == RobotsPolicy::custom && settings.custom.empty())
    return fail(ErrorCode::config, "robots.policy: custom needs robots.custom, the lines of a robots.txt");
  return {};
}

}  // namespace caddis::robots

namespace caddis::settings {
namespace {

Result<void> product_token(std::string_view agent) {
  if (robots::is_product_token(agent)) return {};
  return fail(ErrorCode::config,
              fmt::format("'{}' is no name as robots.txt has them (letters, '-' and '_')", visible(agent, kQuoted)));
}

}  // namespace

template <>
const Schema& schema_of<robots::RobotsSettings>() {
  using S = robots::RobotsSettings;
  using robots::ForRequisites;
  using robots::RobotsPolicy;
  using robots::WhenSaid;
  using robots::WhenUnavailable;
  static const std::vector<Choice> kWhenSaid = {choice("archive", WhenSaid::archive),
                                                choice("leave-out", WhenSaid::leave_out)};
  static const Schema schema(
      "robots", "What is done with robots.txt.",
      {
          field<&S::policy>("policy",
                            "Obey robots.txt and nofollow in pages (classic is the same), obey it but not nofollow, "
                            "ignore both, obey one of your own in place of the site's, obey it as the first of "
                            "`agents` that it names, or fetch what any of them may.",
                            {.flags = kHostSheet | kLive,
                             .choices = {choice("obey", RobotsPolicy::obey), choice("classic", RobotsPolicy::classic),
                                         choice("robots-txt-only", RobotsPolicy::robots_txt_only),
                                         choice("ignore", RobotsPolicy::ignore), choice("custom", RobotsPolicy::custom),
                                         choice("first-named", RobotsPolicy::first_named),
                                         choice("most-favored", RobotsPolicy::most_favored)},
                             .option = "--robots",
                             .heritrix = "metadata.robotsPolicyName",
                             .constraints = {{.severity = Severity::info,
                                              .unlike = "ignore",
                                              .text = "takes what site owners ask crawlers to leave: have a law or "
                                                      "their leave for it",
                                              .of_others = true}}}),
          field<&S::agents>("agents",
                            "For first-named and most-favored: names of crawlers, in order of preference. They are "
                            "looked up in robots.txt, not sent; Crawl-delay stays that for the crawl's own name.",
                            {.flags = kHostSheet | kLive, .check = product_token, .option = "--robots-agent"}),
          field<&S::custom>("custom", "For custom: the lines of the robots.txt that counts on every site.",
                            {.flags = kHostSheet | kLive, .check = free_text}),
          field<&S::unavailable>(
              "unavailable",
              "What a robots.txt means that cannot be had after all tries (server errors, no connection).",
              {.flags = kHostSheet | kLive,
               .choices = {choice("disallow", WhenUnavailable::disallow), choice("allow", WhenUnavailable::allow)}}),
          field<&S::requisites>(
              "requisites",
              "Whether robots.txt counts for the parts of pages (pictures, style sheets, scripts: hop E, and where "
              "they "
              "redirect to) on these hosts. If it does not, what is fetched against it is on record.",
              {.flags = kHostSheet | kLive,
               .choices = {choice("obey", ForRequisites::obey), choice("ignore", ForRequisites::ignore)},
               .option = "--robots-requisites",
               .constraints = {{.severity = Severity::info,
                                .unlike = "ignore",
                                .text = "takes parts of pages that site owners ask crawlers to leave: have a law or "
                                        "their leave for it",
                                .of_others = true}}}),
          field<&S::noindex>(
              "noindex",
              "What is done with a page that says noindex (or none) by <meta name=robots> or X-Robots-Tag, or by one "
              "with the crawl's name: archive it, or leave it out of the archive. It is on record, and its links are "
              "followed, in both cases.",
              {.flags = kSheet | kLive, .choices = kWhenSaid}),
          field<&S::noarchive>("noarchive", "The same for one that says noarchive.",
                               {.flags = kSheet | kLive, .choices = kWhenSaid}),
          field<&S::unavailable_after>("unavailable-after",
                                       "The same for one that says unavailable_after, and a time that has come.",
                                       {.flags = kSheet | kLive, .choices = kWhenSaid}),
          field<&S::validity>("validity", "How long a robots.txt is used before it is fetched again.",
                              {.flags = kHostSheet | kLive,
                               .min = "1m",
                               .max = "1d",
                               .heritrix = "preconditions.robotsValidityDurationSeconds"}),
      });
  return schema;
}

}  // namespace caddis::settings
