#include "caddis/heritrix/bean_kinds.h"

#include <algorithm>
#include <array>
#include <utility>

namespace caddis::heritrix {
namespace {

using enum Fate;

constexpr std::string_view kOwnState =
    "Caddis keeps its state by itself (memory.total bounds what is in memory): nothing to do";
constexpr std::string_view kOwnReports = "Caddis writes this report by itself";
constexpr std::string_view kNoFeedOfLogs =
    "read logs/http.jsonl as it grows, or send each outcome on by a module with a listener (docs/extending.md)";
constexpr std::string_view kRecords = "Caddis writes such records by itself";
constexpr std::string_view kOfOutlinks = "Caddis finds such links by itself, with the step extract";

constexpr auto kKinds = std::to_array<BeanKind>({
    // The crawl
    {"CrawlMetadata", "metadata", taken, "sections crawl, fetch, robots and archive"},
    {"NasCrawlMetadata", "metadata", taken, "sections crawl, fetch, robots and archive"},
    {"TextSeedModule", "seeds", taken, "crawl.seed-files"},
    {"ConfigString", "configString", taken, "its text"},
    {"ConfigFile", "configFile", taken, "its file"},
    {"ConfigPath", "configPath", taken, "its path"},
    {"CrawlController", "crawlController", taken, "sections limits and memory"},
    {"BdbFrontier", "frontier", taken, "sections frontier, politeness and quota"},
    {"CrawlLimitEnforcer", "crawlLimiter", taken, "section limits"},
    {"RuntimeLimitEnforcer", "runtimeLimitEnforcer", taken, "section limits"},
    {"CheckpointService", "checkpointService", taken, "section checkpoint"},
    {"ActionDirectory", "actionDirectory", taken,
     "the folder action/ of the launch: .seeds, .schedule, .force, .include and .recover files are taken as they are"},
    {"DiskSpaceMonitor", "diskSpaceMonitor", taken, "limits.min-free-space"},
    {"LowDiskPauseProcessor", "lowDiskPause", taken, "limits.min-free-space"},
    {"StatisticsTracker", "statisticsTracker", taken, "crawl.progress-interval, and the folder reports/"},
    // Parts that Caddis has by itself
    {"CrawlerLoggerModule", "loggerModule", differently, "Caddis writes its logs into the folder logs/ of the launch"},
    {"BufferedCrawlerLoggerModule", "loggerModule", differently,
     "Caddis writes its logs into the folder logs/ of the launch"},
    {"SheetOverlaysManager", "sheetOverlaysManager", taken, "sheets"},
    {"BdbModule", "bdb", differently, kOwnState},
    {"BdbServerCache", "serverCache", differently, kOwnState},
    {"DefaultServerCache", "serverCache", differently, kOwnState},
    {"BdbUriUniqFilter", "uriUniqFilter", differently, "Caddis keeps the set of known URLs by itself: nothing to do"},
    {"BloomUriUniqFilter", "uriUniqFilter", differently, "Caddis keeps the set of known URLs by itself: nothing to do"},
    {"FPUriUniqFilter", "uriUniqFilter", differently, "Caddis keeps the set of known URLs by itself: nothing to do"},
    {"MemUriUniqFilter", "uriUniqFilter", differently, "Caddis keeps the set of known URLs by itself: nothing to do"},
    {"ConfigPathConfigurer", "configPathConfigurer", differently, "paths are made whole here"},
    {"BdbCookieStore", "cookieStore", taken, "section cookies"},
    {"SimpleCookieStore", "cookieStore", taken, "section cookies"},
    {"BdbCookieStorage", "cookieStore", taken, "section cookies"},
    {"DecideRuleSequence", "scope", taken, "scope.rules"},
    {"AccountableDecideRuleSequence", "scope", taken, "scope.rules"},
    // Heritrix 1
    {"DecidingScope", "scope", taken, "scope.rules"},
    {"CrawlStateUpdater", "updater", differently, "Caddis keeps its counters and robots.txt by itself"},
    {"LinksScoper", "candidates", taken, "the step links"},
    {"FrontierScheduler", "scheduler", taken, "the step links"},
    {"RobotsHonoringPolicy", "robotsHonoringPolicy", taken, "section robots"},
    {"Rfc2617Credential", "credential", taken, "section logins of a sheet"},
    {"WaitEvaluator", "waitEvaluator", without, "fetch.again says which URLs are fetched again, and when"},
    {"ContentBasedWaitEvaluator", "waitEvaluator", without, "fetch.again says which URLs are fetched again, and when"},
    {"ChangeEvaluator", "changeEvaluator", differently, "section dedup finds what has not changed"},
    // Chains
    {"CandidateChain", "candidateProcessors", taken, "the step links"},
    {"FetchChain", "fetchProcessors", taken, "pipeline.url"},
    {"DispositionChain", "dispositionProcessors", taken, "pipeline.url"},
    {"CandidateScoper", "candidateScoper", taken, "the scope is asked for every link"},
    {"FrontierPreparer", "preparer", taken, "sections frontier and politeness"},
    {"RssFrontierPreparer", "preparer", taken, "sections frontier, politeness and feeds"},
    {"Preselector", "preselector", taken, "the step preselect"},
    {"PreconditionEnforcer", "preconditions", taken, "the step precondition, and the looking up of names"},
    {"QuotaEnforcer", "quotaEnforcer", taken, "section quota"},
    {"PrerequisiteIgnoringQuotaEnforcer", "quotaEnforcer", taken, "section quota"},
    {"HostQuotaEnforcer", "hostQuotaEnforcer", taken, "section quota"},
    {"FetchDNS", "fetchDns", taken, "section dns"},
    {"FetchHTTP", "fetchHttp", taken, "section fetch"},
    {"FetchHTTP2", "fetchHttp", taken, "section fetch"},
    {"FetchFTP", "fetchFtp", taken, "scope.schemes, and fetch.ftp-…"},
    {"FetchSFTP", "fetchFtp", taken, "scope.schemes, fetch.ftp-… and fetch.sftp-…"},
    {"FetchWhois", "fetchWhois", taken,
     "WHOIS URLs are fetched, and referrals followed; the extractor whois asks for each host (extract.extractors)"},
    {"BrowserProcessor", "browser", without, "Caddis has no browser: scripts of pages are not run"},
    {"ExtractorHTTP", "extractorHttp", taken, "Location, Refresh, Link, and /favicon.ico (extract.favicon)"},
    {"ExtractorHTML", "extractorHtml", taken, "section extract"},
    {"ExtractorHTTPWellKnownURIs", "extractorHttp", differently,
     "Location, Refresh, Link, and /favicon.ico (extract.favicon)"},
    {"LinkExtractorHTML", "extractorHtml", taken, "section extract"},
    {"JerichoExtractorHTML", "extractorHtml", differently, "section extract; Caddis reads HTML as browsers do"},
    {"AggressiveExtractorHTML", "extractorHtml", differently,
     "section extract; what else it tries in scripts is not tried"},
    {"ExtractorCSS", "extractorCss", taken, kOfOutlinks},
    {"ExtractorJS", "extractorJs", taken, "extract.javascript"},
    {"ConfigurableExtractorJS", "extractorJs", differently,
     "extract.javascript and extract.script-…; only strings that are surely URLs are taken"},
    {"KnowledgableExtractorJS", "extractorJs", taken, "extract.javascript, which knows the base path of Drupal"},
    {"IcelandicExtractorJS", "extractorJs", differently,
     "extract.javascript, which takes only strings that are surely URLs"},
    {"ExtractorRobotsTxt", "extractorRobotsTxt", taken, kOfOutlinks},
    {"RobotsTxtSitemapExtractor", "extractorRobotsTxt", taken, kOfOutlinks},
    {"ExtractorSitemap", "extractorSitemap", taken, "extract.max-sitemap-links"},
    {"SitemapExtractor", "extractorSitemap", taken, "extract.max-sitemap-links"},
    {"ExtractorXML", "extractorXml", taken, kOfOutlinks},
    {"ExtractorSWF", "extractorSwf", taken, "documents.formats: swf"},
    {"ExtractorPDF", "extractorPdf", taken, "documents.formats: pdf"},
    {"ExtractorPDFContent", "extractorPdf", differently,
     "documents.formats: pdf finds links; URLs that stand in the text alone are found by the program pdf-text-links in "
     "extract.program (docs/programs.md)"},
    {"ExtractorDOC", "extractorDoc", taken,
     "documents.formats: ole, which reads old files of Excel and PowerPoint, too"},
    {"ExtractorUniversal", "extractorUniversal", taken, "the extractor universal (extract.extractors)"},
    {"ExtractorURI", "extractorUri", taken, "the extractor uri-in-uri (extract.extractors)"},
    {"ExtractorImpliedURI", "extractorImpliedUri", taken, "the extractor implied-uris (extract.extractors)"},
    {"ExtractorMultipleRegex", "extractorMultipleRegex", taken, "the extractor multiple-regex (extract.extractors)"},
    {"ExtractorJson", "extractorJson", taken, kOfOutlinks},
    {"ExtractorYoutubeFormatStream", "extractorYoutubeDL", without,
     "YouTube has no such pages any more; name yt-dlp in extract.program (docs/programs.md)"},
    {"ExtractorYoutubeChannelFormatStream", "extractorYoutubeDL", without,
     "YouTube has no such pages any more; name yt-dlp in extract.program (docs/programs.md)"},
    {"ExtractorChrome", "browser", without, "Caddis has no browser: scripts of pages are not run"},
    {"ExtractorBrowser", "browser", without, "Caddis has no browser: scripts of pages are not run"},
    {"ExtractorWebdriverBiDi", "browser", without, "Caddis has no browser: scripts of pages are not run"},
    {"BotBlockDetector", "botBlockDetector", taken, "the step walls (docs/walls.md)"},
    {"ExtractorYoutubeDL", "extractorYoutubeDL", without, "name yt-dlp in extract.program (docs/programs.md)"},
    {"ExtractorHTMLForms", "extractorHtmlForms", differently, "the form of logins.form is read; no other form is"},
    {"FormLoginProcessor", "formLogin", differently, "section logins of a sheet"},
    {"ExtractorOAI", "extractorOai", taken, kOfOutlinks},
    {"TrapSuppressExtractor", "trapSuppress", taken, "extract.suppress-traps, if it is in the chain"},
    {"HTTPContentDigest", "contentDigest", without,
     "digests are of payloads as they are, since a revisit says that the bytes are the same (docs/deduplication.md)"},
    {"CandidatesProcessor", "candidates", taken, "the step links"},
    {"DispositionProcessor", "disposition", taken, "section politeness"},
    {"ReschedulingProcessor", "rescheduler", taken, "fetch.again"},
    {"ScriptedProcessor", "scriptedProcessor", without, "write a module with a step, in Lua (docs/lua.md)"},
    {"SupplementaryLinksScoper", "supplementaryLinksScoper", without, "write its rules into scope.rules"},
    {"SeedLimitsEnforcer", "seedLimitsEnforcer", without,
     "give the site of the seed a sheet with quota.seed-domain-bytes and quota.seed-domain-successes"},
    {"WARCLimitEnforcer", "warcLimitEnforcer", without, "set limits.max-warc-bytes or limits.max-novel-bytes"},
    {"KafkaCrawlLogFeed", "crawlLogFeed", without, kNoFeedOfLogs},
    {"AMQPCrawlLogFeed", "crawlLogFeed", without, kNoFeedOfLogs},
    {"TroughCrawlLogFeed", "crawlLogFeed", without, kNoFeedOfLogs},
    {"ContentSizeAnnotationPostProcessor", "contentSize", differently, "crawl.log has the sizes"},
    // Deduplication
    {"DeDuplicator", "deDuplicator", taken, "section dedup"},
    {"FetchHistoryProcessor", "fetchHistoryProcessor", taken, "section dedup"},
    {"PersistLoadProcessor", "persistLoad", taken,
     "section dedup: the collection's own captures are known by themselves"},
    {"PersistStoreProcessor", "persistStore", taken,
     "section dedup: the collection's own captures are known by themselves"},
    {"PersistLogProcessor", "persistLog", differently,
     "section dedup: the collection's own captures are known by themselves"},
    {"ContentDigestHistoryLoader", "digestHistoryLoader", taken, "section dedup"},
    {"ContentDigestHistoryStorer", "digestHistoryStorer", taken, "section dedup"},
    {"BdbContentDigestHistory", "digestHistory", differently,
     "section dedup: the collection's own captures are known by themselves"},
    {"WbmPersistLoadProcessor", "wbmPersistLoad", without, "name the CDX server in dedup.against"},
    // Writers
    {"WARCWriterChainProcessor", "warcWriter", taken, "section archive"},
    {"WARCWriterProcessor", "warcWriter", taken, "section archive"},
    {"NasWARCProcessor", "warcWriter", taken, "section archive"},
    {"ExtendedWARCWriterProcessor", "warcWriter", taken, "section archive"},
    {"ARCWriterProcessor", "warcWriter", differently, "section archive; archive.writers: [arc] writes ARC"},
    {"ExperimentalWARCWriterProcessor", "warcWriter", taken, "section archive"},
    {"MirrorWriterProcessor", "mirrorWriter", without, "write archive.writers: [warc, mirror]"},
    {"Kw3WriterProcessor", "kw3Writer", without, "Caddis writes WARC; caddis warc extract makes files of it"},
    {"DnsResponseRecordBuilder", "recordBuilder", taken, kRecords},
    {"HttpResponseRecordBuilder", "recordBuilder", taken, kRecords},
    {"RevisitRecordBuilder", "recordBuilder", taken, kRecords},
    {"HttpRequestRecordBuilder", "recordBuilder", taken, kRecords},
    {"MetadataRecordBuilder", "recordBuilder", taken, kRecords},
    {"WhoisResponseRecordBuilder", "recordBuilder", differently, "answers of WHOIS are resource records"},
    {"FtpControlConversationRecordBuilder", "recordBuilder", taken, "a metadata record beside the document's"},
    {"FtpResponseRecordBuilder", "recordBuilder", differently, "documents of FTP are resource records"},
    // Policies
    {"SurtAuthorityQueueAssignmentPolicy", "queueAssignmentPolicy", taken, ""},
    {"HostnameQueueAssignmentPolicy", "queueAssignmentPolicy", taken, ""},
    {"SurtAuthorityQueueAssignmentPolicyWithLimits", "queueAssignmentPolicy", taken, ""},
    {"HostnameQueueAssignmentPolicyWithLimits", "queueAssignmentPolicy", taken, ""},
    {"AssignmentLevelSurtQueueAssignmentPolicy", "queueAssignmentPolicy", taken, ""},
    {"TopmostAssignedSurtQueueAssignmentPolicy", "queueAssignmentPolicy", taken, ""},
    {"DomainnameQueueAssignmentPolicy", "queueAssignmentPolicy", taken, ""},
    {"SeedUriDomainnameQueueAssignmentPolicy", "queueAssignmentPolicy", taken, ""},
    {"IPQueueAssignmentPolicy", "queueAssignmentPolicy", taken, ""},
    {"BucketQueueAssignmentPolicy", "queueAssignmentPolicy", taken, ""},
    {"UnitCostAssignmentPolicy", "costAssignmentPolicy", taken, ""},
    {"ZeroCostAssignmentPolicy", "costAssignmentPolicy", taken, ""},
    {"WagCostAssignmentPolicy", "costAssignmentPolicy", taken, ""},
    {"AntiCalendarCostAssignmentPolicy", "costAssignmentPolicy", taken, ""},
    {"CostUriPrecedencePolicy", "uriPrecedencePolicy", taken, ""},
    {"BaseUriPrecedencePolicy", "uriPrecedencePolicy", taken, ""},
    {"HopsUriPrecedencePolicy", "uriPrecedencePolicy", taken, ""},
    {"PreloadedUriPrecedencePolicy", "uriPrecedencePolicy", taken, ""},
    {"BaseQueuePrecedencePolicy", "queuePrecedencePolicy", taken, ""},
    {"SuccessCountsQueuePrecedencePolicy", "queuePrecedencePolicy", taken, ""},
    {"HighestUriQueuePrecedencePolicy", "queuePrecedencePolicy", taken, ""},
    {"RulesCanonicalizationPolicy", "canonicalizationPolicy", taken, "canonicalization.crawl"},
    {"FirstNamedRobotsPolicy", "robotsPolicy", taken, "section robots"},
    {"MostFavoredRobotsPolicy", "robotsPolicy", taken, "section robots"},
    {"CustomRobotsPolicy", "robotsPolicy", taken, "section robots"},
    // Sheets
    {"Sheet", "sheet", taken, "sheets"},
    {"SurtPrefixesSheetAssociation", "surtPrefixesSheetAssociation", taken, "the sites of sheets"},
    {"DecideRuledSheetAssociation", "decideRuledSheetAssociation", taken, "the condition of sheets (when)"},
    // Log-ins
    {"CredentialStore", "credentialStore", taken, "section logins"},
    {"HttpAuthenticationCredential", "credential", taken, "section logins of a sheet"},
    {"HtmlFormCredential", "credential", differently, "section logins of a sheet"},
    {"Credential", "credential", without, "write its login into the section logins of a sheet (docs/logins.md)"},
    // Reports
    {"CrawlSummaryReport", "report", taken, kOwnReports},
    {"SeedsReport", "report", taken, kOwnReports},
    {"HostsReport", "report", taken, kOwnReports},
    {"MimetypesReport", "report", taken, kOwnReports},
    {"ResponseCodeReport", "report", taken, kOwnReports},
    {"ProcessorsReport", "report", taken, kOwnReports},
    {"SourceTagsReport", "report", taken, kOwnReports},
    {"FrontierSummaryReport", "report", taken, kOwnReports},
    {"FrontierNonemptyReport", "report", taken, kOwnReports},
    {"ToeThreadsReport", "report", taken, kOwnReports},
    {"ExternalGeoLookup", "geoLookup", taken, "pipeline.countries"},
    // CrawlRSS
    {"RssCrawlController", "rssCrawlController", taken, "section feeds"},
    {"CxmlConfigurationManager", "rssConfiguration", taken, "feeds.sites"},
    {"DbConfigurationManager", "rssDatabase", without,
     "copy its tables into a database that feeds.database names (docs/formats/feeds-db.md)"},
    {"RssSite", "rssSite", taken, "feeds.sites"},
    {"RssFeed", "rssFeed", taken, "feeds.sites"},
    {"RssExtractor", "extractorRss", taken, "the items of the feeds of feeds.sites"},
    {"RssBloomUriUniqFilter", "uriUniqFilter", differently,
     "Caddis keeps the set of known URLs by itself: nothing to do"},
    {"RssBdbUriUniqFilter", "uriUniqFilter", differently,
     "Caddis keeps the set of known URLs by itself: nothing to do"},
    {"RssCrawlReport", "report", taken, "feeds-report"},
    // The distribution of a crawl over machines
    {"HashCrawlMapper", "crawlMapper", without, "Caddis crawls on one machine"},
    {"LexicalCrawlMapper", "crawlMapper", without, "Caddis crawls on one machine"},
});

constexpr auto kPackages = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"is.landsbokasafn.crawler.rss.", "a part of CrawlRSS: Caddis polls feeds by the section feeds (docs/feeds.md)"},
    {"uk.bl.wap.",
     "a module of the UK Web Archive, which Caddis does not have: a module can do such things (docs/extending.md)"},
    {"dk.netarkivet.",
     "a module of NetarchiveSuite, which Caddis does not have: a module can do such things (docs/extending.md)"},
    {"org.archive.modules.recrawl.", "earlier captures are known by themselves in Caddis (section dedup)"},
    {"org.archive.crawler.frontier.AMQP", "Caddis takes URLs by its control API, and by files in action/"},
    {"org.archive.modules.AMQP", "Caddis reports to modules with a listener (docs/extending.md)"},
    {"org.springframework.", "it configures Spring alone"},
});

}  // namespace

std::span<const BeanKind> bean_kinds() { return kKinds; }

const BeanKind* find_bean_kind(std::string_view class_name) {
  const auto* const found = std::ranges::find(kKinds, class_name, &BeanKind::class_name);
  return found == std::end(kKinds) ? nullptr : &*found;
}

std::string_view package_words(std::string_view class_name) {
  for (const auto& [package, words] : kPackages)
    if (class_name.starts_with(package)) return words;
  return {};
}

}  // namespace caddis::heritrix
