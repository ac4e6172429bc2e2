// The handler that runs a script of an operator inside the crawl (modules/lua_console.h). A script asks for the other
// routes: what it may do, what it is refused and what is logged of it are theirs.
//
// On the crawl's loop, which goes on whenever the script waits for an answer.
#pragma once

#include <string>

#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/control/router.h"
#include "caddis/crawl/operator.h"
#include "caddis/crawl/script_run.h"

namespace caddis::control {

// Returns when the script has ended. What fails in it is part of the document.
aio::Task<Result<std::string>> run_script(crawl::Operator& crawl, Call call);
// The same for a script that lies in the action directory.
aio::Task<crawl::ScriptRun> run_script_file(crawl::Operator& crawl, std::string name, std::string text);

}  // namespace caddis::control
