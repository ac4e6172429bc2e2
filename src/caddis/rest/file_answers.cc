#include "caddis/rest/file_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "caddis/base/html_text.h"
#include "caddis/base/percent.h"
#include "caddis/base/strings.h"
#include "caddis/rest/form.h"

namespace caddis::rest {
namespace {

constexpr uint64_t kLargestPage = 4 << 20;
constexpr int64_t kMostLines = 100'000;

Result<std::string> read_part(const io::File& file, uint64_t first, uint64_t end) {
  std::string bytes(end - first, '\0');
  TRY(const size_t got, file.read_at(first, bytes.data(), bytes.size()));
  bytes.resize(got);
  return bytes;
}

}  // namespace

std::optional<PageQuery> PageQuery::of(std::string_view query) {
  const Form form = Form::parse(query);
  if (form.text("format") != "paged") return std::nullopt;
  PageQuery page;
  page.position = parse_int(form.text("pos")).value_or(0);
  page.lines = std::clamp<int64_t>(parse_int(form.text("lines")).value_or(128), -kMostLines, kMostLines);
  const std::string reverse = form.text("reverse");
  page.is_reversed = !reverse.empty() && reverse != "n" && reverse != "false" && reverse != "0";
  return page;
}

Result<http::ServerResponse> page_response(io::Files& files, const std::string& path, const PageQuery& query) {
  TRY(const auto file, files.open_read_foreign(path));
  TRY(const uint64_t size, file->size());
  const uint64_t from_end = query.position < 0 ? std::min(size, static_cast<uint64_t>(-(query.position + 1))) : 0;
  const uint64_t place = query.position < 0 ? size - from_end : std::min(size, static_cast<uint64_t>(query.position));
  const bool goes_back = query.lines < 0;
  const uint64_t first = goes_back ? place - std::min(place, kLargestPage) : place;
  const uint64_t end = goes_back ? place : std::min(size, place + kLargestPage);
  TRY(const std::string bytes, read_part(*file, first, end));
  std::vector<std::string_view> lines = split(bytes, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  if (goes_back && first != 0 && !lines.empty()) lines.erase(lines.begin());  // it may have begun before
  const auto most = static_cast<size_t>(goes_back ? -query.lines : query.lines);
  if (lines.size() > most)
    goes_back ? lines.erase(lines.begin(), lines.end() - static_cast<ptrdiff_t>(most))
              : lines.erase(lines.begin() + static_cast<ptrdiff_t>(most), lines.end());
  if (query.is_reversed) std::ranges::reverse(lines);
  http::ServerResponse response(200);
  response.headers.emplace_back("Content-Type", "text/plain; charset=utf-8");
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  for (const std::string_view line : lines) (response.body += line) += '\n';
  return response;
}

http::ServerResponse folder_response(const std::vector<JobFiles::Entry>& entries, std::string_view url, bool is_html) {
  http::ServerResponse response(200);
  response.headers.emplace_back("Content-Type", is_html ? "text/html; charset=utf-8" : "text/uri-list");
  if (is_html) response.body = fmt::format("<!doctype html><title>{0}</title><h1>{0}</h1><ul>\n", html_escape(url));
  for (const JobFiles::Entry& entry : entries) {
    const std::string_view name = io::base_name(entry.path);
    const std::string link = fmt::format("{}{}{}", url, percent_encoded(name), entry.is_directory ? "/" : "");
    response.body += is_html ? fmt::format("<li><a href=\"{}\">{}</a>\n", html_escape(link), html_escape(name))
                             : fmt::format("{}\r\n", link);
  }
  if (is_html) response.body += "</ul>\n";
  return response;
}

}  // namespace caddis::rest
