#include "caddis/http/begun_body.h"

#include <utility>

namespace caddis::http {
namespace {

class BegunBody final : public BodySource {
 public:
  BegunBody(std::string first, std::unique_ptr<BodySource> rest) : first_(std::move(first)), rest_(std::move(rest)) {}
  Result<bool> next(std::string& piece) override {
    if (first_.empty() && rest_) return rest_->next(piece);
    piece = std::exchange(first_, std::string());
    return rest_ != nullptr;
  }

 private:
  std::string first_;
  std::unique_ptr<BodySource> rest_;
};

}  // namespace

std::unique_ptr<BodySource> begun_body(std::string first, std::unique_ptr<BodySource> rest) {
  return std::make_unique<BegunBody>(std::move(first), std::move(rest));
}

}  // namespace caddis::http
