// The metadata of a crawl: for whom it is, and how it calls itself.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/heritrix/expressions.h"
#include "caddis/heritrix/handlers.h"
#include "caddis/settings/checks.h"

namespace caddis::heritrix {
namespace {

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

// Tells of the policy's own items, or of one property that names it, in a sheet.
void set_robots(Import& import, const Bean& bean, const BeanProperty* named_by) {
  import.set(named_by == nullptr ? bean.item : named_by->item, "robots", "policy",
             {bean.kind() == "CustomRobotsPolicy"       ? "custom"
              : bean.kind() == "FirstNamedRobotsPolicy" ? "first-named"
                                                        : "most-favored"});
  if (const BeanProperty* const agents = bean.find("candidateUserAgents")) {
    std::vector<std::string> names;
    if (const BeanValue* const list = import.tree().list(agents->value))
      for (const BeanValue& item : list->items) names.emplace_back(trim(item.text));
    import.set(named_by == nullptr ? *agents : *named_by, "robots", "agents", names);
  }
  if (const BeanProperty* const custom = bean.find("customRobots")) {
    std::vector<std::string> lines;
    for (const std::string_view line : split(trim(custom->value.text), '\n')) lines.emplace_back(trim(line));
    import.set(named_by == nullptr ? *custom : *named_by, "robots", "custom", lines);
  }
}

bool is_web_page(std::string_view text) { return text.starts_with("http://") || text.starts_with("https://"); }

}  // namespace

void import_job_name(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  std::string name(trim(property.value.text));
  if (settings::file_name_part(name)) {
    import.set(property, "crawl", "name", {name});
    return;
  }
  std::ranges::replace_if(name, [](char c) { return !is_alnum(c) && c != '-' && c != '_' && c != '.'; }, '-');
  if (name.empty() || name.starts_with('.')) name.insert(0, "crawl");
  import.set(property, "crawl", "name", {name}, Fate::differently, "names of folders cannot have the other characters");
}

void import_contact(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  const std::string contact(trim(property.value.text));
  if (!is_web_page(contact) || contact.find_first_of(" \n") != std::string::npos)
    return import.tell(property, Fate::without,
                       "it is no web page: set crawl.contact, under which site owners reach you");
  import.set(property, "crawl", "contact", {contact});
}

void import_user_agent(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  std::string agent(trim(property.value.text));
  std::string why;
  // A crawl that is not Heritrix should not say it is.
  if (const size_t at = agent.find("heritrix/"); at != std::string::npos) {
    agent.replace(at, std::min(agent.find_first_of(" );", at), agent.size()) - at, "caddis/VERSION");
    why =
        "it tells that it is Caddis; robots.txt that names heritrix does not count for it (robots.policy: first-named)";
  }
  replace_all(agent, "@VERSION@", "VERSION");
  replace_all(agent, "@OPERATOR_CONTACT_URL@", "CONTACT");
  import.set(property, "fetch", "user-agent", {agent}, why.empty() ? Fate::taken : Fate::differently, why);
}

void import_robots_policy(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  const std::string name(trim(property.value.text));
  if (const Bean* const policy = import.tree().find(name);
      policy != nullptr && policy->kind().ends_with("RobotsPolicy")) {
    if (import.is_sheet()) return set_robots(import, *policy, &property);
    return import.tell(property, Fate::taken, "robots.policy, by the bean that it names");
  }
  if (name == "robotsTxtOnly" || name == "obey" || name == "classic" || name == "ignore") {
    import.set(property, "robots", "policy", {name == "robotsTxtOnly" ? "robots-txt-only" : name});
    return;
  }
  if (is_open(name)) return import.tell_open(property);
  import.tell(property, Fate::without, "Caddis knows no such policy: set robots.policy (docs/settings.md lists them)");
}

void import_robots_bean(Import& import, const Bean& bean) {
  const Bean* const metadata = import.tree().find_kind("CrawlMetadata");
  if (metadata != nullptr && metadata->text("robotsPolicyName") != bean.id)
    return import.tell_deep(bean, Fate::differently,
                            "metadata.robotsPolicyName names another policy, so it counts only in sheets that name it");
  set_robots(import, bean, nullptr);
}

}  // namespace caddis::heritrix
