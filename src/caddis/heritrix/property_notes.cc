#include "caddis/heritrix/property_notes.h"

#include <algorithm>
#include <array>
#include <string>

#include "caddis/base/strings.h"

namespace caddis::heritrix {
namespace {

using enum Fate;

constexpr std::string_view kWired = "parts of Caddis know each other by themselves";
constexpr std::string_view kOwnFolder =
    "the folder of the collection has places of its own for it (caddis crawl --collection)";
constexpr std::string_view kMemory = "memory.total bounds all of it";
constexpr std::string_view kDigests = "Caddis makes the digests of its records by itself";
constexpr std::string_view kNoProgram = "Caddis's extractor has no such bound";
constexpr std::string_view kOwnRevisits = "Caddis writes revisit records by dedup.strategy";

constexpr auto kNotes = std::to_array<PropertyNote>({
    {"*.enabled", "true", taken, "it is in use"},
    {"*.logToFile", "false", taken, "caddis scope explain tells how a URL is judged"},
    {"*.logToFile", "true", differently, "scope.jsonl has each decision, if logs.write names 'scope' (docs/logs.md)"},
    {"*.logExtraInfo", "", differently, "caddis scope explain tells how a URL is judged"},
    {"*.beanName", "", differently, kWired},
    {"*.scope", "", taken, kWired},
    {"*.serverCache", "", differently, kWired},
    {"*.bdbModule", "", differently, kWired},
    {"*.bdb", "", differently, kWired},
    {"*.cookieStore", "", differently, kWired},
    {"*.credentialStore", "", differently, kWired},
    {"*.metadata", "", differently, kWired},
    {"*.seeds", "", differently, kWired},
    {"*.frontier", "", differently, kWired},
    {"*.loggerModule", "", differently, kWired},
    {"*.crawlController", "", differently, kWired},
    {"*.uriUniqFilter", "", differently, kWired},
    {"*.userAgentProvider", "", differently, kWired},
    {"*.extractorParameters", "", differently, kWired},
    {"*.statisticsTracker", "", differently, kWired},
    {"*.sheetOverlaysManager", "", differently, kWired},
    {"*.digestContent", "true", taken, kDigests},
    {"*.digestContent", "false", differently, kDigests},
    {"*.digestAlgorithm", "", differently, kDigests},
    {"*.sha1Content", "", taken, kDigests},  // of Heritrix 1
    // The crawl
    {"metadata.date", "", differently, "records have the times of their captures"},
    {"metadata.availableRobotsPolicies", "", differently, "robots.policy names the one that counts"},
    {"seeds.blockAwaitingSeedLines", "", differently,
     "a crawl begins with the first seeds of a list, and reads on while it runs"},
    {"seeds.sourceTagSeeds", "false", taken, "the seed of each URL is known (rules: source-seed)"},
    {"seeds.sourceTagSeeds", "true", taken, "the seed of each URL is known (rules: source-seed; the source report)"},
    {"crawlController.pauseAtStart", "false", taken, "a crawl begins at once"},
    {"crawlController.pauseAtStart", "true", differently, "begin the crawl with caddis crawl --paused"},
    {"crawlController.pauseAtFinish", "false", taken, "the crawl ends when nothing waits"},
    {"crawlController.pauseAtFinish", "true", differently,
     "set limits.run-while-empty, and end the crawl by caddis stop"},
    {"crawlController.recorderInBufferBytes", "", differently,
     "fetch.memory-per-fetch bounds what of a response is in memory"},
    {"crawlController.recorderOutBufferBytes", "", differently, kMemory},
    {"crawlController.scratchDir", "", differently, kOwnFolder},
    {"crawlController.checkpointsDir", "", differently, kOwnFolder},
    {"crawlLimiter.maxNovelUrls", "0", taken, "no limit"},
    {"crawlLimiter.maxNovelUrls", "", without, "limits.max-documents counts all captured documents"},
    {"crawlLimiter.maxWarcNovelUrls", "0", taken, "no limit"},
    {"crawlLimiter.maxWarcNovelUrls", "", without, "limits.max-documents counts all captured documents"},
    {"crawlLimiter.maxWarcNovelBytes", "0", taken, "no limit"},
    {"crawlLimiter.maxWarcNovelBytes", "", without,
     "limits.max-warc-bytes counts bytes of WARC files, revisits with them"},
    {"checkpointService.checkpointsDir", "", differently, kOwnFolder},
    {"checkpointService.forgetAllButLatest", "false", differently, "checkpoint.kept says how many are kept"},
    {"actionDirectory.actionDir", "", differently, "the folder action/ of the launch"},
    {"actionDirectory.doneDir", "", differently, "files that are done go into the folder action/done of the launch"},
    {"actionDirectory.initialDelaySeconds", "", differently, "the folder is looked at from the beginning on"},
    {"diskSpaceMonitor.monitorConfigPaths", "", differently, "the disks that the crawl writes to are watched"},
    {"diskSpaceMonitor.monitorPaths", "", differently, "the disks that the crawl writes to are watched"},
    {"lowDiskPause.monitorMounts", "", differently, "the disks that the crawl writes to are watched"},
    {"lowDiskPause.recheckThresholdKb", "", differently, "free space is asked for all the time"},
    {"statisticsTracker.reports", "", differently, "Caddis writes all its reports"},
    {"statisticsTracker.reportsDir", "", differently, kOwnFolder},
    {"statisticsTracker.liveHostReportSize", "", differently, "caddis frontier lists as many hosts as are asked for"},
    {"statisticsTracker.keepSnapshotsCount", "", differently, "progress-statistics.log has them all"},
    {"statisticsTracker.trackSeeds", "", differently, "the seeds report is always written"},
    {"statisticsTracker.trackSources", "", differently, "the seed of each URL is known (rules: source-seed)"},
    {"loggerModule.path", "", differently, kOwnFolder},
    {"loggerModule.crawlLogPath", "", differently, kOwnFolder},
    {"loggerModule.alertsLogPath", "", differently, kOwnFolder},
    {"loggerModule.progressLogPath", "", differently, kOwnFolder},
    {"loggerModule.uriErrorsLogPath", "", differently, kOwnFolder},
    {"loggerModule.runtimeErrorsLogPath", "", differently, kOwnFolder},
    {"loggerModule.nonfatalErrorsLogPath", "", differently, kOwnFolder},
    {"loggerModule.upSimpleLog", "", differently, kOwnFolder},
    {"bdb.dir", "", differently, kOwnFolder},
    {"bdb.cachePercent", "", differently, kMemory},
    {"bdb.cacheSize", "", differently, kMemory},
    {"bdb.useSharedCache", "", differently, kMemory},
    {"bdb.expectedConcurrency", "", differently, kMemory},
    {"bdb.evictorCoreThreads", "", differently, kMemory},
    {"bdb.evictorMaxThreads", "", differently, kMemory},
    {"bdb.cleanerThreads", "", differently, kMemory},
    {"bdb.maxLogFileSize", "", differently, kMemory},
    {"bdb.useHardLinkCheckpoints", "", differently, "checkpoints are links"},
    {"bdb.checkpointCopyLogs", "", differently, "checkpoints are links"},
    {"uriUniqFilter.bloomFilter", "", differently, "the set of known URLs is exact"},
    // Heritrix 1
    {"scope.recordDecidingRule", "", differently, "caddis scope explain tells which rule decides"},
    {"scope.excludeFilter", "", without, "write its filters as rules of scope.rules"},
    {"scope.rereadSeedsOnConfig", "", differently,
     "seeds are added while the crawl runs by the folder action/ (.seeds)"},
    {"candidates.preferenceDepthHops", "", taken, "frontier.depth-preference"},
    {"candidates.scopeRejectedUrlRules", "", taken, "it lets every URL through"},
    {"crawlController.settingsDirectory", "", taken, "settings of hosts in it are sheets"},
    {"crawlController.diskPath", "", differently, kOwnFolder},
    {"crawlController.statePath", "", differently, kOwnFolder},
    {"crawlController.recoverPath", "", differently,
     "name such a log when the crawl begins: caddis crawl --recover FILE"},
    {"crawlController.recoverRetainFailures", "", differently, "caddis crawl --recover-retry-failures"},
    {"crawlController.recoverScopeIncludes", "", differently, "caddis crawl --recover-in-scope"},
    {"crawlController.recoverScopeEnqueues", "", differently, "caddis crawl --recover-in-scope"},
    // Before the fetch
    {"candidateProcessors.processors", "", taken, "the scope, and the order of URLs"},
    {"preselector.blockAll", "false", taken, "nothing is blocked"},
    {"preselector.blockAll", "true", without, "pause the crawl: caddis pause"},
    {"preconditions.ipValidityDurationSeconds", "", differently, "addresses are kept as long as DNS says they hold"},
    {"preconditions.calculateRobotsOnly", "false", taken, "robots.txt is obeyed by robots.policy"},
    {"preconditions.calculateRobotsOnly", "true", without,
     "robots.policy: ignore fetches such URLs, but crawl.log does not say which they are"},
    {"fetchDns.acceptNonDnsResolves", "", differently, "dns.hosts names fixed addresses"},
    {"fetchDns.disableJavaDnsResolves", "", differently, "dns.servers are asked, and nobody else"},
    // The fetch
    {"fetchHttp.defaultEncoding", "", differently, "the charset of a page is found as browsers do"},
    {"fetchHttp.sendIfModifiedSince", "true", differently, "dedup.conditional asks so, if it is set"},
    {"fetchHttp.sendIfModifiedSince", "false", taken, "dedup.conditional is off"},
    {"fetchHttp.sendIfNoneMatch", "true", differently, "dedup.conditional asks so, if it is set"},
    {"fetchHttp.sendIfNoneMatch", "false", taken, "dedup.conditional is off"},
    {"fetchHttp.useBdbForCookies", "", differently, "Caddis keeps cookies with its state"},
    {"candidates.scopeEmbeddedLinks", "true", taken, "the scope is asked about each link"},
    {"candidates.scopeEmbeddedLinks", "false", differently, "accept embeds in scope.rules: 'accept embed'"},
    {"fetchHttp.useHTTP3", "false", taken, "no HTTP/3"},
    {"fetchHttp.useHTTP3", "true", differently, "Caddis speaks HTTP/2 and HTTP/1.1 (fetch.http-version)"},
    // Links
    {"extractorHtml.maxElementLength", "", differently, kNoProgram},
    {"extractorHtml.maxAttributeNameLength", "", differently, kNoProgram},
    {"extractorHtml.maxAttributeValLength", "", differently, "extract.max-url-length bounds URLs"},
    {"extractorHtml.maxAttributeValueLength", "", differently, "extract.max-url-length bounds URLs"},
    {"extractorHtml.ignoreUnexpectedHtml", "", differently,
     "what a document is follows from its beginning, not from its name"},
    {"extractorHtml.overlyEagerLinkDetection", "", differently,
     "extract.value-attributes and extract.javascript say which strings are links"},
    {"extractorHtml.charset", "", differently, "the charset of a page is found as browsers do"},
    {"extractorHttp.inferRootPage", "false", taken, "no such page is asked for"},
    {"extractorHttp.inferRootPage", "true", without, "name the front page as a seed"},
    {"extractorHttp.inferPaths", "", without, "name such pages as seeds"},
    {"extractorSitemap.urlPattern", "", without, "write it as a rule of scope.rules"},
    {"extractorSitemap.enableLenientExtraction", "", differently, "sitemaps are read as far as they can be"},
    {"candidates.processErrorOutlinks", "", differently,
     "documents of any status are searched for links, 404 by extract.not-found-pages"},
    {"candidates.seedsRedirectNewSeedsAllowTLDs", "true", taken, "such redirects are followed"},
    {"candidates.seedsRedirectNewSeedsAllowTLDs", "false", without, "set scope.seed-redirects to false"},
    // The frontier
    {"frontier.snoozeLongMs", "", differently, "Heritrix does not use it either"},
    {"frontier.dumpPendingAtClose", "", differently, "caddis frontier lists what waits"},
    {"frontier.largestQueuesCount", "", differently, "caddis frontier lists as many hosts as are asked for"},
    {"frontier.maxQueuesPerReportCategory", "", differently, "caddis frontier lists as many hosts as are asked for"},
    {"frontier.extractIndependently", "false", taken, "a document is searched for links once"},
    {"frontier.extractIndependently", "true", differently,
     "a document is searched for links once, by the extractor of its kind"},
    {"frontier.holdQueues", "", differently, "hosts wait on disk until there is room for them"},
    {"frontier.targetReadyBacklog", "", differently, "hosts wait on disk until there is room for them"},
    {"frontier.outbound", "", differently, "Heritrix 3 does not use it either"},
    {"frontier.inbound", "", differently, "Heritrix 3 does not use it either"},
    {"frontier.beanName", "", differently, kWired},
    {"queueAssignmentPolicy.deferToPrevious", "", differently, "the politeness of a host follows from its name alone"},
    {"queueAssignmentPolicy.parallelQueuesRandomAssignment", "", differently, "URLs of a host need no such split here"},
    {"queueAssignmentPolicy.forceQueueAssignment", "", without,
     "name the hosts that belong together in politeness.groups"},
    {"queuePrecedencePolicy.basePrecedence", "", differently, "queues that are due come in turn"},
    {"queuePrecedencePolicy.incrementCounts", "", differently, "steps of 100, 1000, …"},
    {"uriPrecedencePolicy.navlinksOnly", "true", taken, "frontier.order: hops counts links"},
    {"uriPrecedencePolicy.navlinksOnly", "false", differently, "frontier.order: hops counts links alone"},
    {"disposition.forceRetire", "false", taken, "nothing is retired"},
    {"disposition.forceRetire", "true", differently,
     "a host is retired by caddis frontier --host HOST --retire, while the crawl runs"},
    // Archives
    {"warcWriter.directory", "", differently, kOwnFolder},
    {"warcWriter.storePaths", "", differently,
     "the folder archive/ of the collection; archive.folders names more of them"},
    {"warcWriter.maxWaitForIdleMs", "", differently, "no visit waits for a writer"},
    {"warcWriter.poolMaxActive", "", differently, "one writer keeps up with all lanes"},
    {"warcWriter.poolMaxWaitMs", "", differently, "no visit waits for a writer"},
    {"warcWriter.writeBufferSize", "", differently, "captures are written in groups"},
    {"warcWriter.frequentFlushes", "", differently, "a group of captures is on disk each second"},
    {"warcWriter.startNewFilesOnCheckpoint", "true", taken, "a checkpoint closes the file that is being written"},
    {"warcWriter.startNewFilesOnCheckpoint", "false", differently,
     "a checkpoint closes the file that is being written"},
    {"warcWriter.skipIdenticalDigests", "false", taken, "nothing is left out"},
    {"warcWriter.skipIdenticalDigests", "true", differently, kOwnRevisits},
    {"warcWriter.writeRequests", "true", taken, "request records are written"},
    {"warcWriter.writeRequests", "false", differently, "request records are always written"},
    {"warcWriter.writeMetadata", "true", taken, "metadata records are written"},
    {"warcWriter.writeMetadata", "false", differently,
     "metadata records are always written; archive.outlinks: false makes them short"},
    {"warcWriter.writeRevisitForIdenticalDigests", "", differently, kOwnRevisits},
    {"warcWriter.writeRevisitForNotModified", "", differently, kOwnRevisits},
    {"warcWriter.metadata", "", differently, kWired},
    {"warcWriter.chain", "", taken, "the records that Caddis writes"},
    {"warcWriter.suffix", "", differently, "archive.host-name and archive.name-template say how files are called"},
    {"warcWriter.metadataItems", "", without, "the warcinfo record has archive.operator, description and is-part-of"},
    {"warcWriter.generator", "", differently, "records have identifiers of their own"},
    {"deDuplicator.indexLocation", "", without,
     "make an index of the earlier captures (caddis dedup build), and name it in dedup.against"},
    {"deDuplicator.changeContentSize", "", differently, "crawl.log has both sizes"},
    {"deDuplicator.analysisMode", "", differently, "timestamps are not compared: payloads are"},
    {"deDuplicator.analyzeMode", "", differently, "timestamps are not compared: payloads are"},
    {"deDuplicator.logLevel", "", differently, kOwnRevisits},
    {"deDuplicator.origin", "", differently, kOwnRevisits},
    {"deDuplicator.originHandling", "", differently, "revisit records name the capture that they repeat"},
    {"deDuplicator.statsPerHost", "", differently, "the hosts report has novel bytes"},
    {"deDuplicator.useSparseRangeFilter", "", differently, kOwnRevisits},
    {"deDuplicator.revisitInWarcs", "", differently, kOwnRevisits},
    {"fetchHistoryProcessor.historyLength", "", differently, "the latest captures of a URL are known"},
    {"digestHistoryLoader.contentDigestHistory", "", differently, kWired},
    {"digestHistoryStorer.contentDigestHistory", "", differently, kWired},
    {"persistLoad.preloadSource", "", without, "name the earlier collection in dedup.against"},
    {"persistLoad.preloadSourceUrl", "", without, "name the earlier collection in dedup.against"},
    {"*.historyDbName", "", differently, kOwnRevisits},
    {"*.onlyStoreIfWriteTagPresent", "", differently, kOwnRevisits},
    {"robotsPolicy.shouldMasquerade", "false", taken, "the crawl keeps its own User-Agent"},
    {"robotsPolicy.shouldMasquerade", "true", differently, "the crawl keeps its own User-Agent"},
    {"sheet.name", "", differently, "sheets are called by the ids of their beans"},
    {"configPathConfigurer.path", "", differently, kWired},
});

bool is_of(std::string_view name, std::string_view role, std::string_view property) {
  const size_t dot = name.find('.');
  return name.substr(dot + 1) == property && (name.substr(0, dot) == role || name.substr(0, dot) == "*");
}

}  // namespace

std::span<const PropertyNote> property_notes() { return kNotes; }

const PropertyNote* find_property_note(std::string_view role, std::string_view property, std::string_view value) {
  const std::string stated = to_lower(value);
  const auto* const found = std::ranges::find_if(kNotes, [&](const PropertyNote& note) {
    return is_of(note.name, role, property) && (note.value.empty() || note.value == stated);
  });
  return found == std::end(kNotes) ? nullptr : &*found;
}

}  // namespace caddis::heritrix
