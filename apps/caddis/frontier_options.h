// What `caddis frontier` is asked to do: one thing at a time.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::cli {

struct FrontierOptions {
  std::string collection = ".", host, url, regex, delay, end, budget, queue, precedence;
  std::vector<std::string> add;
  bool urls = false, erase = false, dry = false, force = false, seed = false, wake = false, json = false;
  bool block = false, unblock = false, retire = false, unretire = false, all = false;
  std::optional<size_t> limit;

  bool has_orders() const { return block || unblock || retire || unretire || !delay.empty() || !budget.empty(); }
};

void add_frontier_options(CLI::App& command, FrontierOptions& options);

// Refuses options that contradict each other, and those that would change nothing. `host` becomes a host name where it
// was a URL or had a port.
Result<void> check(FrontierOptions& options);

}  // namespace caddis::cli
