// Conditions about the server's answer. None of them holds before there is one.
#include <fmt/format.h>

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

}  // namespace

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
