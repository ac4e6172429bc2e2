#include "caddis/frontier/quota_settings.h"

namespace caddis::settings {
namespace {

using S = frontier::QuotaSettings;

// What a group has taken is of no single host.
unsigned flags_of(std::string_view name) { return name.starts_with("group-") ? kLive : kHostSheet | kLive; }

template <auto Member>
Field count(std::string_view name, std::string_view doc, std::string_view heritrix) {
  return field<Member>(name, doc, {.flags = flags_of(name), .min = "0", .heritrix = heritrix});
}

// Heritrix counts its quotas of data in kilobytes.
template <auto Member>
Field bytes(std::string_view name, std::string_view doc) {
  return field<Member>(name, doc, {.flags = flags_of(name), .unit = kBytes, .min = "0"});
}

}  // namespace

template <>
const Schema& schema_of<S>() {
  static const Schema schema(
      "quota",
      "How much may be taken from a host, a server (scheme, host, port), a politeness group or a domain, and for the "
      "seeds of a domain; 0: no end.",
      {
          field<&S::action>("action",
                            "What becomes of the URLs when a quota is used up: they wait until it is raised (retire), "
                            "or are given up with -5003 (drop).",
                            {.flags = kHostSheet | kLive,
                             .choices = {choice("retire", frontier::QuotaAction::retire),
                                         choice("drop", frontier::QuotaAction::drop)}}),
          count<&S::host_successes>("host-successes",
                                    "Documents captured from one host, whatever the HTTP status; robots.txt aside.",
                                    "quotaEnforcer.hostMaxFetchSuccesses"),
          count<&S::host_responses>("host-responses",
                                    "Answers of one host, those of tries that are repeated (503) included; robots.txt "
                                    "aside.",
                                    "quotaEnforcer.hostMaxFetchResponses"),
          bytes<&S::host_bytes>("host-bytes",
                                "Bytes received from one host, robots.txt included; the last document counts whole."),
          bytes<&S::host_novel_bytes>(
              "host-novel-bytes",
              "Bytes received from one host without repetitions: answers that nothing has changed "
              "(304), and payloads that are stored already."),
          count<&S::server_successes>("server-successes", "Documents captured from one server.",
                                      "quotaEnforcer.serverMaxFetchSuccesses"),
          count<&S::server_responses>("server-responses", "Answers of one server.",
                                      "quotaEnforcer.serverMaxFetchResponses"),
          bytes<&S::server_bytes>("server-bytes", "Bytes received from one server."),
          bytes<&S::server_novel_bytes>("server-novel-bytes", "Bytes received from one server without repetitions."),
          count<&S::group_successes>("group-successes", "Documents captured from all hosts of one politeness group.",
                                     "quotaEnforcer.groupMaxFetchSuccesses"),
          count<&S::group_responses>("group-responses", "Answers of all hosts of one politeness group.",
                                     "quotaEnforcer.groupMaxFetchResponses"),
          bytes<&S::group_bytes>("group-bytes", "Bytes received from all hosts of one politeness group."),
          bytes<&S::group_novel_bytes>("group-novel-bytes",
                                       "Bytes received from all hosts of one politeness group without repetitions."),
          count<&S::host_cost>("host-cost", "What the visits of one host may cost in all, by `frontier.cost`.",
                               "frontier.queueTotalBudget"),
          count<&S::server_cost>("server-cost", "What the visits of one server may cost in all.", ""),
          count<&S::group_cost>("group-cost", "What the visits of one politeness group may cost in all.", ""),
          count<&S::domain_successes>("domain-successes",
                                      "Documents captured from all hosts of one registrable domain, as "
                                      "www.example.org and example.org.",
                                      ""),
          count<&S::domain_responses>("domain-responses", "Answers of all hosts of one registrable domain.", ""),
          bytes<&S::domain_bytes>("domain-bytes", "Bytes received from all hosts of one registrable domain."),
          bytes<&S::domain_novel_bytes>("domain-novel-bytes",
                                        "Bytes received from all hosts of one registrable domain without repetitions."),
          count<&S::domain_cost>("domain-cost", "What the visits of one registrable domain may cost in all.", ""),
          field<&S::domain_time>("domain-time",
                                 "Time that fetches from all hosts of one registrable domain may take in all; pauses "
                                 "between them do not count.",
                                 {.flags = kHostSheet | kLive, .min = "0s"}),
          count<&S::seed_domain_successes>(
              "seed-domain-successes",
              "Documents captured for the seeds of one registrable domain, wherever their links led to. What is over "
              "it is given up with -5003, whatever `action` says, since URLs of other seeds wait in the same queues. A "
              "sheet for a domain holds for its seeds. Counted while a quota of seeds is set.",
              ""),
          bytes<&S::seed_domain_bytes>("seed-domain-bytes", "Bytes received for the seeds of one registrable domain."),
          count<&S::seed_domain_hosts>("seed-domain-hosts",
                                       "Hosts that are visited for the seeds of one registrable domain.", ""),
          field<&S::seed_domain_time>("seed-domain-time",
                                      "Time that fetches for the seeds of one registrable domain may take in all.",
                                      {.flags = kHostSheet | kLive, .min = "0s"}),
          count<&S::precedence_floor>(
              "precedence-floor",
              "Queues whose precedence, by `frontier.queues`, is a higher number than this are not "
              "visited.",
              "frontier.precedenceFloor"),
      });
  return schema;
}

}  // namespace caddis::settings
