// The annotations of a line of crawl.log: which there are, what they say, in which order, and how they are written. One
// table for whoever writes the line (visit/annotations.cc), and for whoever turns lines into logs in JSON and back
// (line_upgrade.cc).
//
// Pure functions; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/logs/json_log.h"

namespace caddis::logs {

// An annotation, and the word of a field that says the same.
using AnnotatedWord = std::pair<std::string_view, std::string_view>;
inline constexpr auto kTruncations = std::to_array<AnnotatedWord>({{"lenTrunc", "length"},
                                                                   {"timeTrunc", "time"},
                                                                   {"disconnectTrunc", "disconnect"},
                                                                   {"headerTrunc", "head"},
                                                                   {"midFetchAbort", "unwanted"}});
inline constexpr auto kBodyFlaws =
    std::to_array<AnnotatedWord>({{"readTrunc", "read-in-part"}, {"decodeProblem", "undecodable"}});
// How the capture was found that has the payload already.
inline constexpr auto kLikenesses =
    std::to_array<AnnotatedWord>({{"warcRevisit:digest", "url"}, {"warcRevisit:uriAgnosticDigest", "digest"}});

// An annotation, and the field that has what stands behind it.
using AnnotatedField = std::pair<std::string_view, JsonField>;
inline constexpr auto kTextAnnotations =
    std::to_array<AnnotatedField>({{"Q:", JsonField::quota},
                                   {"limit:", JsonField::limit},
                                   {"hung:", JsonField::hang},
                                   {"scope:", JsonField::rule},
                                   {"refused:", JsonField::refused_address},
                                   {"unsatisfiableContentEncoding:", JsonField::unknown_coding},
                                   {"wall:", JsonField::wall},
                                   {"directives:", JsonField::directives},
                                   {"login:", JsonField::login}});
std::string_view annotation_of(JsonField field);

// Heritrix's words for the listing of a folder, by protocol, and one of ours.
inline constexpr auto kFolderListings = std::to_array<AnnotatedWord>(
    {{"ftpDirectoryList", "ftp"}, {"sftpDirectoryList", "sftp"}, {"fileDirectoryList", "file"}});

inline constexpr std::string_view kAgain = "again:", kDroppedLinks = "dol:", kContentSize = "content-size:",
                                  kDuplicate = "duplicate:", kDigest = "digest",
                                  kNotModified = "warcRevisit:notModified", kRevisitOf = "revisitOf:", kHttp2 = "h2",
                                  kHttpProblem = "httpProblem", kDocumentProblem = "documentProblem",
                                  kAgainstRobots = "againstRobots",
                                  kModuleError = "moduleError:", kNotMirrored = "notMirrored",
                                  kConsentWall = "consentWall", kNoRecords = "noRecords", kNoRoom = "noRoom";
// The profiles of the field `revisit`.
inline constexpr std::string_view kUnchanged = "server-not-modified", kIdentical = "identical-payload-digest";

// A payload that is stored already, as annotations have it. Texts are those of the fields.
struct AnnotatedRevisit {
  std::string_view profile, likeness;  // no profile: it is none
  std::string_view url;                // of the capture that has it
  std::string digits;                  // its date, 17 digits
};

// How it came to its end.
struct AnnotatedFate {
  uint64_t attempts = 1, captured_before = 0;
  std::string_view quota, limit, hang, given_up, rule, refused_address;
};

// The facts that annotations tell, in their order. Texts are borrowed, and are those of the fields.
struct AnnotationFacts {
  AnnotatedFate fate;
  std::string_view protocol, truncated;
  std::string_view listed_by;  // "ftp": it is the listing of a folder
  bool has_problem = false;
  std::string_view unknown_coding, body_flaw;
  uint64_t dropped_links = 0;
  bool has_document_problem = false;
  std::string_view wall, directives, login;
  std::span<const std::string> words, failed_modules;
  AnnotatedRevisit revisit;
  uint64_t unmirrored = 0;
  bool opens_wall = false, is_against_robots = false, is_left_out = false, has_no_room = false;
};

std::vector<std::string> annotations_of(const AnnotationFacts& facts);

}  // namespace caddis::logs
