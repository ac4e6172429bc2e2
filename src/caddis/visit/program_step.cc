// Has a program of others look for links (docs/programs.md). Only a few URLs are put to one: the settings name them.

#include <fmt/format.h>

#include <atomic>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "caddis/archive/capture.h"
#include "caddis/extract/extract.h"
#include "caddis/extract/plan.h"
#include "caddis/extract/program_links.h"
#include "caddis/process/programs.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/said_directives.h"
#include "caddis/visit/steps.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

class ProgramStep final : public Step {
 public:
  explicit ProgramStep(LaneTools& tools) : tools_(tools) {}
  std::string_view name() const override { return "program"; }
  bool waits() const override { return true; }

  aio::Task<Result<Next>> run_waiting(Visit& visit) override {
    if (!is_asked(visit)) co_return Next::on();
    const process::Sandbox sandbox = visit.site().extract.program.sandbox;
    process::ProgramCall call = call_for(visit);
    std::optional<Error> failure;
    // While it waits for its program, the document is where it was received, not in memory.
    if (visit.document.body->is_away())
      call.bring = [&failure, make = visit.document.bringer()] {
        auto made = make();
        if (!made) failure = made.error();
        return made;
      };
    process::ProgramOutcome outcome = co_await tools_.context.programs.run(tools_.loop, std::move(call), sandbox);
    if (failure) co_return std::unexpected(*std::move(failure));
    if (tools_.is_aborted && !outcome.problem.empty()) {
      visit.give_back();
      co_return Next::finish();
    }
    join(visit, std::move(outcome));
    co_return Next::on();
  }

  void report_parts(std::vector<StepPart>& parts) const override {
    parts.push_back({.name = "program",
                     .times = times_.load(std::memory_order_relaxed),
                     .links = links_.load(std::memory_order_relaxed),
                     .dropped = dropped_.load(std::memory_order_relaxed)});
    parts.push_back({.name = "program-failed", .times = failed_.load(std::memory_order_relaxed)});
  }

 private:
  static bool is_asked(Visit& visit) {
    const http::Exchange* const exchange = visit.document.readable();
    if (!visit.document.body || exchange == nullptr) return false;
    if (!visit.site().links->asks_program(visit.url()->href())) return false;
    const int status = exchange->head.status();
    if (status < 200 || status >= 300) return false;
    return !forbids_following(visit);
  }

  static process::ProgramCall call_for(Visit& visit) {
    const extract::ProgramOptions& options = visit.site().extract.program;
    const extract::ProgramQuestion question{
        .url = visit.url()->href(),
        .via = visit.line->entry.via,
        .content_type = visit.document.readable()->head.find("content-type").value_or(""),
        .file = process::kDocumentPath};
    process::ProgramCall call;
    call.command = extract::program_command(options.command, question);
    call.question = extract::program_question(question);
    visit.document.body->put_away();
    if (!visit.document.body->is_away()) call.document = visit.document.body->bytes();
    call.limits = {options.time_limit, static_cast<uint64_t>(options.memory)};
    return call;
  }

  void join(Visit& visit, process::ProgramOutcome outcome) {
    const extract::Options& options = visit.site().extract;
    auto& extracted = visit.document.extracted;
    if (!extracted) extracted.emplace();
    auto found = outcome.problem.empty()
                     ? extract::parse_program_answer(outcome.answer, options.renditions, options.max_links)
                     : fail(ErrorCode::closed, outcome.problem);
    ++times_;
    if (!found) {
      ++failed_;
      std::string& problem = visit.line->entry.facts.body.document_problem;
      problem += (problem.empty() ? "program: " : "; program: ") + found.error().message;
      return;
    }
    std::vector<extract::WrittenLink> links;
    for (const extract::ProgramLink& link : found->links) links.push_back({link.url, link.hop, link.context});
    const size_t before = extracted->links.size(), dropped = extracted->dropped;
    extract::add_links(*visit.url(), links, options.max_links, options, *extracted);
    links_ += extracted->links.size() - before;
    dropped_ += extracted->dropped - dropped;
    visit.line->entry.facts.body.dropped_links = extracted->dropped;
    if (options.program.is_recorded && !outcome.answer.empty()) keep(visit, *found, std::move(outcome.answer));
  }

  // Under the name and the type that Heritrix and brozzler give to what yt-dlp says.
  static void keep(Visit& visit, const extract::ProgramAnswer& answer, std::string text) {
    archive::Attachment attachment;
    attachment.about = fmt::format("{}{}", answer.is_of_yt_dlp ? "youtube-dl:" : "", visit.url()->href());
    if (answer.is_of_lines)
      attachment.media_type = "application/x-ndjson";
    else
      attachment.media_type =
          answer.is_of_yt_dlp ? "application/vnd.youtube-dl_formats+json;charset=utf-8" : "application/json";
    attachment.block = std::move(text);
    visit.document.attachments.push_back(std::move(attachment));
  }

  LaneTools& tools_;
  std::atomic<uint64_t> times_ = 0, failed_ = 0, links_ = 0, dropped_ = 0;
};

}  // namespace

std::unique_ptr<Step> make_program_step(LaneTools& tools) { return std::make_unique<ProgramStep>(tools); }

}  // namespace caddis::visit
