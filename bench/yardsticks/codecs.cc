#include "yardsticks/codecs.h"

#include <fcntl.h>
#include <isa-l/igzip_lib.h>
#include <libdeflate.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "caddis/base/check.h"
#include "yardsticks/stopwatch.h"

namespace yardsticks {
namespace {

constexpr size_t kGroup = 4 << 20;       // bytes between two syncs
constexpr size_t kTlsRecord = 16 << 10;  // RFC 8446 section 5.1
constexpr size_t kFraming = 32;          // of a gzip member, generously

const unsigned char* bytes(const std::string& text) { return reinterpret_cast<const unsigned char*>(text.data()); }

// Keeps the compiler from leaving out work whose result nobody reads.
void keep(const void* result) { asm volatile("" : : "r"(result) : "memory"); }

class Sha1 {
 public:
  Sha1() : algorithm_(EVP_MD_fetch(nullptr, "SHA1", nullptr)), context_(EVP_MD_CTX_new()) {}
  Sha1(const Sha1&) = delete;
  Sha1& operator=(const Sha1&) = delete;
  ~Sha1() {
    EVP_MD_CTX_free(context_);
    EVP_MD_free(algorithm_);
  }
  void operator()(const std::string& data) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    EVP_DigestInit_ex(context_, algorithm_, nullptr);
    EVP_DigestUpdate(context_, data.data(), data.size());
    EVP_DigestFinal_ex(context_, digest.data(), nullptr);
    keep(digest.data());
  }

 private:
  EVP_MD* algorithm_;
  EVP_MD_CTX* context_;
};

// Deflate's stored blocks: a copy and a checksum.
size_t store(const std::string& record, char* out) {
  const uint32_t crc = libdeflate_crc32(0, record.data(), record.size());
  std::memcpy(out, record.data(), record.size());
  std::memcpy(out + record.size(), &crc, sizeof(crc));
  return record.size() + kFraming;
}

class IsaL {
 public:
  size_t operator()(const std::string& record, char* out, size_t room) {
    isal_zstream stream;
    isal_deflate_stateless_init(&stream);
    stream.level = 1;
    stream.level_buf = tables_.data();
    stream.level_buf_size = static_cast<uint32_t>(tables_.size());
    stream.gzip_flag = IGZIP_GZIP;
    stream.end_of_stream = 1;
    stream.next_in = const_cast<uint8_t*>(bytes(record));
    stream.avail_in = static_cast<uint32_t>(record.size());
    stream.next_out = reinterpret_cast<uint8_t*>(out);
    stream.avail_out = static_cast<uint32_t>(room);
    CADDIS_CHECK(isal_deflate_stateless(&stream) == COMP_OK);
    return stream.total_out;
  }

 private:
  std::vector<uint8_t> tables_ = std::vector<uint8_t>(ISAL_DEF_LVL1_DEFAULT);
};

class Libdeflate {
 public:
  size_t operator()(const std::string& record, char* out, size_t room) {
    return libdeflate_gzip_compress(compressor_.get(), record.data(), record.size(), out, room);
  }

 private:
  static constexpr int kLevel = 6;
  std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> compressor_{
      libdeflate_alloc_compressor(kLevel), libdeflate_free_compressor};
};

// A record's header and block in one piece: to put them together is not what is measured.
struct Whole {
  std::string bytes;
  bool is_packed;
};

// The bytes of all members; with `members`, these too.
template <class Compressor>
uint64_t compress(const std::vector<Whole>& records, Compressor& compressor, std::string& buffer,
                  std::vector<std::string>* members = nullptr) {
  uint64_t sum = 0;
  for (const Whole& record : records) {
    const size_t size =
        record.is_packed ? store(record.bytes, buffer.data()) : compressor(record.bytes, buffer.data(), buffer.size());
    sum += size;
    if (members != nullptr) members->emplace_back(buffer.data(), size);
  }
  return sum;
}

void gunzip(const Sample& sample, std::string& buffer) {
  static const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> decompressor(
      libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  for (const Record& record : sample.records) {
    if (!record.is_coded) continue;
    size_t size = 0;
    libdeflate_gzip_decompress(decompressor.get(), record.payload.data(), record.payload.size(), buffer.data(),
                               buffer.size(), &size);
    keep(buffer.data());
  }
}

void decrypt(const Sample& sample, EVP_CIPHER_CTX* context, std::string& buffer) {
  constexpr size_t kTag = 16;
  const std::array<unsigned char, 12> nonce{};
  std::array<unsigned char, kTag> tag{};
  for (const Record& record : sample.records) {
    if (!record.is_response) continue;
    for (size_t at = 0; at < record.block.size(); at += kTlsRecord) {
      const size_t size = std::min(kTlsRecord, record.block.size() - at);
      int written = 0;
      EVP_DecryptInit_ex(context, nullptr, nullptr, nullptr, nonce.data());
      EVP_DecryptUpdate(context, reinterpret_cast<unsigned char*>(buffer.data()), &written, bytes(record.block) + at,
                        static_cast<int>(size));
      // The tag is wrong, but to find that out costs as much as to find it right.
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, kTag, tag.data());
      EVP_DecryptFinal_ex(context, reinterpret_cast<unsigned char*>(buffer.data()), &written);
    }
  }
}

double measure_decrypt(const Sample& sample, double seconds, std::string& buffer) {
  EVP_CIPHER* const cipher = EVP_CIPHER_fetch(nullptr, "AES-256-GCM", nullptr);
  EVP_CIPHER_CTX* const context = EVP_CIPHER_CTX_new();
  const std::array<unsigned char, 32> key{1, 2, 3};
  const std::array<unsigned char, 12> nonce{};
  EVP_DecryptInit_ex(context, cipher, nullptr, key.data(), nonce.data());
  const double taken = measure(seconds, [&] { decrypt(sample, context, buffer); });
  EVP_CIPHER_CTX_free(context);
  EVP_CIPHER_free(cipher);
  return taken;
}

caddis::Result<double> measure_write(const std::vector<std::string>& members, double seconds,
                                     const std::string& folder) {
  const std::string path = folder + "/yardstick.out";
  const int file = ::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0) return caddis::fail(caddis::ErrorCode::io, "cannot write " + path);
  bool failed = false;
  const double taken = measure(seconds, [&] {
    if (::ftruncate(file, 0) != 0 || ::lseek(file, 0, SEEK_SET) != 0) failed = true;
    size_t unsynced = 0;
    for (const std::string& member : members) {
      if (::write(file, member.data(), member.size()) != static_cast<ssize_t>(member.size())) failed = true;
      unsynced += member.size();
      if (unsynced < kGroup) continue;
      unsynced = 0;
      if (::fdatasync(file) != 0) failed = true;
    }
  });
  ::close(file);
  ::unlink(path.c_str());
  if (failed) return caddis::fail(caddis::ErrorCode::io, "cannot write " + path);
  return taken;
}

void measure_reading(const Sample& sample, double seconds, std::string& buffer, CodecTimes& times) {
  times.gunzip = measure(seconds, [&] { gunzip(sample, buffer); });
  times.copy = measure(seconds, [&] {
    for (const Record& record : sample.records) {
      if (!record.is_response) continue;
      std::memcpy(buffer.data(), record.block.data(), record.block.size());
      keep(buffer.data());
    }
  });
  times.scan = measure(seconds, [&] {
    for (const Record& record : sample.records) {
      const char* const end = record.body.data() + record.body.size();
      for (const char* at = record.body.data();
           at != end && (at = static_cast<const char*>(std::memchr(at, '<', static_cast<size_t>(end - at)))) != nullptr;
           ++at)
        keep(at);
    }
  });
  times.decrypt = measure_decrypt(sample, seconds, buffer);
}

}  // namespace

caddis::Result<CodecTimes> measure_codecs(const Sample& sample, double seconds, const std::string& folder) {
  std::vector<Whole> records;
  size_t largest = 0;
  for (const Record& record : sample.records) {
    records.push_back({record.header + record.block, record.is_packed});
    largest = std::max({largest, records.back().bytes.size(), record.body.size()});
  }
  std::string buffer(2 * largest + (64 << 10), '\0');

  CodecTimes times;
  Sha1 sha1;
  times.sha1 = measure(seconds, [&] {
    for (const Record& record : sample.records) {
      sha1(record.block);
      if (!record.payload.empty()) sha1(record.payload);
    }
  });
  IsaL fast;
  times.gzip_fast = measure(seconds, [&] { times.fast_bytes = compress(records, fast, buffer); });
  Libdeflate small;
  times.gzip_small = measure(seconds, [&] { times.small_bytes = compress(records, small, buffer); });
  measure_reading(sample, seconds, buffer, times);
  std::vector<std::string> members;
  compress(records, fast, buffer, &members);
  TRY(times.write, measure_write(members, seconds, folder));
  return times;
}

}  // namespace yardsticks
