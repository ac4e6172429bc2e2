// Verifies the digests of a record whose block comes piece by piece, for whoever reads it for another purpose.
//
//   DigestCheck check(report);
//   check.begin(record.header());
//   for (...) check.feed(piece);
//   verified += check.finish(record.complete());
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/io/digest.h"
#include "caddis/warc/digest_field.h"
#include "caddis/warc/field_check.h"
#include "caddis/warc/payload.h"
#include "caddis/warc/record.h"

namespace caddis::warc {

// The digest of the payload as readers find it that end a head at its first blank line. It differs from the payload
// only where such a line stands before the end of the head.
class ReadersPayload {
 public:
  explicit ReadersPayload(io::Digest* digest) : digest_(digest) {}
  // Bytes of the body, as stored. At the end of the block once more, with none.
  void body(const PayloadSplitter& splitter, std::string_view bytes);
  // Empty where there is no difference.
  std::string finish() { return differs_ ? digest_->finish() : std::string(); }

 private:
  io::Digest* digest_;
  bool begun_ = false, differs_ = false;
};

class DigestCheck {
 public:
  explicit DigestCheck(FieldReport report) : report_(std::move(report)) {}

  // `header` must stay until finish().
  void begin(const Header& header);
  void feed(std::string_view piece);
  // How many digests were verified; of an incomplete record none, since its bytes are known to be wrong.
  uint64_t finish(bool complete);
  // True if of the record just finished block digest is there, and holds.
  bool block_holds() const { return block_holds_; }

 private:
  // Running digests are kept and used again: one for each purpose and algorithm.
  class Pool {
   public:
    io::Digest& get(io::DigestAlgorithm algorithm);

   private:
    std::array<std::optional<io::Digest>, 5> slots_;
  };

  std::optional<DigestField> wanted(std::string_view name, std::string_view value);
  void compare_block(const std::string& computed);
  void compare_payload(const std::string& raw, const std::string& entity, const std::string& readers);

  FieldReport report_;
  const Header* header_ = nullptr;
  std::optional<DigestField> block_, payload_;
  std::optional<PayloadSplitter> splitter_;
  std::optional<ReadersPayload> readers_;
  bool block_holds_ = false;
  Pool block_pool_, raw_pool_, entity_pool_, readers_pool_;
};

}  // namespace caddis::warc
