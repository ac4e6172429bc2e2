#include "caddis/io/zip_reader.h"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <utility>

namespace caddis::io {
namespace {

constexpr size_t kPiece = 256 * 1024;

struct CloseEntry {
  void operator()(zip_file_t* file) const { (void)zip_fclose(file); }
};

std::string words(zip_error_t* error) {
  std::string text = zip_error_strerror(error);
  zip_error_fini(error);
  return text;
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 128; });
}

}  // namespace

// The input of libzip: an open file and a place in it.
struct ZipReader::Source {
  const File* file = nullptr;
  uint64_t size = 0, at = 0;
  zip_error_t error{};

  zip_int64_t fail_with(int code) {
    zip_error_set(&error, code, 0);
    return -1;
  }

  zip_int64_t read(void* data, uint64_t length) {
    const auto got = file->read_at(at, static_cast<char*>(data), static_cast<size_t>(length));
    if (!got) return fail_with(ZIP_ER_READ);
    at += *got;
    return static_cast<zip_int64_t>(*got);
  }

  zip_int64_t seek(void* data, uint64_t length) {
    const zip_int64_t place = zip_source_seek_compute_offset(at, size, data, length, &error);
    if (place < 0) return -1;
    at = static_cast<uint64_t>(place);
    return 0;
  }

  zip_int64_t stat(void* data, uint64_t length) {
    if (length < sizeof(zip_stat_t)) return fail_with(ZIP_ER_INVAL);
    auto* const facts = static_cast<zip_stat_t*>(data);
    zip_stat_init(facts);
    facts->valid = ZIP_STAT_SIZE;
    facts->size = size;
    return sizeof(zip_stat_t);
  }

  static zip_int64_t call(void* user, void* data, zip_uint64_t length, zip_source_cmd_t command) {
    auto& source = *static_cast<Source*>(user);
    switch (command) {
      case ZIP_SOURCE_OPEN:
        source.at = 0;
        return 0;
      case ZIP_SOURCE_READ:
        return source.read(data, length);
      case ZIP_SOURCE_SEEK:
        return source.seek(data, length);
      case ZIP_SOURCE_TELL:
        return static_cast<zip_int64_t>(source.at);
      case ZIP_SOURCE_STAT:
        return source.stat(data, length);
      case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&source.error, data, length);
      case ZIP_SOURCE_CLOSE:
      case ZIP_SOURCE_FREE:
        return 0;
      case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                              ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL,
                                              ZIP_SOURCE_SUPPORTS, -1);
      default:
        return source.fail_with(ZIP_ER_OPNOTSUPP);
    }
  }
};

ZipReader::ZipReader(std::unique_ptr<Source> source, zip* archive) : source_(std::move(source)), archive_(archive) {}

void ZipReader::Close::operator()(zip* archive) const { zip_discard(archive); }

Result<ZipReader> ZipReader::open(const File& file) {
  auto source = std::make_unique<Source>();
  source->file = &file;
  TRY(source->size, file.size());
  zip_error_init(&source->error);
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* const input = zip_source_function_create(&Source::call, source.get(), &error);
  return open_source(std::move(source), input, &error);
}

Result<ZipReader> ZipReader::open(std::string_view bytes) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* const input = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  return open_source(nullptr, input, &error);
}

Result<ZipReader> ZipReader::open_source(std::unique_ptr<Source> source, zip_source* input, zip_error* error) {
  if (input == nullptr) return fail(ErrorCode::io, words(error));
  zip* const archive = zip_open_from_source(input, ZIP_RDONLY, error);
  if (archive != nullptr) return ZipReader(std::move(source), archive);
  zip_source_free(input);
  return fail(ErrorCode::parse, "this is no zip archive, or it is damaged: " + words(error));
}

uint64_t ZipReader::entries() const {
  return static_cast<uint64_t>(std::max<zip_int64_t>(0, zip_get_num_entries(archive_.get(), 0)));
}

Result<ZipEntry> ZipReader::entry(uint64_t number) const {
  const char* const raw = zip_get_name(archive_.get(), number, ZIP_FL_ENC_RAW);
  const std::string bytes = raw == nullptr ? "" : raw;
  const char* const name = zip_get_name(archive_.get(), number, ZIP_FL_ENC_GUESS);
  zip_stat_t facts;
  zip_stat_init(&facts);
  if (name == nullptr || zip_stat_index(archive_.get(), number, 0, &facts) != 0)
    return fail(ErrorCode::corrupt, fmt::format("entry {}: {}", number, zip_strerror(archive_.get())));
  ZipEntry entry{.name = name};
  entry.was_converted = !is_ascii(bytes) && entry.name != bytes;
  entry.is_folder = entry.name.ends_with('/');
  entry.is_encrypted = (facts.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && facts.encryption_method != ZIP_EM_NONE;
  zip_uint8_t system = 0;
  zip_uint32_t attributes = 0;
  constexpr zip_uint32_t kKind = 0170000, kLink = 0120000;  // of a file's mode
  if (zip_file_get_external_attributes(archive_.get(), number, 0, &system, &attributes) == 0)
    entry.is_link = system == ZIP_OPSYS_UNIX && ((attributes >> 16) & kKind) == kLink;
  return entry;
}

Result<uint64_t> ZipReader::read(uint64_t number, uint64_t most, const Sink& sink) const {
  const std::unique_ptr<zip_file_t, CloseEntry> file(zip_fopen_index(archive_.get(), number, 0));
  if (file == nullptr) return fail(ErrorCode::unsupported, zip_strerror(archive_.get()));
  const auto buffer = std::make_unique_for_overwrite<char[]>(kPiece);
  for (uint64_t size = 0;;) {
    const zip_int64_t got = zip_fread(file.get(), buffer.get(), kPiece);
    if (got < 0) return fail(ErrorCode::corrupt, zip_file_strerror(file.get()));
    if (got == 0) return size;
    size += static_cast<uint64_t>(got);
    if (size > most) return fail(ErrorCode::limit, fmt::format("it unpacks to more than {} bytes", most));
    TRY_VOID(sink({buffer.get(), static_cast<size_t>(got)}));
  }
}

}  // namespace caddis::io
