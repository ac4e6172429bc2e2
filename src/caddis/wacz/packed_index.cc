#include "caddis/wacz/packed_index.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <list>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "caddis/io/gzip.h"

namespace caddis::wacz {
namespace {

constexpr uint64_t kLargestMember = 32 << 20;
constexpr size_t kKept = 16;  // members that were unpacked last
constexpr size_t kPiece = 256 * 1024;

struct Member {
  uint64_t at = 0, size = 0;         // in the packed file
  uint64_t text = 0, text_size = 0;  // of what it holds
};

class PackedText final : public io::File {
 public:
  PackedText(std::unique_ptr<io::File> packed, std::vector<Member> members)
      : packed_(std::move(packed)), members_(std::move(members)) {}

  Result<size_t> read_at(uint64_t offset, char* buffer, size_t size) const override {
    size_t got = 0;
    auto member = std::ranges::upper_bound(members_, offset, {}, &Member::text);
    if (member == members_.begin()) return got;
    for (--member; member != members_.end() && got < size; ++member) {
      const uint64_t skip = offset + got - member->text;
      if (skip >= member->text_size) continue;
      TRY(const auto text, unpacked(*member));
      const size_t part = std::min<uint64_t>(size - got, text->size() - skip);
      std::memcpy(buffer + got, text->data() + skip, part);
      got += part;
    }
    return got;
  }
  Result<uint64_t> size() const override {
    return members_.empty() ? 0 : members_.back().text + members_.back().text_size;
  }
  Result<void> append(std::string_view) override { return refuse(); }
  Result<void> sync() override { return refuse(); }
  Result<void> truncate(uint64_t) override { return refuse(); }

 private:
  using Text = std::shared_ptr<const std::string>;
  static Result<void> refuse() { return fail(ErrorCode::denied, "a packed index can only be read"); }

  Result<Text> unpacked(const Member& member) const {
    {
      const std::scoped_lock lock(mutex_);
      const auto kept = std::ranges::find(kept_, member.at, &std::pair<uint64_t, Text>::first);
      if (kept != kept_.end()) {
        kept_.splice(kept_.begin(), kept_, kept);
        return kept->second;
      }
    }
    std::string bytes(member.size, '\0');
    TRY(const size_t got, packed_->read_at(member.at, bytes.data(), bytes.size()));
    bytes.resize(got);
    TRY(std::string text, io::gunzip_all(bytes, kLargestMember));
    if (text.size() != member.text_size) return fail(ErrorCode::corrupt, "the packed index has changed");
    auto made = std::make_shared<const std::string>(std::move(text));
    const std::scoped_lock lock(mutex_);
    kept_.emplace_front(member.at, made);
    if (kept_.size() > kKept) kept_.pop_back();
    return made;
  }

  const std::unique_ptr<io::File> packed_;
  const std::vector<Member> members_;
  mutable std::mutex mutex_;  // of kept_
  mutable std::list<std::pair<uint64_t, Text>> kept_;
};

Result<std::vector<Member>> find_members(const io::File& packed) {
  std::vector<Member> members;
  io::GunzipStream gunzip;
  std::vector<char> output(kPiece);
  std::string piece(kPiece, '\0');
  Member member;
  for (uint64_t at = 0;;) {
    TRY(const size_t got, packed.read_at(at, piece.data(), piece.size()));
    if (got == 0) break;
    at += got;
    for (std::string_view input = std::string_view(piece).substr(0, got); !input.empty();) {
      TRY(const auto step, gunzip.inflate(input, std::span(output)));
      member.text_size += step.written;
      if (member.text_size > kLargestMember)
        return fail(ErrorCode::limit, "the packed index has a member of more than 32 MiB of text");
      if (!step.member_end) continue;
      member.size = gunzip.member_bytes();
      members.push_back(member);
      member = {member.at + member.size, 0, member.text + member.text_size, 0};
    }
  }
  if (gunzip.inside_member()) return fail(ErrorCode::corrupt, "the packed index is cut");
  return members;
}

}  // namespace

Result<std::unique_ptr<io::File>> open_packed_index(std::unique_ptr<io::File> packed) {
  TRY(auto members, find_members(*packed));
  return std::make_unique<PackedText>(std::move(packed), std::move(members));
}

}  // namespace caddis::wacz
