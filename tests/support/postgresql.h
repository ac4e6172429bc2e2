// A PostgreSQL server for the tests of one process, started when the first asks for it, and ended with the process.
#pragma once

#include <string>

namespace caddis::testing {

struct PostgresqlServer {
  std::string address;  // of its database "postgres"; empty if there is no server
  std::string missing;  // why
};
const PostgresqlServer& postgresql_server();

}  // namespace caddis::testing
