// A deletion has a file in the folder of its job from before its first part until the server has its answer: its place while
// it goes on, its answer from then on.

#include "caddis/harvestserver/crawl_questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "caddis/base/json_text.h"
#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/control/asked_crawl.h"
#include "caddis/control/json_reader.h"
#include "caddis/engine/log_page.h"

namespace caddis::harvestserver {
namespace {

using control::PartWalk;

constexpr Duration kPatience = std::chrono::seconds(10);
constexpr Duration kScriptPatience = std::chrono::seconds(40);  // less than that of whoever waits for the answer
constexpr Duration kTurn = std::chrono::seconds(1);             // of one deletion
constexpr size_t kMostNote = 1 << 16;

// A deletion, as its file has it.
struct Note {
  PartWalk::Place place;
  std::optional<harvest::CrawlAnswer> answer;
};

std::string note_file(const QuestionedCrawl& crawl, int64_t question) {
  return fmt::format("{}/deletion-{}.json", crawl.folder, question);
}

std::string note_json(const PartWalk::Place& place, const harvest::CrawlAnswer* answer) {
  JsonObject json;
  json.add("marker", place.marker).add("urls", place.urls);
  if (answer != nullptr) json.add_raw("answer", to_json(*answer));
  return json.finish();
}

Result<Note> read_note(const std::string& text) {
  control::JsonReader json(text);
  Note note;
  int64_t urls = 0;
  std::string answer;
  json.take("marker", note.place.marker);
  json.take("urls", urls);
  json.take_raw("answer", answer);
  note.place.urls = static_cast<uint64_t>(urls);
  if (!answer.empty()) {
    TRY(note.answer, read_answer(answer));
  }
  return json.finish(std::move(note));
}

Result<std::string> log_lines(io::Files& files, const QuestionedCrawl& crawl, const std::string& text) {
  TRY(const LogQuestion asked, read_log_question(text));
  if (asked.name.contains('/') || asked.name.starts_with('.'))
    return fail(ErrorCode::parse, fmt::format("'{}' is no log", asked.name));
  TRY(const collection::Launch launch, crawl.launch());
  engine::LogQuery query;
  query.regex = asked.match;
  query.reverse = asked.reverse;
  query.limit = static_cast<size_t>(std::clamp<int64_t>(asked.limit, 1, 10'000));
  if (asked.from) query.from = static_cast<uint64_t>(*asked.from);
  const std::string log = fmt::format("{}/{}", launch.logs(), asked.name);
  if (!files.exists(log)) return fail(ErrorCode::not_found, fmt::format("the crawl has no log '{}'", asked.name));
  TRY(const engine::LogPage page, engine::read_log_page(files, log, query));
  return to_json(harvest::LinePage{page.lines, page.next});
}

// How many URLs are known to be deleted or counted, for the end of a sentence.
std::string so_far(const DeletionOrder& order, uint64_t urls, bool was_interrupted) {
  return fmt::format("{}{} {} until then", was_interrupted && !order.dry ? "at least " : "", urls,
                     order.dry ? "counted" : "deleted");
}

}  // namespace

CrawlQuestions::CrawlQuestions(io::Files& files, const Clock& clock, const ServerLink& link, std::string path,
                               Duration tell_interval)
    : files_(files), clock_(clock), link_(link), path_(std::move(path)), tell_interval_(tell_interval) {}

void CrawlQuestions::take(const QuestionedCrawl& crawl, const std::vector<harvest::CrawlQuestion>& questions) {
  forget_all_but(questions);
  for (const harvest::CrawlQuestion& question : questions) {
    if (!answers_.contains(question.id)) find_answer(crawl, question);
    if (!answers_.contains(question.id)) continue;
    const auto told = tell_answer(crawl, question.id);
    if (told) continue;
    log_warn("harvester", "an answer of {} was not taken: {}", crawl.folder, told.error().message);
    return;
  }
}

// Nobody asks for them any more: the server has their answers, or has forgotten them.
void CrawlQuestions::forget_all_but(const std::vector<harvest::CrawlQuestion>& questions) {
  const auto is_gone = [&](int64_t id) {
    return std::ranges::none_of(questions, [&](const harvest::CrawlQuestion& one) { return one.id == id; });
  };
  std::erase_if(answers_, [&](const auto& one) { return is_gone(one.first); });
  std::erase_if(deletions_, [&](const Deletion& one) { return is_gone(one.question); });
}

// A deletion has none yet.
void CrawlQuestions::find_answer(const QuestionedCrawl& crawl, const harvest::CrawlQuestion& question) {
  const auto fails = [&](const Error& why) { answers_[question.id] = {"", why.message}; };
  if (question.kind != "delete") {
    const auto found = answer_of(crawl, question);
    if (!found) return fails(found.error());
    answers_[question.id] = {*found, ""};
    return;
  }
  if (const auto begun = begin(crawl, question); !begun) return fails(begun.error());
  look_whether_to_end(crawl, question);
}

Result<void> CrawlQuestions::begin(const QuestionedCrawl& crawl, const harvest::CrawlQuestion& question) {
  const auto is_it = [&](const Deletion& one) { return one.question == question.id; };
  if (std::ranges::any_of(deletions_, is_it)) return {};
  TRY(DeletionOrder order, read_deletion(question.text));
  const auto before = files_.read_all(note_file(crawl, question.id), kMostNote);
  Note note;
  if (!before && before.error().code != ErrorCode::not_found) return std::unexpected(before.error());
  if (before) {
    TRY(note, read_note(*before));
  }
  if (note.answer) {
    answers_[question.id] = *std::move(note.answer);
    return {};
  }
  const auto does = order.dry ? PartWalk::Does::count : PartWalk::Does::remove;
  Deletion deletion{question.id, std::move(order), PartWalk(does, std::move(note.place)), before.has_value()};
  TRY_VOID(write_down(crawl, deletion));
  deletions_.push_back(std::move(deletion));
  return {};
}

void CrawlQuestions::look_whether_to_end(const QuestionedCrawl& crawl, const harvest::CrawlQuestion& question) {
  if (!question.is_given_up && !crawl.has_ended) return;
  const auto it = std::ranges::find(deletions_, question.id, &Deletion::question);
  if (it == deletions_.end()) return;
  const Error why{ErrorCode::closed, fmt::format("{}; {}", crawl.has_ended ? "the crawl has ended" : "it was given up",
                                                 so_far(it->order, it->walk.place().urls, it->was_interrupted))};
  end(crawl, *it, &why);
  deletions_.erase(it);
}

void CrawlQuestions::step(const QuestionedCrawl& crawl) {
  if (deletions_.empty()) return;
  Deletion deletion = std::move(deletions_.front());
  deletions_.pop_front();
  const SteadyTime until = clock_.steady() + kTurn;
  Result<bool> is_over = false;
  do {
    is_over = do_part(crawl, deletion);
  } while (is_over && !*is_over && clock_.steady() < until);
  if (is_over && !*is_over) {
    if (clock_.steady() >= deletion.next_tell) tell_progress(deletion);
    deletions_.push_back(std::move(deletion));
    return;
  }
  end(crawl, deletion, is_over ? nullptr : &is_over.error());
  const auto told = tell_answer(crawl, deletion.question);
  if (!told) log_warn("harvester", "an answer of {} was not taken: {}", crawl.folder, told.error().message);
}

Result<bool> CrawlQuestions::do_part(const QuestionedCrawl& crawl, Deletion& deletion) {
  const DeletionOrder& order = deletion.order;
  const auto ask = [&](const std::string& marker) {
    const std::string query = control::query_of({{"host", order.host},
                                                 {"regex", order.regex},
                                                 {"dry", order.dry ? "1" : ""},
                                                 {"nearest", order.dry ? "1" : ""},
                                                 {"marker", marker}});
    return crawl.ask({.method = "POST", .target = "/urls/delete?" + query, .actor = order.actor}, kPatience);
  };
  TRY(const bool is_over, deletion.walk.step(ask));
  if (is_over) return true;
  const auto written = write_down(crawl, deletion);
  if (!written)
    return fail(written.error().code, fmt::format("{}; {}", written.error().message,
                                                  so_far(order, deletion.walk.place().urls, deletion.was_interrupted)));
  return false;
}

Result<void> CrawlQuestions::write_down(const QuestionedCrawl& crawl, const Deletion& deletion) const {
  return files_.write_atomically(note_file(crawl, deletion.question), note_json(deletion.walk.place(), nullptr));
}

// The answer is kept here even if it cannot be written down.
void CrawlQuestions::end(const QuestionedCrawl& crawl, const Deletion& deletion, const Error* why) {
  harvest::CrawlAnswer answer;
  if (why != nullptr)
    answer.problem = why->message;
  else
    answer.text = deleted_json(deletion.order, {deletion.walk.place().urls, deletion.was_interrupted});
  const auto written =
      files_.write_atomically(note_file(crawl, deletion.question), note_json(deletion.walk.place(), &answer));
  if (!written) log_warn("harvester", "{}", written.error().message);
  answers_[deletion.question] = std::move(answer);
}

// Before a script runs its number is on disk: if this process ends meanwhile, it does not run twice.
Result<std::string> CrawlQuestions::run_script(const QuestionedCrawl& crawl,
                                               const harvest::CrawlQuestion& question) const {
  const std::string note = crawl.folder + "/last-script";
  const auto last = files_.read_all(note, 64);
  if (last && parse_int(trim(*last)).value_or(0) >= question.id)
    return fail(ErrorCode::closed, "the harvester has ended while the script ran: what it has done is not known");
  TRY_VOID(files_.write_atomically(note, std::to_string(question.id)));
  TRY(const ScriptOrder order, read_script(question.text));
  const std::string session = fmt::format("{} {}", order.actor, order.session);
  return crawl.ask({.method = "POST",
                    .target = "/console?" + control::query_of({{"session", session}}),
                    .body = order.script,
                    .actor = order.actor},
                   kScriptPatience);
}

Result<std::string> CrawlQuestions::answer_of(const QuestionedCrawl& crawl,
                                              const harvest::CrawlQuestion& question) const {
  if (question.kind == "log") return log_lines(files_, crawl, question.text);
  if (question.kind == "script") return run_script(crawl, question);
  if (question.kind != "queues" && question.kind != "report")
    return fail(ErrorCode::unsupported, fmt::format("this harvester has no answer to '{}'", question.kind));
  TRY(const ReportQuestion asked, read_report_question(question.text));
  TRY(std::string answer, crawl.ask({.method = "GET", .target = asked.target}, kPatience));
  if (question.kind == "report") return answer;
  return JsonObject().add_raw("queues", answer).finish();
}

Result<void> CrawlQuestions::tell_answer(const QuestionedCrawl& crawl, int64_t question) {
  const auto it = answers_.find(question);
  TRY_VOID(ask(
      link_, {.method = "POST", .target = fmt::format("{}/answers/{}", path_, question), .body = to_json(it->second)}));
  answers_.erase(it);
  const std::string note = note_file(crawl, question);
  return files_.exists(note) ? files_.remove(note) : Result<void>();
}

// One that is not taken is told by the next.
void CrawlQuestions::tell_progress(Deletion& deletion) {
  deletion.next_tell = clock_.steady() + tell_interval_;
  const auto told = ask(link_, {.method = "POST",
                                .target = fmt::format("{}/questions/{}", path_, deletion.question),
                                .body = JsonObject().add("done", deletion.walk.place().urls).finish()});
  if (!told) log_debug("harvester", "{}", told.error().message);
}

}  // namespace caddis::harvestserver
