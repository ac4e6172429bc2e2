#include "option_hints.h"

#include <algorithm>

namespace caddis::cli {
namespace {

constexpr std::string_view kWget = "wget", kBrowsertrix = "browsertrix", kBoth = "wget and browsertrix";

constexpr std::string_view kWholeHost = "nothing: all of the seed's host is crawled (--scope and --max-hops for less)";
constexpr std::string_view kReplay = "nothing: what is captured stays as it is, and caddis serve shows it";
constexpr std::string_view kNoBrowser = "nothing: pages are not opened in a browser";
constexpr std::string_view kIndexed = "nothing: an index is always made";

constexpr OptionHint kHints[] = {
    {"--mirror", kWget, kWholeHost},
    {"-m", kWget, kWholeHost},
    {"--recursive", kWget, kWholeHost},
    {"-r", kWget, kWholeHost},
    {"--level", kWget, "--max-hops"},
    {"-l", kWget, "--max-hops"},
    {"--no-parent", kWget, "--scope prefix"},
    {"-np", kWget, "--scope prefix"},
    {"--span-hosts", kWget, "--scope any"},
    {"-H", kWget, "--scope any"},
    {"--domains", kWget, "--scope domain, or --include with an expression"},
    {"-D", kWget, "--scope domain, or --include with an expression"},
    {"--accept-regex", kWget, "--include"},
    {"--reject-regex", kWget, "--exclude"},
    {"--accept", kWget, "--include with an expression, such as '[.]pdf$'"},
    {"-A", kWget, "--include with an expression, such as '[.]pdf$'"},
    {"--reject", kWget, "--exclude with an expression, such as '[.]zip$'"},
    {"-R", kWget, "--exclude with an expression, such as '[.]zip$'"},
    {"--page-requisites", kWget, "nothing: what a page needs is always fetched"},
    {"-p", kWget, "nothing: what a page needs is always fetched"},
    {"--convert-links", kWget, kReplay},
    {"-k", kWget, kReplay},
    {"--adjust-extension", kWget, kReplay},
    {"-E", kWget, kReplay},
    {"--wait", kWget, "--delay"},
    {"-w", kWget, "--delay"},
    {"--random-wait", kWget, "nothing: a host that takes longer is asked less often"},
    {"--limit-rate", kWget, "--set politeness.bandwidth=SIZE"},
    {"--tries", kWget, "--set politeness.url-retries=N"},
    {"-t", kWget, "--set politeness.url-retries=N"},
    {"--quota", kWget, "--max-bytes"},
    {"-Q", kWget, "--max-bytes"},
    {"--input-file", kWget, "--seeds"},
    {"-i", kWget, "--seeds"},
    {"--directory-prefix", kWget, "--collection"},
    {"-P", kWget, "--collection"},
    {"--output-document", kWget, "--collection"},
    {"-O", kWget, "--collection"},
    {"--continue", kWget, "--resume"},
    {"-c", kWget, "--resume"},
    {"--execute", kWget, "--robots ignore, for -e robots=off"},
    {"-e", kWget, "--robots ignore, for -e robots=off"},
    {"--warc-file", kWget, "--collection: WARC files are always written, into its folder archive"},
    {"--warc-cdx", kWget, kIndexed},
    {"--warc-header", kWget, "--set archive.operator=, archive.description= and archive.is-part-of="},
    {"-U", kWget, "--user-agent"},
    {"--url", kBrowsertrix, "the URL alone, without an option"},
    {"--urlFile", kBrowsertrix, "--seeds"},
    {"--seedFile", kBrowsertrix, "--seeds"},
    {"--scopeType", kBrowsertrix, "--scope"},
    {"--scopeIncludeRx", kBrowsertrix, "--include"},
    {"--scopeExcludeRx", kBrowsertrix, "--exclude"},
    {"--depth", kBrowsertrix, "--max-hops"},
    {"--limit", kBrowsertrix, "--max-documents"},
    {"--pageLimit", kBrowsertrix, "--max-documents"},
    {"--sizeLimit", kBrowsertrix, "--max-bytes"},
    {"--timeLimit", kBrowsertrix, "--max-time"},
    {"--workers", kBrowsertrix, "nothing: as many hosts are visited at once as politeness allows"},
    {"--pageExtraDelay", kBrowsertrix, "--delay"},
    {"--userAgent", kBrowsertrix, "--user-agent"},
    {"--proxyServer", kBrowsertrix, "--proxy"},
    {"--generateWACZ", kBrowsertrix, "nothing: caddis serve replays the collection as it is"},
    {"--generateCDX", kBrowsertrix, kIndexed},
    {"--behaviors", kBrowsertrix, kNoBrowser},
    {"--screenshot", kBrowsertrix, kNoBrowser},
    {"--waitUntil", kBrowsertrix, kNoBrowser},
    {"--timeout", kBoth, "--set with a time limit of the section fetch (caddis schema lists them)"},
    {"--exclude-directories", kWget, "--exclude"},
    {"-X", kWget, "--exclude"},
    {"--include-directories", kWget, "--include"},
    {"-I", kWget, "--include"},
};

}  // namespace

std::span<const OptionHint> option_hints() { return kHints; }

const OptionHint* hint_for(std::string_view option) {
  const auto* const found = std::ranges::find(kHints, option, &OptionHint::option);
  return found == std::end(kHints) ? nullptr : found;
}

}  // namespace caddis::cli
