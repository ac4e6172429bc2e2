#include "caddis/repair/repair_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/counted.h"
#include "caddis/repair/store_rows.h"

namespace caddis::repair {
namespace {

// Only those are kept elsewhere by people.
bool is_finished_archive(const store::ShortFile& file) { return is_archive_stream(file.stream) && file.is_complete; }

std::string first_of(const std::vector<std::string>& names) {
  constexpr size_t kNamed = 5;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kNamed); ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kNamed) text += fmt::format(" and {} more", names.size() - kNamed);
  return text;
}

std::string names_of(const std::vector<store::ShortFile>& files) {
  std::vector<std::string> names;
  for (const store::ShortFile& file : files) names.push_back(file.path);
  return first_of(names);
}

std::string ask_for(const std::vector<store::ShortFile>& files) {
  const bool is_one = files.size() == 1;
  return fmt::format(
      "{} that this crawl wrote {} there any more: {}. Put {} back (a link will do), or say what became of {}: {}",
      counted(files.size(), "file"), is_one ? "is not" : "are not", names_of(files), is_one ? "it" : "them",
      is_one ? "it" : "them",
      std::ranges::all_of(files, is_finished_archive)
          ? "'--missing moved' where WARC files are kept elsewhere now, so that their captures stand; '--missing lost' "
            "fetches again what was captured in them"
          : "with '--missing lost' the crawl goes back to where nothing but WARC files is missing, if that is among "
            "its "
            "latest groups, else on without the lines and known URLs that are gone; what was captured in missing WARC "
            "files is fetched again");
}

std::string loss_of(const store::ShortFile& file) {
  if (!file.is_missing)
    return fmt::format("{}: the disk has lost {} that it had said were safe", file.path,
                       counted(file.committed - file.found, "byte"));
  return fmt::format("{} is not there any more{}", file.path,
                     is_indexed_archive_stream(file.stream) ? ": what was captured in it is fetched again"
                     : is_archive_stream(file.stream)       ? ": the first writer's copy of its captures stands"
                                                            : "");
}

std::string remedy_of(const store::SeenDamage& seen) {
  if (!seen.needs)
    return "which URLs are known cannot be told without it, since the fingerprint log of that time was let go: go back "
           "to a checkpoint ('caddis crawl --resume --checkpoint NAME'), or begin a new crawl from one "
           "('--from-checkpoint')";
  if (*seen.needs == store::SeenMending::replaced)
    return "the seen-set is made anew from its log and the runs before, which have all that it held";
  return "what can be read of it is kept; known URLs that stood in damaged blocks may be fetched again";
}

}  // namespace

std::vector<store::ShortFile> RepairPlan::unanswered() const {
  std::vector<store::ShortFile> files;
  std::ranges::copy_if(damaged, std::back_inserter(files), &store::ShortFile::is_missing);
  const bool is_said = missing == MissingFiles::lost ||
                       (missing == MissingFiles::moved && std::ranges::all_of(files, is_finished_archive));
  if (is_said) files.clear();
  return files;
}

bool RepairPlan::is_seen_torn() const {
  return std::ranges::any_of(cuts, [](const Cut& cut) { return cut.file.stream == kSeenStream; });
}

Remedy RepairPlan::remedy() const {
  if (!unanswered().empty() || (!seen.what.empty() && !seen.needs)) return Remedy::unknown;
  if (seen.needs == store::SeenMending::salvaged) return Remedy::losing;
  Remedy needed = seen.what.empty() ? Remedy::none : Remedy::lossless;
  if (damaged.empty()) return needed;
  if (std::ranges::all_of(damaged, &store::ShortFile::is_missing)) return std::max(needed, Remedy::told);
  return std::ranges::all_of(cuts, [](const Cut& cut) { return cut.file.is_missing; }) ? Remedy::lossless
                                                                                       : Remedy::losing;
}

std::vector<std::string> RepairPlan::losses() const {
  std::vector<std::string> told;
  const bool is_moved = missing == MissingFiles::moved;
  for (const store::ShortFile& file : damaged)
    if (!is_moved || !file.is_missing) told.push_back(loss_of(file));
  if (back)
    told.push_back(fmt::format(
        "the crawl goes back by {} for it, to where nothing is missing: {} made again, and counted twice in "
        "its figures",
        counted(back->groups, "group"), counted(back->visits, "visit is", "visits are")));
  if (!cuts.empty())
    told.push_back(
        fmt::format("what was lost lies further back than the latest groups: {} made again; of lost lines of logs only "
                    "the number of bytes is known. Where the index journal is short, make the index anew with 'caddis "
                    "index add'",
                    counted(urls.size(), "capture is", "captures are")));
  if (!requests.empty())
    told.push_back(fmt::format(
        "answers to a POST are lost, and are not asked for again by themselves: {}. A file NAME.requests in the folder "
        "action/ sends them once more",
        first_of(requests)));
  return told;
}

std::vector<std::string> RepairPlan::remarks() const {
  std::vector<std::string> told;
  if (missing != MissingFiles::moved) return told;
  for (const store::ShortFile& file : given_up)
    told.push_back(fmt::format("{} is not there any more: it was moved, and its captures stand", file.path));
  if (back && !given_up.empty())
    told.emplace_back(
        "what moved files hold of the groups that are taken back is fetched again, too: it will be in the archive "
        "twice");
  return told;
}

std::vector<std::string> RepairPlan::sentences() const {
  if (const auto files = unanswered(); !files.empty()) return {ask_for(files)};
  std::vector<std::string> told = remarks();
  for (std::string& loss : losses()) told.push_back(std::move(loss));
  if (!seen.what.empty()) told.push_back(fmt::format("{}; {}", seen.what, remedy_of(seen)));
  return told;
}

Error refusal(const RepairPlan& plan, const std::string& collection) {
  if (const auto files = plan.unanswered(); !files.empty()) return {ErrorCode::config, ask_for(files)};
  if (!plan.seen.what.empty() && !plan.seen.needs)
    return {ErrorCode::corrupt, fmt::format("{}; {}", plan.seen.what, remedy_of(plan.seen))};
  const auto found = plan.sentences();
  return {ErrorCode::corrupt,
          fmt::format("{}. No death of the crawl does that. 'caddis repair {}' shows all that is wrong and what can be "
                      "done, and does it with '--apply'; '--set crawl.repair={}' does it whenever the crawl is resumed",
                      found.empty() ? "something is damaged" : found.front(), collection,
                      plan.remedy() == Remedy::losing ? "always" : "lossless")};
}

}  // namespace caddis::repair
