#include "support/testdata.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace caddis::testing {

std::string source_path(std::string_view relative) {
  const char* root = std::getenv("CADDIS_SOURCE_DIR");
  return std::string(root != nullptr ? root : CADDIS_SOURCE_DIR) + "/" + std::string(relative);
}

std::optional<std::string> testdata(std::string_view relative) {
  const char* set = std::getenv("CADDIS_TESTDATA");
  std::string path =
      (set != nullptr ? std::string(set) : source_path("../shared/testdata")) + "/" + std::string(relative);
  if (!std::filesystem::exists(path)) return std::nullopt;
  return path;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    std::abort();
  }
  std::ostringstream out;
  out << in.rdbuf();
  return std::move(out).str();
}

std::vector<std::string> read_lines(const std::string& path) {
  std::istringstream in(read_file(path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!line.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

TempDir::TempDir() {
  std::string pattern = (std::filesystem::temp_directory_path() / "caddis-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) std::abort();
  path_ = pattern;
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace caddis::testing
