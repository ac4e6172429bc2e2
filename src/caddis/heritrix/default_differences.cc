#include "caddis/heritrix/default_differences.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "caddis/base/strings.h"
#include "caddis/heritrix/bean_kinds.h"

namespace caddis::heritrix {
namespace {

struct Default {
  std::string_view role;      // of the bean that has it; empty: it is Heritrix's without one
  std::string_view heritrix;  // as it would stand in the file
  std::string_view caddis;    // the setting
  std::string_view value;     // as YAML
  std::string_view said;
};

constexpr auto kDefaults = std::to_array<Default>({
    {"metadata", "metadata.userAgentTemplate = Mozilla/5.0 (compatible; heritrix/@VERSION@ +@OPERATOR_CONTACT_URL@)",
     "fetch.user-agent", "", "it tells that it is Caddis"},
    {"fetchHttp", "fetchHttp.useHTTP11 = false", "fetch.http-version", "1.0", "HTTP/1.1 is what servers expect today"},
    {"fetchHttp", "fetchHttp.sendConnectionClose = true", "fetch.keep-alive", "false",
     "connections are kept for the next request"},
    {"fetchHttp", "fetchHttp.acceptCompression = false", "fetch.accept-encoding", "\"\"",
     "records keep what was sent, gzip or not"},
    {"frontier", "frontier.maxRetries = 30", "politeness.url-retries", "30", ""},
    {"frontier", "frontier.retryDelaySeconds = 900", "politeness.url-retry-delay", "15m", "it doubles with each try"},
    {"frontier", "frontier.balanceReplenishAmount = 3000", "frontier.session-budget", "3000", ""},
    {"frontier", "frontier.errorPenaltyAmount = 100", "frontier.error-penalty", "100", ""},
    {"frontier", "frontier.recoveryLogEnabled = true", "crawl.recovery-log", "true", "a crawl is resumed without it"},
    {"crawlController", "crawlController.maxToeThreads = 25", "limits.max-visits", "25",
     "Caddis finds out how many it can follow"},
    {"crawlController", "crawlController.pauseAtStart = true", "", "", "begin the crawl with caddis crawl --paused"},
    {"checkpointService", "checkpointService.checkpointIntervalMinutes = -1", "checkpoint.interval", "0s",
     "a checkpoint does not stop the crawl"},
    {"checkpointService", "checkpointService.checkpointOnShutdown = false", "checkpoint.at-stop", "false", ""},
    {"actionDirectory", "actionDirectory.delaySeconds = 30", "crawl.action-interval", "30s", ""},
    {"warcWriter", "warcWriter.prefix = IAH", "archive.prefix", "IAH", ""},
    {"warcWriter",
     "warcWriter.template = ${prefix}-${timestamp17}-${serialno}-${heritrix.pid}~${heritrix.hostname}~${heritrix.port}",
     "archive.name-template", "\"{prefix}-{timestamp17}-{serialno}-{pid}~{host}~{port}\"", ""},
    {"", "no deduplication", "dedup.strategy", "off", "payloads that are known become revisit records"},
    {"", "canonicalizationPolicy.rules: Heritrix's own", "canonicalization.crawl", "heritrix/1",
     "upper case and www count in Caddis's keys"},
    {"", "robots.txt that answers 5xx allows all", "robots.unavailable", "allow",
     "RFC 9309 asks to wait, or to leave the site alone"},
});

bool has_role(const BeanTree& tree, std::string_view role) {
  bool found = role.empty();
  tree.each([&](const Bean& bean) {
    const BeanKind* const kind = find_bean_kind(bean.kind());
    found = found || (kind != nullptr && kind->role == role);
  });
  return found;
}

// Whether the file says something of it, so that it is no default any more.
bool is_stated(const BeanTree& tree, const Default& one, const ImportedSettings& settings) {
  if (const auto parts = split(one.caddis, '.'); parts.size() == 2) return !settings.origin(parts[0], parts[1]).empty();
  const std::string_view name = one.heritrix.substr(0, one.heritrix.find(' '));
  const std::string_view property = name.substr(name.find('.') + 1);
  bool found = false;
  tree.each([&](const Bean& bean) {
    const BeanKind* const kind = find_bean_kind(bean.kind());
    found = found || (kind != nullptr && kind->role == one.role && bean.find(property) != nullptr);
  });
  return found;
}

}  // namespace

void tell_defaults(const BeanTree& tree, const ImportedSettings& settings, ImportReport& report) {
  for (const Default& one : kDefaults) {
    if (!has_role(tree, one.role) || is_stated(tree, one, settings)) continue;
    report.add_default(
        {std::string(one.heritrix), std::string(one.caddis), std::string(one.value), std::string(one.said)});
  }
}

}  // namespace caddis::heritrix
