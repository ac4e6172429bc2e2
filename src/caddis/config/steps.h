// The steps that crawl.yaml may name: one table of Caddis's own, and those of modules that are loaded, behind one look-up.
// Settings, their checks and their page, the command line and the pipelines of visits go by it. The maker of a step of
// Caddis's own stands in visit/pipelines.cc, which does not compile without it.
//
// Any thread.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caddis::modules {
class LoadedModule;
}  // namespace caddis::modules

namespace caddis::config {

// A step: what it does, and what it asks of the others. The text is static, but for the name of a module's step.
struct StepTraits {
  std::string_view name;
  std::string_view does;
  std::string_view behind[2] = {};     // steps that come before it
  std::string_view reads = {};         // a step whose product it cannot do without: disabled with that one
  std::string_view before_fetch = {};  // why it stands there; empty if it does not
  std::string_view before_records = {};
  std::string_view needed = {};  // why it cannot be left out, and the way out; empty if it can
  bool has_guard = true;         // pipeline.guard
};

// Caddis's own, in the order in which a visit takes them unless crawl.yaml has another.
inline constexpr auto kOwnSteps = std::to_array<StepTraits>({
    {.name = "preselect",
     .does = "asks the scope again about URLs that waited while it changed",
     .before_fetch = "what it rejects is not to be fetched"},
    {.name = "precondition",
     .does = "asks robots.txt",
     .before_fetch = "what robots.txt forbids is not to be fetched",
     .needed = "it asks robots.txt; robots.policy: ignore lets it allow everything",
     .has_guard = false},
    {.name = "fetch",
     .does = "receives the document",
     .needed = "without it there is nothing to archive; scope.exclude keeps URLs from being fetched",
     .has_guard = false},
    {.name = "decode", .does = "undoes the codings of the body, for those who read it", .behind = {"fetch"}},
    {.name = "session",
     .does = "has a URL fetched again, behind another login, if the page says that the session has ended",
     .behind = {"decode"},
     .before_records = "the answer to somebody who is not logged in is not kept"},
    {.name = "extract", .does = "finds links", .behind = {"decode"}, .reads = "decode"},
    {.name = "documents",
     .does = "has links looked for in PDF, Office files and the like, in a process of its own",
     .behind = {"decode", "extract"}},
    {.name = "program",
     .does = "has a program of others look for links (extract.program), in a process of its own",
     .behind = {"decode", "extract"}},
    {.name = "feed",
     .does = "reads a feed that is polled: its items are captured, in place of its links",
     .behind = {"decode"}},
    {.name = "walls",
     .does = "says whether the page is a check for bots or a request for consent, in place of what was asked for",
     .behind = {"decode"},
     .before_records = "it may keep walls out of the archive"},
    {.name = "directives",
     .does = "reads what the page asks of robots: noindex, noarchive, until when",
     .behind = {"decode", "extract"},
     .before_records = "it may keep the page out of the archive (robots.noarchive)"},
    {.name = "dedup",
     .does = "looks whether the payload is stored already",
     .behind = {"fetch"},
     .before_records = "records are written by what it has found"},
    {.name = "records",
     .does = "writes the records of the capture",
     .behind = {"fetch"},
     .needed =
         "without it nothing is archived; a guard leaves documents out (pipeline.guard: [\"records: mime ^text/\"])"},
    {.name = "links",
     .does = "judges what was found by the scope, and hands it to the frontier",
     .behind = {"extract", "records"}},
});

struct KnownStep {
  StepTraits traits;
  std::optional<size_t> own;                      // its place in kOwnSteps
  const modules::LoadedModule* module = nullptr;  // or whose it is
};
// Returns nothing if there is no step of that name.
std::optional<KnownStep> find_step(std::string_view name);
// Caddis's own, and behind them those of loaded modules.
std::vector<KnownStep> known_steps();
std::vector<std::string> step_names();
// The steps of Caddis's own for which `match` is true: "decode, extract".
std::string own_steps_listed(bool (*match)(const StepTraits& step));

// docs/steps.md.
std::string steps_markdown();

}  // namespace caddis::config
