#include "caddis/remote/web_client.h"

#include <utility>

#include "caddis/aio/loop_thread.h"
#include "caddis/aio/nursery.h"

namespace caddis::remote {
namespace {

// For all bodies that are read at the same time.
constexpr uint64_t kBodyMemory = 64 << 20;

using Promise = std::shared_ptr<std::promise<Result<WebAnswer>>>;

aio::Task<void> fetch(WebGet& web, WebRequest request, Promise promise) {
  auto answer = co_await web.get(std::move(request));
  promise->set_value(std::move(answer));
}

}  // namespace

struct WebClient::State {
  State(const Clock& clock, io::Files& the_files, std::string the_folder)
      : files(the_files),
        folder(std::move(the_folder)),
        spools(files, folder, kBodyMemory),
        thread(clock),
        web(thread.loop(), spools) {}

  aio::Task<void> end(std::promise<void>& ended) {
    co_await requests.join();
    co_await web.end();
    ended.set_value();
  }

  io::Files& files;
  const std::string folder;
  io::SpoolFolder spools;
  aio::LoopThread thread;
  WebGet web;
  aio::Nursery requests, ending;  // of the thread
};

WebClient::WebClient(const Clock& clock, io::Files& files, std::string folder)
    : clock_(clock), state_(std::make_unique<State>(clock, files, std::move(folder))) {
  state_->thread.start();
}

WebClient::~WebClient() {
  std::promise<void> ended;
  state_->thread.loop().post([&] {
    state_->web.abort();
    state_->ending.spawn(state_->end(ended));
  });
  ended.get_future().wait();
  state_->thread.stop();
  // Files in it have no names; it may never have been made.
  if (state_->files.exists(state_->folder)) static_cast<void>(state_->files.remove(state_->folder));
}

std::future<Result<WebAnswer>> WebClient::begin(WebRequest request) {
  auto promise = std::make_shared<std::promise<Result<WebAnswer>>>();
  auto answer = promise->get_future();
  state_->thread.loop().post([this, request = std::move(request), promise = std::move(promise)] {
    state_->requests.spawn(fetch(state_->web, request, promise));
  });
  return answer;
}

}  // namespace caddis::remote
