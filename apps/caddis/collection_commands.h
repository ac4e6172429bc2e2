// caddis collection: the folders of collections, for whoever brings archives along.
#pragma once

namespace CLI {
class App;
}

namespace caddis::cli {

void add_collection_commands(CLI::App& app, int& exit_code);  // collection init|list|add|reindex

}  // namespace caddis::cli
