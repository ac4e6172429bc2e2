// Workers as processes. This test is the executable that they run, too: the case DocumentWorker.Run is not run otherwise.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "caddis/aio/loop.h"
#include "caddis/aio/nursery.h"
#include "caddis/base/clock.h"
#include "caddis/documents/confinement.h"
#include "caddis/documents/worker.h"
#include "caddis/documents/worker_messages.h"
#include "caddis/documents/worker_pool.h"
#include "caddis/documents/worker_process.h"

namespace caddis::documents {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using namespace std::chrono_literals;

constexpr std::string_view kRtf = R"({\rtf1 {\field{\*\fldinst HYPERLINK "http://a.test/"}}})";

std::vector<std::string> command() {
  return {"/proc/self/exe", "--gtest_also_run_disabled_tests", "--gtest_filter=DocumentWorker.DISABLED_Run"};
}

TEST(DocumentWorker, DISABLED_Run) { std::_Exit(run_worker(512 << 20)); }

Question question() { return {.format = Format::rtf, .bytes = kRtf, .limits = {}}; }

std::unique_ptr<WorkerProcess> start() {
  auto worker = WorkerProcess::start(command(), system_clock());
  EXPECT_TRUE(worker.has_value());
  return worker ? *std::move(worker) : nullptr;
}

TEST(DocumentWorkers, ReadOneDocumentAfterTheOther) {
  const auto worker = start();
  for (int i = 0; i < 3; ++i) {
    const auto found = worker->read(question(), 60s);
    ASSERT_TRUE(found.has_value()) << found.error().message;
    EXPECT_THAT(found->links, SizeIs(1));
  }
  EXPECT_TRUE(worker->is_alive());
  EXPECT_TRUE(worker->is_filtered());
}

// qpdf, too, does without what a worker has given up.
TEST(DocumentWorkers, ReadPdf) {
  const std::string_view pdf =
      "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n"
      "3 0 obj<</S/URI/URI(http://a.test/)>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n";
  const auto found = start()->read({.format = Format::pdf, .bytes = pdf, .limits = {}}, 60s);
  ASSERT_TRUE(found.has_value()) << found.error().message;
  EXPECT_THAT(found->links, SizeIs(1));
}

TEST(DocumentWorkers, ThatAreKilledFailOneDocument) {
  const auto worker = start();
  ASSERT_TRUE(worker->read(question(), 60s).has_value());
  ::kill(worker->pid(), SIGKILL);
  const auto found = worker->read(question(), 60s);
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().code, ErrorCode::closed);
  EXPECT_THAT(found.error().message, HasSubstr("signal 9"));
  EXPECT_FALSE(worker->is_alive());
}

TEST(DocumentWorkers, ThatStandStillTakeTooLong) {
  const auto worker = start();
  ASSERT_TRUE(worker->read(question(), 60s).has_value());
  ::kill(worker->pid(), SIGSTOP);
  const auto found = worker->read(question(), 50ms);
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().code, ErrorCode::timeout);
}

aio::Task<void> read_into(WorkerPool& pool, aio::Loop& loop, Question asked, Found& found) {
  found = co_await pool.read(loop, std::move(asked));
}

// The pool on a loop, as a lane has it.
Found ask(WorkerPool& pool, Question asked = question()) {
  const auto loop = aio::make_loop(system_clock());
  Found found;
  aio::run_to_end(*loop, read_into(pool, *loop, std::move(asked), found));
  return found;
}

TEST(DocumentWorkers, AreStartedWhenThereIsNeed) {
  WorkerPool pool(command(), DocumentSettings(), system_clock());
  EXPECT_EQ(pool.started(), 0u);
  EXPECT_THAT(ask(pool).links, SizeIs(1));
  EXPECT_THAT(ask(pool).links, SizeIs(1));
  EXPECT_EQ(pool.started(), 1u);
}

TEST(DocumentWorkers, HaveTheBytesBroughtWhenTheirTurnHasCome) {
  WorkerPool pool(command(), DocumentSettings(), system_clock());
  Question asked = question();
  asked.bytes = {};
  asked.bring = [] { return Result<std::string>(std::string(kRtf)); };
  EXPECT_THAT(ask(pool, asked).links, SizeIs(1));
  asked.bring = [] { return Result<std::string>(fail(ErrorCode::io, "bad sector")); };
  EXPECT_EQ(ask(pool, asked).problem, "bad sector");
}

// The numbers of the processes that this one has started and not waited for.
std::vector<pid_t> children() {
  std::vector<pid_t> all;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream numbers(task.path() / "children");
    for (pid_t child = 0; numbers >> child;) all.push_back(child);
  }
  return all;
}

// Whichever of two workers ends, the next document has it waited for, and the end of the pool has both.
TEST(DocumentWorkers, ThatHaveEndedAreWaitedFor) {
  ASSERT_EQ(children().size(), 0u);
  for (const size_t victim : {0, 1}) {
    {
      DocumentSettings settings;
      settings.workers = 2;
      WorkerPool pool(command(), settings, system_clock());
      while (pool.started() < 2) {
        const std::jthread other([&pool] { (void)ask(pool); });
        (void)ask(pool);
      }
      const std::vector<pid_t> workers = children();
      ASSERT_THAT(workers, SizeIs(2));
      const pid_t ended = workers[victim];
      ::kill(ended, SIGKILL);
      siginfo_t how{};
      ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(ended), &how, WEXITED | WNOWAIT), 0);
      EXPECT_THAT(ask(pool).links, SizeIs(1));
      EXPECT_THAT(children(), Not(Contains(ended)));
    }
    EXPECT_EQ(children().size(), 0u);
  }
}

// The process that calls this is confined for good.
int errors_of_calls() {
  if (!confine_worker(512 << 20)) return 1;
  const pid_t self = ::getpid(), other = ::getppid();
  rlimit bounds{};
  if (::syscall(SYS_tgkill, self, static_cast<pid_t>(::syscall(SYS_gettid)), 0) != 0) return 2;
  if (::syscall(SYS_tgkill, other, other, 0) != -1 || errno != EPERM) return 3;
  if (::syscall(SYS_tgkill, -1, self, 0) != -1 || errno != EPERM) return 4;
  if (::syscall(SYS_prlimit64, 0, RLIMIT_CPU, nullptr, &bounds) != 0) return 5;
  if (::syscall(SYS_prlimit64, other, RLIMIT_CPU, nullptr, &bounds) != -1 || errno != EPERM) return 6;
  if (::getrlimit(RLIMIT_CPU, &bounds) != 0) return 7;
  return 0;
}

TEST(DocumentWorkersDeathTest, ReachNoOtherProcess) {
  EXPECT_EXIT(std::_Exit(errors_of_calls()), ::testing::ExitedWithCode(0), "");
}

TEST(DocumentWorkers, ThatCannotBeStartedFailTheDocument) {
  WorkerPool none({"/nonexistent/caddis"}, DocumentSettings(), system_clock());
  EXPECT_THAT(ask(none).problem, HasSubstr("cannot start a document worker"));
  WorkerPool other({"/bin/true"}, DocumentSettings(), system_clock());
  EXPECT_THAT(ask(other).problem, HasSubstr("exit code 0"));
}

TEST(WorkerMessages, AreBelievedWithinTheLimits) {
  Found found;
  found.links = {{"http://a.test/", LinkKind::navigation}, {"b.gif", LinkKind::embed}};
  found.base = "http://b.test/";
  found.problem = "cut";
  found.dropped = 3;
  const std::string bytes = encode_answer(found);
  const auto read = decode_answer(bytes, Limits());
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->links, found.links);
  EXPECT_EQ(read->base, found.base);
  EXPECT_EQ(read->problem, found.problem);
  EXPECT_EQ(read->dropped, 3u);
  EXPECT_FALSE(decode_answer(bytes, {.links = 1}).has_value());
  EXPECT_FALSE(decode_answer(bytes, {.url_length = 5}).has_value());
  EXPECT_FALSE(decode_answer(bytes + "x", Limits()).has_value());
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decode_answer(std::string_view(bytes).substr(0, size), Limits()).has_value()) << size;
}

}  // namespace
}  // namespace caddis::documents
