// Public test data with expectations lives outside the tree (CADDIS_TESTDATA, or ../shared/testdata beside the
// checkout). A test whose data is absent says so and is skipped:
//
//   CADDIS_TESTDATA_OR_SKIP(path, "01-url-wpt/urltestdata.json");
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caddis::testing {

// The absolute path of a file or folder of the test data, or nothing where it is absent.
std::optional<std::string> testdata(std::string_view relative);

// The absolute path of a file of this source tree (for example "tests/data/x.warc").
std::string source_path(std::string_view relative);

// Whole file as bytes; ends the process with a message if it cannot be read.
std::string read_file(const std::string& path);

// The lines of a file, without line ends; empty lines are kept out.
std::vector<std::string> read_lines(const std::string& path);

// A fresh empty folder, removed when the object dies.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  const std::string& path() const { return path_; }
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  std::string path_;
};

}  // namespace caddis::testing

#define CADDIS_TESTDATA_OR_SKIP(variable, relative)                                    \
  auto variable##_found = ::caddis::testing::testdata(relative);                       \
  if (!variable##_found) GTEST_SKIP() << "test data " << (relative) << " is not here"; \
  const std::string& variable = *variable##_found
