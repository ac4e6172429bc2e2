#include "support/postgresql.h"

#include <unistd.h>

#include <array>
#include <cstdio>

#include "support/testdata.h"

namespace caddis::testing {
namespace {

PostgresqlServer start() {
  const std::string command = source_path("tests/support/postgresql.sh") + " " + std::to_string(::getpid());
  std::FILE* const out = ::popen(command.c_str(), "r");
  if (out == nullptr) return {"", "the shell cannot be started"};
  std::array<char, 1024> buffer{};
  const bool has_line = std::fgets(buffer.data(), static_cast<int>(buffer.size()), out) != nullptr;
  ::pclose(out);
  std::string line = has_line ? buffer.data() : "";
  while (!line.empty() && line.back() == '\n') line.pop_back();
  if (line.starts_with("postgresql:")) return {line, ""};
  return {"", line.empty() ? "postgresql.sh has said nothing" : line};
}

}  // namespace

const PostgresqlServer& postgresql_server() {
  static const PostgresqlServer server = start();
  return server;
}

}  // namespace caddis::testing
