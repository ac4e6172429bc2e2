// Countries by address, from a file in the MaxMind DB format (https://maxmind.github.io/MaxMind-DB/).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/scope/candidate.h"

namespace caddis::geo {

// Immutable, any thread. The file stays open.
class CountryFile final : public scope::Countries {
 public:
  // Reads the real file system. ErrorCode::config if there is no such file, or it is none of that format.
  static Result<std::shared_ptr<const scope::Countries>> open(const std::string& path);
  ~CountryFile() override;

  std::string country_of(std::string_view address) const override;

 private:
  struct Data;
  explicit CountryFile(std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
};

}  // namespace caddis::geo
