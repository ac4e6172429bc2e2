#include "caddis/geo/country_file.h"

#include <fmt/format.h>
#include <maxminddb.h>

#include <array>

namespace caddis::geo {
namespace {

// The places where providers have the code, each ended by a null.
constexpr std::array<std::array<const char*, 3>, 3> kPaths = {
    {{"country", "iso_code", nullptr}, {"country_code", nullptr, nullptr}, {"country", nullptr, nullptr}}};

}  // namespace

struct CountryFile::Data {
  MMDB_s file = {};
  bool is_open = false;

  Data() = default;
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;
  ~Data() {
    if (is_open) MMDB_close(&file);
  }
};

CountryFile::CountryFile(std::unique_ptr<Data> data) : data_(std::move(data)) {}
CountryFile::~CountryFile() = default;

Result<std::shared_ptr<const scope::Countries>> CountryFile::open(const std::string& path) {
  auto data = std::make_unique<Data>();
  if (const int error = MMDB_open(path.c_str(), MMDB_MODE_MMAP, &data->file); error != MMDB_SUCCESS)
    return fail(ErrorCode::config, fmt::format("{}: no file of countries in the MaxMind DB format (.mmdb): {}", path,
                                               MMDB_strerror(error)));
  data->is_open = true;
  return std::shared_ptr<const scope::Countries>(new CountryFile(std::move(data)));
}

std::string CountryFile::country_of(std::string_view address) const {
  const std::string text(address);
  int not_an_address = 0, error = MMDB_SUCCESS;
  MMDB_lookup_result_s found = MMDB_lookup_string(&data_->file, text.c_str(), &not_an_address, &error);
  if (not_an_address != 0 || error != MMDB_SUCCESS || !found.found_entry) return {};
  for (const auto& path : kPaths) {
    MMDB_entry_data_s value = {};
    if (MMDB_aget_value(&found.entry, &value, path.data()) != MMDB_SUCCESS) continue;
    if (value.has_data && value.type == MMDB_DATA_TYPE_UTF8_STRING) return {value.utf8_string, value.data_size};
  }
  return {};
}

}  // namespace caddis::geo
