#include "caddis/fetch/decoded_body.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/steps.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

// Links are looked for in so much of a body; what is beyond is archived all the same.
constexpr size_t kMostRead = 16 << 20;
// The annotation of a body of which only the front was read.
constexpr const char* kFrontOnly = "readTrunc";

// A site's error page for robots.txt is nothing that anybody linked to, and where it redirects to is visited along with
// it.
bool is_read(const Visit& visit) {
  const int status = visit.document.outcome->status;
  return visit.is_prerequisite() ? status < 300 : status < 400 || status == 404;
}

class DecodeStep final : public Step {
 public:
  std::string_view name() const override { return "decode"; }

  Result<Next> run(Visit& visit) override {
    if (visit.document.exchange() == nullptr || !is_read(visit)) return Next::on();
    TRY(auto body, fetch::decode_body(*visit.document.exchange(), kMostRead));
    auto& annotations = visit.line->entry.annotations;
    annotations.insert(annotations.end(), body.annotations().begin(), body.annotations().end());
    if (body.bytes().size() >= kMostRead && !body.complete()) annotations.emplace_back(kFrontOnly);
    visit.document.body = std::move(body);
    return Next::on();
  }
};

}  // namespace

std::unique_ptr<Step> make_decode_step(LaneTools&) { return std::make_unique<DecodeStep>(); }

}  // namespace caddis::visit
