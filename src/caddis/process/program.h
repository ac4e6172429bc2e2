// A program of others that answers a question about a document: it is run once for each, within limits and, if there is
// one, within a sandbox. Whatever it does, it and all that it has started have ended when its outcome is there.
//
// The crawl does not run it itself: it starts itself as a supervisor (supervisor.h), which outlives a crawl that is
// killed for as long as it takes to end the program.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/process/supervisor.h"

namespace caddis::process {

// Where the program finds the document: an open file of its own.
inline constexpr std::string_view kDocumentPath = "/dev/fd/3";

// The problem of a program that was ended by `stop`.
inline constexpr std::string_view kEndedByStop = "it was ended, since the crawl stops";

struct ProgramCall {
  std::vector<std::string> command;  // its first word is looked up in PATH; never empty
  std::string question;              // its standard input
  std::string_view document;         // kDocumentPath; borrowed until the outcome
  ProgramLimits limits;
  size_t longest_answer = 16 << 20;  // bytes; a program that says more is ended
  // Makes the document, if it is not there yet: called once, on the thread that is to run the program, when its turn has
  // come. So the documents that wait for `Programs` take no memory. Null: it is there.
  std::function<Result<std::string>()> bring = nullptr;
};

struct ProgramOutcome {
  std::string answer;   // its standard output, all of it unless there is a problem
  std::string problem;  // why there is no answer, or no whole one, in words; with the end of its complaints
};

// `supervisor`: the command that leads to run_supervised; the limits (milliseconds, bytes), "--" and the program's own
// command are put behind it. Blocks until the program has
// ended, at most for limits.time and some seconds. `stop`: a descriptor that becomes readable when the program is to be
// ended at once; -1: there is none. Any thread.
ProgramOutcome run_program(const std::vector<std::string>& supervisor, const ProgramCall& call, int stop,
                           const Clock& clock);

}  // namespace caddis::process
