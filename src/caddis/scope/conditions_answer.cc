// Conditions about the server's answer. None of them holds before there is one.
#include <fmt/format.h>

#include <set>

#include "caddis/base/strings.h"
#include "caddis/base/visible.h"
#include "caddis/scope/condition_forms.h"
#include "caddis/url/address_block.h"

namespace caddis::scope {
namespace {

class InBlocks final : public Condition {
 public:
  explicit InBlocks(std::vector<url::AddressBlock> blocks) : blocks_(std::move(blocks)) {}
  std::optional<std::string_view> match(const Candidate& candidate, const SeedBook& /*seeds*/) const override {
    const auto address = url::parse_address(candidate.answer->address);
    if (!address) return {};
    for (const url::AddressBlock& block : blocks_)
      if (block.contains(*address)) return candidate.answer->address;
    return {};
  }
  std::string explain(const Candidate& candidate, std::optional<std::string_view> found) const override {
    return fmt::format("its address, {}, is {}", candidate.answer->address, found ? "named" : "none of them");
  }

 private:
  std::vector<url::AddressBlock> blocks_;
};

// Codes of two letters.
class InCountries final : public Condition {
 public:
  explicit InCountries(std::set<std::string, std::less<>> codes) : codes_(std::move(codes)) {}
  std::optional<std::string_view> match(const Candidate& candidate, const SeedBook& /*seeds*/) const override {
    const auto found = codes_.find(country_of(candidate));
    if (found == codes_.end()) return {};
    return *found;
  }
  std::string explain(const Candidate& candidate, std::optional<std::string_view> /*found*/) const override {
    const std::string country = country_of(candidate);
    return fmt::format("its address, {}, is in {}", candidate.answer->address,
                       country.empty() ? "a country that is not known" : country);
  }

 private:
  static std::string country_of(const Candidate& candidate) {
    const Answer& answer = *candidate.answer;
    return answer.countries == nullptr ? "" : answer.countries->country_of(answer.address);
  }
  std::set<std::string, std::less<>> codes_;
};

}  // namespace

MadeCondition make_country(const Arguments& arguments) {
  TRY(const auto items, arguments.items());
  std::set<std::string, std::less<>> codes;
  for (const std::string& item : items) {
    if (item.size() != 2 || !is_alpha(item[0]) || !is_alpha(item[1]))
      return fail(ErrorCode::config,
                  fmt::format("'{}' is no code of a country: write two letters, such as AT", visible(item, kQuoted)));
    std::string code = item;
    for (char& c : code) c = c >= 'a' ? static_cast<char>(c - 32) : c;
    codes.insert(std::move(code));
  }
  return std::make_unique<InCountries>(std::move(codes));
}

MadeCondition make_status(const Arguments& arguments) {
  return compare(
      arguments, [](const Candidate& candidate) -> std::optional<int64_t> { return candidate.answer->status; },
      "is its status");
}

MadeCondition make_mime(const Arguments& arguments) {
  return search(
      arguments, [](const Candidate& candidate) { return std::optional(candidate.answer->mime); }, "its type");
}

MadeCondition make_length(const Arguments& arguments) {
  return compare(
      arguments,
      [](const Candidate& candidate) -> std::optional<int64_t> {
        if (candidate.answer->length < 0) return {};
        return candidate.answer->length;
      },
      "bytes in its body");
}

MadeCondition make_identical(const Arguments& arguments) {
  return test(
      arguments, [](const Candidate& candidate) { return candidate.answer->is_identical; },
      "its digest is that of the capture before", "its digest is another than that of the capture before");
}

MadeCondition make_address(const Arguments& arguments) {
  TRY(const auto items, arguments.items());
  std::vector<url::AddressBlock> blocks;
  for (const std::string& item : items) {
    TRY(auto block, url::AddressBlock::parse(item));
    blocks.push_back(block);
  }
  return std::make_unique<InBlocks>(std::move(blocks));
}

}  // namespace caddis::scope
