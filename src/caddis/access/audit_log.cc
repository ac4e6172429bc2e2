#include "caddis/access/audit_log.h"

#include <chrono>

#include "caddis/base/error.h"
#include "caddis/base/json_text.h"
#include "caddis/base/log.h"
#include "caddis/base/time_format.h"
#include "caddis/io/file_owner.h"

namespace caddis::access {
namespace {

constexpr uint64_t kLargest = 64 << 20;
constexpr uint64_t kMostRefused = 60;  // a minute
constexpr size_t kLongest = 500;       // of what a stranger may say

}  // namespace

void AuditLog::write(const AuditEntry& entry) {
  if (path_.empty()) return;
  const std::scoped_lock lock(mutex_);
  if (is_one_too_many(entry)) return;
  JsonObject line;
  line.add("time", rfc3339_millis(entry.time))
      .add("who", std::string_view(entry.who).substr(0, kLongest))
      .add("from", entry.from)
      .add("what", std::string_view(entry.what).substr(0, kLongest));
  if (!entry.how.empty()) line.add("how", entry.how);
  line.add("status", entry.status);
  if (!entry.note.empty()) line.add("note", entry.note);
  if (left_out_ > 0) line.add("left_out", left_out_);
  left_out_ = 0;
  if (const auto written = append(line.finish() + '\n'); !written)
    log_warn("access", "the audit log cannot be written: {}", written.error().message);
}

bool AuditLog::is_one_too_many(const AuditEntry& entry) {
  if (entry.status < 400) return false;
  const WallTime minute = std::chrono::floor<std::chrono::minutes>(entry.time);
  if (minute != minute_) refused_ = 0;
  minute_ = minute;
  if (++refused_ <= kMostRefused) return false;
  ++left_out_;
  return true;
}

Result<void> AuditLog::append(std::string_view line) {
  if (file_) {
    TRY(const uint64_t size, file_->size());
    if (size > kLargest) {
      file_.reset();
      TRY_VOID(files_.rename(path_, path_ + ".1"));
    }
  }
  if (!file_) {
    TRY_VOID(io::make_for_owner_of(files_, path_ + ".1", path_));
    TRY(file_, files_.open_append_private(path_));
  }
  return file_->append(line);
}

}  // namespace caddis::access
