#include "caddis/cdx/rekey.h"

#include <utility>

#include "caddis/base/strings.h"
#include "caddis/cdx/flat_json.h"
#include "caddis/cdx/index_meta.h"
#include "caddis/cdx/journal.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/sorted_file.h"

namespace caddis::cdx {
namespace {

// A CDXJ line in its fields, borrowed; nothing if it is CDX.
struct CdxjParts {
  std::string_view timestamp, rest;  // the rest begins with the timestamp
  std::string_view object;
};

std::optional<CdxjParts> cdxj_parts(std::string_view line) {
  const size_t first = line.find(' ');
  const size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
  if (second == std::string_view::npos || second + 1 >= line.size() || line[second + 1] != '{') return std::nullopt;
  return CdxjParts{line.substr(first + 1, second - first - 1), line.substr(first + 1), line.substr(second + 1)};
}

// The URL that a line is indexed by; empty if it names none.
std::string url_of(std::string_view object) {
  FlatJson json(object);
  std::string url, method, body;
  while (json.next()) {
    if (!json.is_string()) continue;
    if (json.name() == "url" && url.empty()) url = json.text();
    if (json.name() == "method") method = json.text();
    if (json.name() == "requestBody") body = json.text();
  }
  return url.empty() || method.empty() || method == "GET" ? url : request_url(url, method, body);
}

std::unexpected<Error> without_url(std::string_view line) {
  return fail(
      ErrorCode::parse,
      "a line names no URL, so that no key can be made for it: index its archive files anew (caddis index add): " +
          std::string(line.substr(0, 200)));
}

Result<std::string> header_of(io::Files& files, const std::string& index) {
  if (!files.exists(index)) return fail(ErrorCode::not_found, index + ": no such file");
  TRY(const auto file, SortedFile::open(files, index));
  return file->header();
}

// Between the two indexes nobody may take one's keys for the other's.
Result<void> put_in_place(io::Files& files, const std::string& made, const std::string& index,
                          const url::KeyPolicy& policy) {
  const IndexMeta meta = read_index_meta(files, index);
  if (!meta.policy && meta.text.empty()) return fail(ErrorCode::io, meta.problem);  // it could not be read
  const std::vector<uint64_t>& journal = meta.journal;
  TRY_VOID(write_rewriting_meta(files, index, policy, journal));
  TRY_VOID(files.rename(made, index));
  TRY_VOID(files.sync_dir(io::parent_path(index)));
  return write_index_meta(files, index, policy, journal);
}

}  // namespace

Result<std::string> rekeyed_line(std::string_view line, std::string_view header, const url::KeyPolicy& policy) {
  if (const auto parts = cdxj_parts(line)) {
    const std::string url = url_of(parts->object);
    if (url.empty()) return without_url(line);
    std::string made = index_key(url, policy, parts->timestamp);
    made += ' ';
    made += parts->rest;
    return made;
  }
  TRY(Capture capture, header.empty() ? parse_line(line) : parse_cdx_line(line, header));
  if (capture.url.empty()) return without_url(line);
  capture.urlkey = index_key(capture.url, policy, capture.timestamp);
  return cdxj_line(capture);
}

Result<uint64_t> rekey_index(io::Files& files, const std::string& index, const url::KeyPolicy& policy,
                             const RekeyOptions& options) {
  const bool is_own = options.output.empty() || options.output == index;
  if (!is_own && files.exists(options.output))
    return fail(ErrorCode::conflict, options.output + " is there already: name another file, or remove it");
  TRY(const std::string header, header_of(files, index));
  SortLimits limits;
  limits.memory = options.memory;
  uint64_t lines = 0;
  limits.change = [&](std::string_view line) {
    if (options.progress && ++lines % 65536 == 0) options.progress(lines);
    return rekeyed_line(line, header, policy);
  };
  const std::string made = (is_own ? index : options.output) + ".rekeyed";
  auto written = sort_files(files, {index}, made, limits);
  if (!written) return written;
  if (is_own) {
    TRY_VOID(put_in_place(files, made, index, policy));
    return written;
  }
  TRY_VOID(write_index_meta(files, options.output, policy, std::vector<uint64_t>()));
  TRY_VOID(files.rename(made, options.output));
  TRY_VOID(files.sync_dir(io::parent_path(options.output)));
  return written;
}

}  // namespace caddis::cdx
