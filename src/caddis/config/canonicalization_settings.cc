#include "caddis/config/canonicalization_settings.h"

#include <fmt/format.h>

namespace caddis::config {
namespace {

// A crawl key has no capture, and so no date.
Result<url::KeyPolicy> crawl_policy(std::string_view notation) {
  TRY(url::KeyPolicy policy, url::KeyPolicy::parse(notation));
  if (policy.periods().size() > 1)
    return fail(ErrorCode::config,
                "@from and @to are of the index alone: when a URL is found, it has no capture with a date yet");
  return policy;
}

Result<void> is_crawl_policy(std::string_view text) {
  TRY_VOID(crawl_policy(text));
  return {};
}

Result<void> is_index_policy(std::string_view text) {
  TRY_VOID(url::KeyPolicy::parse(text));
  return {};
}

Result<void> check_same(std::string_view name, const url::KeyPolicy& before, const url::KeyPolicy& after,
                        std::string_view way_out) {
  if (before == after) return {};
  return fail(
      ErrorCode::config,
      fmt::format("canonicalization.{} is '{}' for all of this crawl, and cannot become '{}': resume it without "
                  "naming another; {}",
                  name, before.notation(), after.notation(), way_out));
}

}  // namespace

Result<KeyPolicies> key_policies(const CanonicalizationSettings& settings) {
  auto crawl = crawl_policy(settings.crawl);
  if (!crawl) return pass(std::move(crawl).error(), "canonicalization.crawl");
  auto index = url::KeyPolicy::parse(settings.index);
  if (!index) return pass(std::move(index).error(), "canonicalization.index");
  return KeyPolicies{*std::move(crawl), *std::move(index)};
}

Result<void> check_same_keys(const CanonicalizationSettings& before, const CanonicalizationSettings& after) {
  TRY(const KeyPolicies old, key_policies(before));
  TRY(const KeyPolicies wanted, key_policies(after));
  TRY_VOID(
      check_same("crawl", old.crawl, wanted.crawl,
                 "URLs that are known would not be known again. A new crawl into the same collection may have it"));
  return check_same("index", old.index, wanted.index, "caddis index rekey rewrites its index once it has ended");
}

}  // namespace caddis::config

namespace caddis::settings {

template <>
const Schema& schema_of<config::CanonicalizationSettings>() {
  using S = config::CanonicalizationSettings;
  static const Schema schema(
      "canonicalization", "By which keys URLs are known again: a policy by name, with steps switched on and off.",
      {
          field<&S::crawl>(
              "crawl",
              "The key by which a crawl tells that it has a URL already, as in 'caddis/1 "
              "-strip-session-ids +strip-www'; fixed once it has begun.",
              {.flags = kExpert, .check = config::is_crawl_policy, .heritrix = "canonicalizationPolicy.rules"}),
          field<&S::index>("index",
                           "The key by which the index and replay know captures again, as in 'ia-surt/1 "
                           "-strip-www-n@site(example.org)'; fixed once a crawl has begun.",
                           {.flags = kExpert, .check = config::is_index_policy}),
      });
  return schema;
}

}  // namespace caddis::settings
