#include "caddis/dedup/capture_filter.h"

#include <re2/re2.h>

#include "caddis/base/strings.h"
#include "caddis/cdx/line.h"

namespace caddis::dedup {
namespace {

Result<std::unique_ptr<re2::RE2>> compile(const std::string& expression) {
  if (expression.empty()) return nullptr;
  re2::RE2::Options options;
  options.set_case_sensitive(false);
  options.set_log_errors(false);
  auto compiled = std::make_unique<re2::RE2>(expression, options);
  if (!compiled->ok())
    return fail(ErrorCode::config, "'" + expression + "' is no regular expression (RE2): " + compiled->error());
  return compiled;
}

}  // namespace

CaptureFilter::CaptureFilter(CaptureFilter&&) noexcept = default;
CaptureFilter::~CaptureFilter() = default;

Result<CaptureFilter> CaptureFilter::create(const FilterOptions& options) {
  CaptureFilter filter;
  filter.any_status_ = options.any_status;
  TRY(filter.include_, compile(options.include_mime));
  TRY(filter.exclude_, compile(options.exclude_mime));
  return filter;
}

Verdict CaptureFilter::judge(std::string_view url, int status, std::string_view mime) const {
  if (!starts_with_ignore_case(url, "http://") && !starts_with_ignore_case(url, "https://"))
    return Verdict::other_protocol;
  if (!any_status_ && status != 0 && status != 200) return Verdict::other_status;
  if (mime.empty() || (!include_ && !exclude_)) return Verdict::taken;
  const std::string type = cdx::index_mime(mime);
  if (include_ && !re2::RE2::FullMatch(type, *include_)) return Verdict::other_type;
  return exclude_ && re2::RE2::FullMatch(type, *exclude_) ? Verdict::other_type : Verdict::taken;
}

}  // namespace caddis::dedup
