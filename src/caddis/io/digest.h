// Running digests: SHA-1 for WARC digests, SHA-256 and SHA-512 and MD5 for checking what others wrote.
//
//   Sha1 sha1;
//   sha1.update(head);
//   sha1.update(body);
//   header.add("WARC-Block-Digest", digest_label(sha1.finish()));   // sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A
//
// The algorithms are fetched from OpenSSL once per process and a context is reused after finish(): fetching for each
// message would cost 220 ns and a lock. An object belongs to one thread at a time; different objects are independent.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace caddis::io {

enum class DigestAlgorithm { md5, sha1, sha256, sha384, sha512 };

// "sha1", "sha256", ...
std::string_view to_string(DigestAlgorithm algorithm);
// The length of the raw digest in bytes.
size_t digest_size(DigestAlgorithm algorithm);

class Digest {
 public:
  explicit Digest(DigestAlgorithm algorithm);
  Digest(Digest&&) noexcept;
  Digest& operator=(Digest&&) noexcept;
  ~Digest();

  void update(std::string_view bytes);
  // The raw digest of everything since the last finish(); begins anew.
  std::string finish();
  DigestAlgorithm algorithm() const { return algorithm_; }

 private:
  struct Free {
    void operator()(void* context) const;
  };
  DigestAlgorithm algorithm_;
  std::unique_ptr<void, Free> context_;  // EVP_MD_CTX
};

class Sha1 : public Digest {
 public:
  Sha1() : Digest(DigestAlgorithm::sha1) {}
};
class Sha256 : public Digest {
 public:
  Sha256() : Digest(DigestAlgorithm::sha256) {}
};

// Raw digests of a whole message.
std::string sha1(std::string_view data);
std::string sha256(std::string_view data);
std::string digest(DigestAlgorithm algorithm, std::string_view data);
// The base32 text of the SHA-1, as in CDX files: 32 characters, without label.
std::string sha1_base32(std::string_view data);
// A raw digest with its label as WARC fields carry it: "sha1:" or "sha256:" (by length), then base32.
std::string digest_label(std::string_view raw);

}  // namespace caddis::io
