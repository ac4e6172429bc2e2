// Each check tells its faults and lets the next one go on; a check whose file is missing is left out.
#include "caddis/wacz/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/line.h"
#include "caddis/io/digest.h"
#include "caddis/io/gzip.h"
#include "caddis/wacz/datapackage.h"
#include "caddis/wacz/each_line.h"
#include "caddis/wacz/package.h"
#include "caddis/wacz/signature.h"

namespace caddis::wacz {
namespace {

constexpr size_t kPiece = 1 << 20;
constexpr uint64_t kLargestMember = 32 << 20;

std::optional<io::DigestAlgorithm> algorithm_of(std::string_view label) {
  for (const auto algorithm : {io::DigestAlgorithm::md5, io::DigestAlgorithm::sha1, io::DigestAlgorithm::sha256,
                               io::DigestAlgorithm::sha384, io::DigestAlgorithm::sha512})
    if (label == io::to_string(algorithm)) return algorithm;
  return std::nullopt;
}

Result<std::string> hash_of(const io::File& file, io::DigestAlgorithm algorithm) {
  io::Digest digest(algorithm);
  std::string piece(kPiece, '\0');
  for (uint64_t at = 0;;) {
    TRY(const size_t got, file.read_at(at, piece.data(), piece.size()));
    if (got == 0) break;
    digest.update(std::string_view(piece).substr(0, got));
    at += got;
  }
  return std::string(io::to_string(algorithm)) + ':' + to_hex(digest.finish());
}

class Validator {
 public:
  explicit Validator(const Package& package) : package_(package) {}

  ValidationReport run() {
    check_contents();
    check_resources();
    check_digest();
    check_index();
    check_pages();
    return std::move(report_);
  }

 private:
  void fault(std::string words) {
    if (report_.faults.size() < kMostFaults) report_.faults.push_back(std::move(words));
  }
  // True if it is no error, which is a fault.
  template <class T>
  bool is_good(const Result<T>& result, std::string_view where = {}) {
    if (!result) fault(where.empty() ? result.error().message : fmt::format("{}: {}", where, result.error().message));
    return result.has_value();
  }

  void check_contents() {
    bool has_archive = false;
    for (const PackedFile& entry : package_.entries()) {
      if (!entry.name.starts_with("archive/")) continue;
      has_archive = true;
      if (!entry.name.ends_with(".warc") && !entry.name.ends_with(".warc.gz"))
        fault(entry.name + ": archive/ holds .warc and .warc.gz files");
      if (!entry.is_stored()) fault(entry.name + " is compressed by zip: WARC files have to be stored");
    }
    if (!has_archive) fault("there is no WARC file in archive/");
    for (const std::string_view name : {kDataPackage, kPages})
      if (package_.find(name) == nullptr) fault(fmt::format("{} is missing", name));
    const PackedFile* const packed = package_.find(kIndex);
    const bool has_plain =
        package_.find("indexes/index.cdx") != nullptr || package_.find("indexes/index.cdxj") != nullptr;
    if (packed == nullptr && !has_plain) fault("there is no index in indexes/");
    if (packed != nullptr && !packed->is_stored())
      fault("indexes/index.cdx.gz is compressed by zip: it has to be stored");
    if (package_.find(kDataPackageDigest) == nullptr)
      report_.remarks.emplace_back(
          "there is no datapackage-digest.json: nothing says that datapackage.json is as it was");
  }

  void check_resource(const Resource& resource) {
    const PackedFile* const entry = package_.find(resource.path);
    if (entry == nullptr) return fault(resource.path + " is listed in datapackage.json, but not there");
    if (resource.bytes && *resource.bytes != entry->size)
      fault(fmt::format("{} has {} bytes, datapackage.json says {}", resource.path, entry->size, *resource.bytes));
    const auto algorithm = algorithm_of(resource.hash.substr(0, resource.hash.find(':')));
    if (!algorithm) return fault(fmt::format("{} has no hash that is known: '{}'", resource.path, resource.hash));
    const auto file = package_.open_entry(*entry);
    if (!is_good(file)) return;
    const auto hash = hash_of(**file, *algorithm);
    if (is_good(hash, resource.path) && *hash != to_lower(resource.hash))
      fault(fmt::format("{} is not what it was: its hash is {}, datapackage.json says {}", resource.path, *hash,
                        resource.hash));
  }

  void check_resources() {
    if (package_.find(kDataPackage) == nullptr) return;
    const auto text = package_.read(kDataPackage, kLargestDescription);
    if (!is_good(text)) return;
    const auto parsed = parse_datapackage(*text);
    if (!is_good(parsed)) return;
    created_ = parsed->created;
    package_hash_ = "sha256:" + to_hex(io::sha256(*text));
    if (parsed->version.empty()) fault("datapackage.json does not name the version of the format (wacz_version)");
    if (parsed->profile != "data-package" && parsed->profile != "wacz")
      fault(fmt::format("the profile of datapackage.json is '{}', not data-package", parsed->profile));
    std::set<std::string> listed;
    for (const Resource& resource : parsed->resources) {
      if (!listed.insert(resource.path).second) fault(resource.path + " is listed twice");
      check_resource(resource);
    }
    report_.resources = parsed->resources.size();
    const auto odd = std::ranges::find_if_not(parsed->resources, is_resource_name, &Resource::name);
    if (odd != parsed->resources.end())
      report_.remarks.push_back(
          fmt::format("the name '{}' in datapackage.json is refused by others: names are of small letters, digits, "
                      "'-', '.' and '_'",
                      odd->name));
    for (const PackedFile& entry : package_.entries())
      if (entry.name != kDataPackage && entry.name != kDataPackageDigest && !listed.contains(entry.name))
        fault(entry.name + " is there, but not listed in datapackage.json");
  }

  void check_digest() {
    if (package_.find(kDataPackageDigest) == nullptr) return;
    const auto text = package_.read(kDataPackageDigest, kLargestDescription);
    if (!is_good(text)) return;
    const auto digest = parse_digest(*text);
    if (!is_good(digest)) return;
    if (digest->path != kDataPackage) fault("datapackage-digest.json is about '" + digest->path + "'");
    if (digest->hash != package_hash_)
      fault(fmt::format("datapackage.json is not what it was: its hash is {}, datapackage-digest.json says {}",
                        package_hash_, digest->hash));
    if (digest->signed_data) check_signed(*digest->signed_data);
  }

  void check_signed(const SignedData& data) {
    if (data.hash != package_hash_) fault("what is signed is not the hash of datapackage.json");
    if (data.created != created_) fault("the signature is of another time than the package");
    if (!data.domain.empty()) {
      report_.signer = "the domain " + data.domain;
      report_.remarks.emplace_back("that the domain's certificate is trusted, and its time stamp, were not checked");
      (void)is_good(check_domain_signature(data.hash, data.signature, data.domain_chain, data.domain), "signature");
      return;
    }
    report_.signer = "the key " + data.public_key;
    (void)is_good(check_signature(data.hash, data.signature, data.public_key), "signature");
  }

  // Its lines ascend, and lie within the files that they name.
  Result<void> check_line(std::string_view line, std::string& before) {
    ++report_.captures;
    if (line < before) fault(fmt::format("the index is not sorted at '{}'", line.substr(0, 100)));
    before = line;
    const auto capture = cdx::parse_line(line);
    if (!is_good(capture, "index")) return {};
    const PackedFile* const archive = package_.find("archive/" + capture->filename);
    const auto offset = capture->offset_number(), length = capture->length_number();
    if (archive == nullptr)
      fault(fmt::format("the index names {}, which is not in archive/", capture->filename));
    else if (!offset || *offset >= archive->size || length.value_or(0) > archive->size - *offset)
      fault(fmt::format("the index names a place outside of {}: {}", capture->filename, line.substr(0, 100)));
    return {};
  }

  void check_index() {
    for (const std::string_view name :
         {kIndex, std::string_view("indexes/index.cdx"), std::string_view("indexes/index.cdxj")}) {
      const PackedFile* const entry = package_.find(name);
      if (entry == nullptr) continue;
      auto file = package_.open_entry(*entry);
      if (!is_good(file)) continue;
      std::string before;
      (void)is_good(each_line(*std::move(file), std::string(name),
                              [&](std::string_view line) { return check_line(line, before); }));
    }
    const PackedFile* const places = package_.find(kIndexOfIndex);
    const PackedFile* const packed = package_.find(kIndex);
    if (places == nullptr || packed == nullptr) return;
    auto file = package_.open_entry(*places);
    auto data = package_.open_entry(*packed);
    if (!is_good(file) || !is_good(data)) return;
    (void)is_good(each_line(*std::move(file), std::string(kIndexOfIndex), [&](std::string_view line) -> Result<void> {
      if (!line.starts_with('!')) check_member(line, **data);
      return {};
    }));
  }

  void check_member(std::string_view line, const io::File& data) {
    const auto place = parse_member_place(line);
    if (!is_good(place, kIndexOfIndex)) return;
    if (place->length > kLargestMember) return fault("a member of the index is larger than 32 MiB");
    std::string member(place->length, '\0');
    const auto got = data.read_at(place->offset, member.data(), member.size());
    if (!is_good(got)) return;
    if (!place->digest.empty() && place->digest != "sha256:" + to_hex(io::sha256(member)))
      return fault(fmt::format("the member of the index at {} is not what its digest says", place->offset));
    const auto text = io::gunzip_all(member, kLargestMember);
    if (is_good(text, kIndex) && !text->starts_with(place->first))
      fault(fmt::format("the member of the index at {} does not begin with '{}'", place->offset, place->first));
  }

  void check_pages() {
    const PackedFile* const entry = package_.find(kPages);
    if (entry == nullptr) return;
    auto file = package_.open_entry(*entry);
    if (!is_good(file)) return;
    uint64_t number = 0;
    (void)is_good(each_line(*std::move(file), std::string(kPages), [&](std::string_view line) -> Result<void> {
      if (trim(line).empty()) return {};
      const std::string where = fmt::format("{}:{}", kPages, ++number);
      const auto page = parse_page_line(line);
      if (!is_good(page, where)) return {};
      if (number == 1 && page->url.empty()) {
        if (page->format != "json-pages-1.0") fault(where + ": its format is not json-pages-1.0");
        return {};
      }
      if (number == 1) fault(where + ": the first line does not name the format");
      if (page->url.empty() || !parse_w3c_date(page->ts)) fault(where + ": a page without url or ts");
      ++report_.pages;
      return {};
    }));
  }

  const Package& package_;
  ValidationReport report_;
  std::string created_, package_hash_;
};

}  // namespace

Result<ValidationReport> validate_package(io::Files& files, const std::string& path) {
  TRY(const auto package, Package::open(files, path));
  return Validator(*package).run();
}

}  // namespace caddis::wacz
