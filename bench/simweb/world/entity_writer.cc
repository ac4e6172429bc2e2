#include "simweb/world/entity_writer.h"

#include <libdeflate.h>
#include <zlib.h>

#include <charconv>

namespace simweb {
namespace {

constexpr size_t kStoredHeader = 5;
constexpr size_t kChunk = 16 * 1024;

void append_le(std::string& out, uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

void append_part(std::vector<Answer::Part>& parts, const Answer::Part& part) {
  if (part.size == 0) return;
  if (part.block == nullptr && !parts.empty() && parts.back().block == nullptr &&
      parts.back().begin + parts.back().size == part.begin)
    parts.back().size += part.size;
  else
    parts.push_back(part);
}

}  // namespace

EntityWriter::EntityWriter(Answer& answer, bool gzip) : answer_(answer), gzip_(gzip) {
  if (gzip_) {
    const size_t begin = answer_.text.size();
    answer_.text.append("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
    add_text(begin);
  }
  open_run();
}

void EntityWriter::add_text(size_t begin) {
  append_part(answer_.parts, {.begin = begin, .size = answer_.text.size() - begin});
}

void EntityWriter::open_run() {
  if (gzip_) answer_.text.append(kStoredHeader, '\0');
  run_ = answer_.text.size();
}

void EntityWriter::close_run() {
  const size_t size = answer_.text.size() - run_;
  if (!gzip_) return add_text(run_);
  if (size == 0) {
    answer_.text.resize(run_ - kStoredHeader);
    return;
  }
  char* header = answer_.text.data() + run_ - kStoredHeader;
  header[0] = 0;  // not the last block, stored
  for (int i = 0; i < 2; ++i) {
    header[1 + i] = static_cast<char>(size >> (8 * i) & 0xFF);
    header[3 + i] = static_cast<char>(~size >> (8 * i) & 0xFF);
  }
  crc_ = libdeflate_crc32(crc_, answer_.text.data() + run_, size);
  size_ += size;
  add_text(run_ - kStoredHeader);
}

void EntityWriter::block(const Block& block) {
  close_run();
  const std::string& bytes = gzip_ ? block.deflated : block.plain;
  append_part(answer_.parts, {.block = bytes.data(), .size = bytes.size()});
  if (gzip_) {
    crc_ = static_cast<uint32_t>(crc32_combine_op(crc_, block.crc, block.crc_operator));
    size_ += block.plain.size();
  }
  open_run();
}

void EntityWriter::borrow(std::string_view bytes) {
  close_run();
  append_part(answer_.parts, {.block = bytes.data(), .size = bytes.size()});
  open_run();
}

void EntityWriter::finish() {
  close_run();
  if (!gzip_) return;
  const size_t begin = answer_.text.size();
  answer_.text.append("\x01\0\0\xff\xff", 5);  // an empty stored block, the last
  append_le(answer_.text, crc_, 4);
  append_le(answer_.text, static_cast<uint32_t>(size_), 4);
  add_text(begin);
}

uint64_t size_of(const std::vector<Answer::Part>& parts) {
  uint64_t size = 0;
  for (const Answer::Part& part : parts) size += part.size;
  return size;
}

void frame_chunks(Answer& answer) {
  answer.framed.clear();
  const auto add = [&](std::string_view text) {
    const size_t begin = answer.text.size();
    answer.text += text;
    append_part(answer.framed, {.begin = begin, .size = text.size()});
  };
  const auto& parts = answer.parts;
  for (size_t i = 0; i < parts.size();) {
    size_t end = i, size = 0;
    while (end < parts.size() && size < kChunk) size += parts[end++].size;
    char line[24];
    char* at = line;
    if (i > 0) *at++ = '\r', *at++ = '\n';
    at = std::to_chars(at, line + 20, size, 16).ptr;
    *at++ = '\r', *at++ = '\n';
    add({line, static_cast<size_t>(at - line)});
    for (; i < end; ++i) append_part(answer.framed, parts[i]);
  }
  add(parts.empty() ? "0\r\n\r\n" : "\r\n0\r\n\r\n");
}

void expose(Answer& answer, const std::vector<Answer::Part>& parts) {
  answer.body.clear();
  for (const Answer::Part& part : parts)
    answer.body.emplace_back(part.block != nullptr ? part.block : answer.text.data() + part.begin, part.size);
  answer.body_size = size_of(parts);
}

}  // namespace simweb
