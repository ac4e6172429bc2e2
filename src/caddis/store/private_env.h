// The disk of the system for RocksDB: what is made on it only its owner may read (modes 700 and 600), as the state of a
// crawl holds what nobody else is to see. Any thread.
#pragma once

namespace rocksdb {
class Env;
}

namespace caddis::store {

// Lives as long as the process.
rocksdb::Env* private_env();

}  // namespace caddis::store
