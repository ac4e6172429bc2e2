// The keys of SFTP servers: the first one that a server shows counts from then on. One for a crawl.
//
// Any thread.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace caddis::protocols {

class HostKeys {
 public:
  // The key that counts for the server, "host:port": the one that is known of it, or else `shown`, which is known from
  // now on.
  std::string first_of(const std::string& server, const std::string& shown);
  // Takes what an earlier process has known.
  void load(std::string_view server, std::string_view key);
  // Returns what became known since the last call, by server.
  std::map<std::string, std::string> take_new();

 private:
  std::mutex mutex_;
  std::map<std::string, std::string, std::less<>> keys_;
  std::map<std::string, std::string> new_;
};

}  // namespace caddis::protocols
