#include "caddis/sources/record_file.h"

#include <string_view>
#include <utility>

namespace caddis::sources {
namespace {

class RecordFile final : public io::File {
 public:
  RecordFile(std::string front, std::shared_ptr<const io::Spool> body)
      : front_(std::move(front)), body_(std::move(body)) {}

  Result<size_t> read_at(uint64_t offset, char* buffer, size_t size) const override {
    size_t got = 0;
    if (offset < front_.size()) {
      got = std::string_view(front_).substr(static_cast<size_t>(offset)).copy(buffer, size);
      offset = front_.size();
    }
    if (got == size) return got;
    TRY(const size_t more, body_->read_at(offset - front_.size(), buffer + got, size - got));
    return got + more;
  }
  Result<uint64_t> size() const override { return front_.size() + body_->size(); }

  Result<void> append(std::string_view) override { return fail(ErrorCode::denied, "such a record can only be read"); }
  Result<void> sync() override { return {}; }
  Result<void> truncate(uint64_t) override { return fail(ErrorCode::denied, "such a record can only be read"); }

 private:
  const std::string front_;
  const std::shared_ptr<const io::Spool> body_;
};

}  // namespace

std::unique_ptr<io::File> record_file(std::string front, std::shared_ptr<const io::Spool> body) {
  return std::make_unique<RecordFile>(std::move(front), std::move(body));
}

}  // namespace caddis::sources
