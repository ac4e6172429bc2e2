// First the index (`<output>.index`), its packed form with an index of its own (`<output>.cdx.gz`) and the pages
// (`<output>.pages`); then all is put into the zip archive, whose digests the datapackage tells.
#include "caddis/wacz/create.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/indexer.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/line_sorter.h"
#include "caddis/io/digest.h"
#include "caddis/io/gzip.h"
#include "caddis/wacz/datapackage.h"
#include "caddis/wacz/each_line.h"
#include "caddis/wacz/package.h"
#include "caddis/wacz/zip_writer.h"

namespace caddis::wacz {
namespace {

constexpr size_t kSortMemory = 64 << 20;
constexpr size_t kLinesOfAMember = 1024;
constexpr size_t kMostRemarks = 50;
constexpr std::string_view kVersion = "1.1.1", kSigningVersion = "0.1.0";
constexpr std::string_view kPagesHead = R"({"format": "json-pages-1.0", "id": "pages", "title": "All Pages"})";

// Files beside the output that go when it is made, or cannot be.
class Temporary {
 public:
  Temporary(io::Files& files, std::string path) : files_(files), path_(std::move(path)) {
    if (files_.exists(path_)) (void)files_.remove(path_);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (files_.exists(path_)) (void)files_.remove(path_);
  }
  const std::string& path() const { return path_; }

 private:
  io::Files& files_;
  const std::string path_;
};

bool can_be_packed(std::string_view name) { return name.ends_with(".warc.gz") || name.ends_with(".warc"); }

Result<void> check_archives(const std::vector<PackedArchive>& archives) {
  if (archives.empty()) return fail(ErrorCode::not_found, "there are no WARC files to be packed");
  std::set<std::string> names;
  for (const PackedArchive& archive : archives) {
    if (!can_be_packed(archive.name))
      return fail(ErrorCode::unsupported,
                  archive.path +
                      ": a package holds .warc.gz and .warc files; convert it ('caddis warc convert', 'caddis "
                      "warc recompress')");
    if (!names.insert(archive.name).second)
      return fail(ErrorCode::conflict, fmt::format("two archives have the name {}", archive.name));
  }
  return {};
}

Result<void> make_index(io::Files& files, const std::vector<PackedArchive>& archives, const std::string& path,
                        CreateReport& report) {
  cdx::LineSorter sorter(files, path, kSortMemory);
  for (const PackedArchive& archive : archives) {
    TRY(const auto indexed,
        cdx::index_archive(files, archive.path, archive.name, [&](std::string_view line) { return sorter.add(line); }));
    if (!indexed.foreign.empty()) return fail(ErrorCode::unsupported, archive.path + ": " + indexed.foreign);
    for (const std::string& problem : indexed.problems)
      if (report.remarks.size() < kMostRemarks) report.remarks.push_back(archive.name + ": " + problem);
  }
  TRY(report.captures, sorter.finish());
  return {};
}

// Lines in gzip members, and of each member where it begins.
class MemberWriter {
 public:
  MemberWriter(io::File& out, std::string& places) : out_(out), places_(places) {
    places_ = R"(!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"})"
              "\n";
  }
  Result<void> add(std::string_view line) {
    if (lines_++ == 0) first_ = line.substr(0, line.find(" {"));
    text_ += line;
    text_ += '\n';
    return lines_ < kLinesOfAMember ? Result<void>() : flush();
  }
  Result<void> flush() {
    if (lines_ == 0) return {};
    const std::string member = io::gzip_member(text_, io::GzipEffort::small);
    TRY_VOID(out_.append(member));
    places_ += fmt::format("{} {{\"offset\": {}, \"length\": {}, \"digest\": \"sha256:{}\"}}\n", first_, at_,
                           member.size(), to_hex(io::sha256(member)));
    at_ += member.size();
    text_.clear();
    lines_ = 0;
    return {};
  }

 private:
  io::File& out_;
  std::string& places_;
  std::string text_, first_;
  size_t lines_ = 0;
  uint64_t at_ = 0;
};

// The page that a line of the index speaks of; empty if it is none.
std::string page_of(std::string_view line) {
  const auto capture = cdx::parse_line(line);
  if (!capture || capture->status != "200") return {};
  if (capture->mime != "text/html" && capture->mime != "application/xhtml+xml") return {};
  const auto time = parse_timestamp(capture->timestamp.substr(0, 14));
  if (!time || !capture->url.starts_with("http")) return {};
  // Readers tell pages apart by their id.
  const std::string id = to_hex(io::sha1(capture->url + ' ' + capture->timestamp)).substr(0, 20);
  return JsonObject().add("id", id).add("url", capture->url).add("ts", rfc3339(*time)).finish() + '\n';
}

struct Made {
  std::string packed, places, pages;  // paths of the first and the last; the text of the index of the index
};

Result<void> pack_index(io::Files& files, const std::string& index, Made& made, bool finds_pages,
                        CreateReport& report) {
  TRY(const auto packed, files.open_append(made.packed));
  TRY(const auto pages, files.open_append(made.pages));
  if (finds_pages) TRY_VOID(pages->append(std::string(kPagesHead) + '\n'));
  MemberWriter members(*packed, made.places);
  std::string some_pages;
  TRY(auto lines, files.open_read(index));
  TRY_VOID(each_line(std::move(lines), index, [&](std::string_view line) -> Result<void> {
    if (finds_pages) {
      const std::string page = page_of(line);
      report.pages += page.empty() ? 0 : 1;
      some_pages += page;
    }
    if (some_pages.size() > (1 << 20)) TRY_VOID(pages->append(std::exchange(some_pages, {})));
    return members.add(line);
  }));
  TRY_VOID(pages->append(some_pages));
  return members.flush();
}

Result<uint64_t> count_pages(io::Files& files, const std::string& path) {
  uint64_t lines = 0;
  TRY(auto file, files.open_read(path));
  TRY_VOID(each_line(std::move(file), path, [&](std::string_view line) -> Result<void> {
    lines += trim(line).empty() ? 0 : 1;
    return {};
  }));
  return lines == 0 ? 0 : lines - 1;
}

class PackageMaker {
 public:
  PackageMaker(io::Files& files, ZipWriter& zip, const CreateOptions& options)
      : files_(files), zip_(zip), options_(options) {}

  Result<void> add_file(const std::string& name, const std::string& path) {
    TRY(const auto file, files_.open_read(path));
    TRY(const auto written, zip_.add_file(name, *file));
    tell(name, written);
    return {};
  }
  Result<void> add(const std::string& name, std::string_view bytes) {
    TRY(const auto written, zip_.add(name, bytes));
    tell(name, written);
    return {};
  }
  Result<void> finish() {
    const std::string created = rfc3339(options_.now);
    const std::string package = datapackage(created);
    TRY_VOID(zip_.add(std::string(kDataPackage), package));
    const std::string hash = "sha256:" + to_hex(io::sha256(package));
    JsonObject digest;
    digest.add("path", kDataPackage).add("hash", hash);
    if (options_.key != nullptr)
      digest.add_raw("signedData", JsonObject()
                                       .add("hash", hash)
                                       .add("created", created)
                                       .add("software", options_.software)
                                       .add("version", kSigningVersion)
                                       .add("signature", options_.key->sign(hash))
                                       .add("publicKey", options_.key->public_key())
                                       .finish());
    TRY_VOID(zip_.add(std::string(kDataPackageDigest), digest.finish() + '\n'));
    return zip_.finish();
  }

 private:
  void tell(const std::string& name, const ZipWriter::Written& written) {
    resources_ += resources_.empty() ? "\n" : ",\n";
    resources_ += "    " + JsonObject()
                               .add("name", resource_name(name))
                               .add("path", name)
                               .add("hash", "sha256:" + to_hex(written.sha256))
                               .add("bytes", written.size)
                               .finish();
  }
  std::string datapackage(const std::string& created) const {
    JsonObject package;
    package.add("profile", "data-package").add("wacz_version", kVersion);
    for (const auto& [name, value] :
         {std::pair("title", &options_.title), std::pair("description", &options_.description),
          std::pair("mainPageUrl", &options_.main_url), std::pair("mainPageDate", &options_.main_time)})
      if (!value->empty()) package.add(name, *value);
    package.add("created", created).add("modified", created).add("software", options_.software);
    package.add_raw("resources", "[" + resources_ + "\n  ]");
    return package.finish() + '\n';
  }

  io::Files& files_;
  ZipWriter& zip_;
  const CreateOptions& options_;
  std::string resources_;
};

}  // namespace

Result<CreateReport> create_package(io::Files& files, const std::vector<PackedArchive>& archives,
                                    const std::string& output, const CreateOptions& options) {
  TRY_VOID(check_archives(archives));
  CreateReport report;
  report.archives = archives.size();
  TRY(const auto zip, ZipWriter::create(files, output, options.now));
  const Temporary index(files, output + ".index"), packed(files, output + ".cdx.gz"), pages(files, output + ".pages");
  TRY_VOID(make_index(files, archives, index.path(), report));
  const bool finds_pages = options.pages.empty();
  Made made{packed.path(), {}, pages.path()};
  TRY_VOID(pack_index(files, index.path(), made, finds_pages, report));
  if (!finds_pages) {
    TRY(report.pages, count_pages(files, options.pages));
  }
  PackageMaker maker(files, *zip, options);
  for (const PackedArchive& archive : archives) TRY_VOID(maker.add_file("archive/" + archive.name, archive.path));
  TRY_VOID(maker.add_file(std::string(kIndex), packed.path()));
  TRY_VOID(maker.add(std::string(kIndexOfIndex), made.places));
  TRY_VOID(maker.add_file(std::string(kPages), finds_pages ? pages.path() : options.pages));
  TRY_VOID(maker.finish());
  TRY(const auto whole, files.open_read(output));
  TRY(report.bytes, whole->size());
  return report;
}

}  // namespace caddis::wacz
