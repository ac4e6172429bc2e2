// caddis document-worker MEMORY: reads documents for a crawl, which starts it with a socket as descriptor 3. Of no use to
// people, so no help names it.
#include <fmt/format.h>
#include <sys/socket.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>

#include "caddis/documents/worker.h"
#include "caddis/documents/worker_messages.h"
#include "commands.h"

namespace caddis::cli {

void add_document_worker_command(CLI::App& app, int& exit_code) {
  CLI::App* worker = app.add_subcommand("document-worker", "Reads documents for a crawl, which starts it");
  worker->group("");
  auto memory = std::make_shared<uint64_t>();
  worker->add_option("memory", *memory, "Bytes that a document may take")->required();
  worker->callback([memory, &exit_code] {
    int kind = 0;
    socklen_t size = sizeof kind;
    if (::getsockopt(documents::kWorkerSocket, SOL_SOCKET, SO_TYPE, &kind, &size) == 0) {
      exit_code = documents::run_worker(*memory);
      return;
    }
    fmt::print(
        stderr,
        "caddis document-worker: a crawl starts it by itself; to see the links of a document: caddis extract FILE\n");
    exit_code = 2;
  });
}

}  // namespace caddis::cli
