// The documents `engine`, `job` and `script` of Heritrix's REST API, with its names and its order of elements.
//
// Pure functions, any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/rest/document.h"
#include "caddis/rest/job_facts.h"

namespace caddis::rest {

// "https://a.example:8443/engine": how the client reached the engine, for links that it can follow.
using EngineUrl = std::string;

Node engine_document(const EngineFacts& engine, const std::vector<JobSummaryFacts>& jobs, const EngineUrl& url);
Node job_document(const JobFacts& job, const EngineFacts& engine, const EngineUrl& url);

struct ScriptOutcome {
  std::string engine, script;
  std::string raw_output, html_output;
  std::string exception;  // empty: it has done what it was to do
};
Node script_document(const ScriptOutcome& outcome, std::string_view job, const EngineUrl& url);

// The actions that Heritrix would offer for a job in that state.
std::vector<std::string> available_actions(const JobSummaryFacts& job);
// "NASCENT"; empty if no crawl controller would be there.
std::string controller_state(const JobSummaryFacts& job);
// The file that Heritrix's clients read and replace.
std::string primary_config(const JobFacts& job);
// "1h2m3s4ms"
std::string pretty_time(uint64_t milliseconds);
// "2026-11-24T17:00:00.000Z" of "20261124170000"; empty for anything else.
std::string launch_time(std::string_view launch);

}  // namespace caddis::rest
