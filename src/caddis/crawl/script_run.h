// A script that lies in the action directory: how it is run, and how it has ended. What runs scripts stands above the crawl
// (control/console.h) and is given to it.
#pragma once

#include <functional>
#include <string>

#include "caddis/aio/task.h"

namespace caddis::crawl {

struct ScriptRun {
  std::string output;  // what it printed
  std::string error;   // with its name and line; empty if there is none
};

// On the crawl's loop. `name` stands in logs and before lines in errors.
using ScriptRunner = std::function<aio::Task<ScriptRun>(std::string name, std::string text)>;

}  // namespace caddis::crawl
