// A recording under power cuts: what was told as durable is there, once, and nothing is there by half.
#include "caddis/recording/recording.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "caddis/aio/nursery.h"
#include "caddis/aio/sim.h"
#include "caddis/cdx/line.h"
#include "caddis/collection/launch.h"
#include "caddis/collection/lock.h"
#include "caddis/http/recorder.h"
#include "caddis/io/memory_files.h"
#include "caddis/recording/leftovers.h"
#include "caddis/recording/recorded_exchange.h"
#include "caddis/store/memory_kv.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/source.h"

namespace caddis::recording {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// A machine whose disk outlives its processes.
struct Machine {
  io::MemoryFiles files;
  std::map<std::string, store::MemoryKvDisk> disks;  // by path
  std::vector<std::string> notices;

  store::KvOpener opener() {
    return [this](const std::string& path, const std::vector<std::string>& families) {
      return disks[path].open(families);
    };
  }
  void crash(Random& random) {
    files.crash(random);
    for (auto& [path, disk] : disks) disk.crash(random);
  }
};

// A process on it.
struct Process {
  Process(Machine& machine, uint64_t seed)
      : machine(machine),
        loop(seed),
        blocking(aio::make_sim_blocking(loop, std::chrono::milliseconds(20))),
        spools(machine.files, "/c/spools-of-the-test") {}

  Result<void> open() {
    RecordingOptions options;
    options.collection = "/c";
    options.archive.name_template = "{prefix}-{timestamp17}-{serialno}";
    options.provenance.software = "Caddis/test";
    TRY(recording, Recording::open({.files = machine.files,
                                    .clock = loop.clock(),
                                    .open_kv = machine.opener(),
                                    .loop = loop,
                                    .committing = *blocking,
                                    .packing = *blocking,
                                    .seed = 7,
                                    .pid = "1",
                                    .full_hostname = "h"},
                                   options, machine.notices));
    nursery.spawn(recording->run());
    return {};
  }

  RecordedExchange exchange_of(const std::string& url, const std::string& body) {
    http::ResponseRecorder recorder(spools, http::Limits(), "GET");
    EXPECT_TRUE(recorder.feed(
        fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{}", body.size(), body)));
    auto exchange = *recorder.finish(http::ResponseRecorder::End::complete);
    exchange.request_bytes = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    exchange.timings.started = loop.clock().wall();
    exchange.remote = {"192.0.2.1", 80};
    RecordedExchange recorded(std::move(exchange));
    recorded.url = url;
    recorded.method = "GET";
    recorded.is_page = true;
    return recorded;
  }

  Machine& machine;
  aio::SimLoop loop;
  std::unique_ptr<aio::Blocking> blocking;
  io::SpoolFolder spools;
  std::unique_ptr<Recording> recording;
  aio::Nursery nursery;
};

// Pages one after the other, each settled before the next; every second one has the text of the one before.
aio::Task<void> browse(Process& process, int pages, std::vector<std::string>& settled) {
  for (int i = 0; i < pages; ++i) {
    const std::string url = fmt::format("http://h/{}", i);
    RecordedExchange exchange = process.exchange_of(url, fmt::format("page {}", i / 2));
    co_await process.recording->keep(std::move(exchange));
    const auto is_settled = co_await process.recording->settle();
    if (is_settled) settled.push_back(url);
  }
  process.recording->close();
}

// URLs of the index, and of the responses and revisits in archive files, which have to be sound.
struct Found {
  std::multiset<std::string> indexed, records;
  std::vector<std::string> open_files;
};

Found look(Machine& machine) {
  Found found;
  const collection::Layout layout("/c");
  for (const auto& entry : *machine.files.list(layout.indexes())) {
    if (!collection::is_index_name(entry.name)) continue;
    const std::string text = *machine.files.read_all(layout.indexes() + "/" + entry.name);
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at);
      found.indexed.insert(cdx::parse_line(text.substr(at, end - at))->url);
      at = end + 1;
    }
  }
  for (const auto& entry : *machine.files.list(layout.archive())) {
    if (entry.name.ends_with(".open")) found.open_files.push_back(entry.name);
    const std::string bytes = *machine.files.read_all(layout.archive() + "/" + entry.name);
    const warc::MemorySource source(bytes);
    warc::Reader reader(source);
    for (;;) {
      const auto record = reader.next();
      if (!record || *record == nullptr) break;
      EXPECT_TRUE((*record)->finish());
      EXPECT_TRUE((*record)->complete()) << entry.name;
      const auto type = (*record)->type();
      if (type == warc::RecordType::response || type == warc::RecordType::revisit)
        found.records.insert(std::string((*record)->header().target_uri()));
    }
    EXPECT_THAT(reader.take_findings(), IsEmpty()) << entry.name;
  }
  return found;
}

TEST(Recording, LeavesAnIndexAndNoState) {
  Machine machine;
  std::vector<std::string> settled;
  {
    Process process(machine, 1);
    ASSERT_TRUE(process.open());
    process.nursery.spawn(browse(process, 4, settled));
    process.loop.run();
    EXPECT_EQ(process.recording->totals().captures, 4);
    EXPECT_EQ(process.recording->totals().revisits, 2);
    ASSERT_TRUE(process.recording->finish());
  }
  EXPECT_THAT(settled, SizeIs(4));
  const Found found = look(machine);
  EXPECT_EQ(found.indexed, (std::multiset<std::string>{"http://h/0", "http://h/1", "http://h/2", "http://h/3"}));
  EXPECT_EQ(found.records, found.indexed);
  EXPECT_THAT(found.open_files, IsEmpty());
  const auto launches = *collection::launch_folders(machine.files, collection::Layout("/c"));
  ASSERT_THAT(launches, SizeIs(1));
  EXPECT_FALSE(machine.files.exists(launches[0].state()));
  EXPECT_THAT(*machine.files.read_all(note_of(launches[0])), HasSubstr("\"captures\":4"));
  EXPECT_THAT(*machine.files.read_all("/c/pages/pages.jsonl"), HasSubstr("http://h/3"));
  EXPECT_THAT(machine.notices, IsEmpty());
}

TEST(Recording, RefersToWhatEarlierOnesHave) {
  Machine machine;
  std::vector<std::string> settled;
  for (uint64_t seed : {1, 2}) {
    Process process(machine, seed);
    process.loop.manual_clock().advance(std::chrono::hours(seed));
    ASSERT_TRUE(process.open());
    process.nursery.spawn(browse(process, 2, settled));
    process.loop.run();
    EXPECT_EQ(process.recording->totals().revisits, seed == 1 ? 1 : 2);
    ASSERT_TRUE(process.recording->finish());
  }
}

TEST(Recording, IsAloneInItsCollection) {
  Machine machine;
  const auto lock = collection::lock_collection(machine.files, "/c", "somebody");
  Process process(machine, 1);
  const auto opened = process.open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::conflict);
  EXPECT_THAT(opened.error().message, HasSubstr("somebody"));
}

TEST(Recording, RemovesAStateWhoseRemovalDied) {
  Machine machine;
  std::vector<std::string> settled;
  {
    Process process(machine, 1);
    ASSERT_TRUE(process.open());
    process.nursery.spawn(browse(process, 1, settled));
    process.loop.run();
    ASSERT_TRUE(process.recording->finish());
  }
  const auto launches = *collection::launch_folders(machine.files, collection::Layout("/c"));
  const std::string ended = launches.at(0).folder() + "/ended";
  ASSERT_TRUE(machine.files.make_dirs(ended));
  ASSERT_TRUE(machine.files.write_atomically(ended + "/row", "of a store"));
  std::vector<std::string> notices;
  ASSERT_TRUE(end_dead_recordings(machine.files, machine.opener(), "/c", notices));
  EXPECT_FALSE(machine.files.exists(ended + "/row"));
  EXPECT_THAT(notices, IsEmpty());
}

TEST(Recording, LosesNothingThatWasSettledToAPowerCut) {
  size_t whole = 0;
  {
    Machine machine;
    std::vector<std::string> settled;
    Process process(machine, 3);
    ASSERT_TRUE(process.open());
    process.nursery.spawn(browse(process, 6, settled));
    process.loop.run();
    whole = process.loop.events();
    ASSERT_TRUE(process.recording->finish());
  }
  size_t with_some = 0;
  for (size_t cut = 1; cut < whole; cut += 1 + whole / 150) {
    Machine machine;
    std::vector<std::string> settled;
    SeededRandom random(cut);
    {
      Process process(machine, 3);
      ASSERT_TRUE(process.open());
      process.nursery.spawn(browse(process, 6, settled));
      process.loop.run_events(cut);
      machine.crash(random);
      process.loop.abandon();
    }
    with_some += settled.empty() ? 0 : 1;
    std::vector<std::string> notices;
    const auto ended = end_dead_recordings(machine.files, machine.opener(), "/c", notices);
    ASSERT_TRUE(ended) << ended.error().message;
    const Found found = look(machine);
    EXPECT_THAT(found.open_files, IsEmpty()) << cut;
    EXPECT_EQ(found.indexed, found.records) << cut;
    for (const std::string& url : settled) EXPECT_EQ(found.indexed.count(url), 1) << url << " at " << cut;
    for (const std::string& notice : notices) EXPECT_THAT(notice, testing::Not(HasSubstr("is left as it is"))) << cut;
  }
  EXPECT_GT(with_some, 20);
}

}  // namespace
}  // namespace caddis::recording
