// caddis program-supervisor MILLISECONDS MEMORY -- PROGRAM…: runs a program of others for a crawl, which starts it with a
// socket as descriptor 4. Of no use to people, so no help names it.
#include <fmt/format.h>
#include <sys/socket.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "caddis/process/supervisor.h"
#include "commands.h"

namespace caddis::cli {

void add_program_supervisor_command(CLI::App& app, int& exit_code) {
  struct Arguments {
    int64_t millis = 0;
    uint64_t memory = 0;
    std::vector<std::string> command;
  };
  CLI::App* supervisor = app.add_subcommand("program-supervisor", "Runs a program for a crawl, which starts it");
  supervisor->group("");
  auto arguments = std::make_shared<Arguments>();
  supervisor->add_option("milliseconds", arguments->millis, "The program's time")->required();
  supervisor->add_option("memory", arguments->memory, "Bytes of each of its processes")->required();
  supervisor->add_option("command", arguments->command, "The program and its arguments")->required();
  supervisor->callback([arguments, &exit_code] {
    int kind = 0;
    socklen_t size = sizeof kind;
    if (::getsockopt(process::kControl, SOL_SOCKET, SO_TYPE, &kind, &size) == 0) {
      exit_code = process::run_supervised(arguments->command,
                                          {std::chrono::milliseconds(arguments->millis), arguments->memory});
      return;
    }
    fmt::print(stderr, "caddis program-supervisor: a crawl starts it by itself, for extract.program\n");
    exit_code = 2;
  });
}

}  // namespace caddis::cli
