// Lines as a server writes them, without the newline.
#pragma once

#include <cstddef>
#include <string>

namespace bench {

/// An answer of the usual size: one short text.
inline std::string small_answer() {
  return R"({"jsonrpc":"2.0","id":123456,"result":{"content":[)"
         R"({"type":"text","text":"hello"}]}})";
}

/// An answer with one text of `bytes` bytes.
inline std::string large_answer(std::size_t bytes) {
  return R"({"jsonrpc":"2.0","id":123456,"result":{"content":[)"
         R"({"type":"text","text":")"
         + std::string(bytes, 'x') + R"("}]}})";
}

/// An answer with `rows` objects of four members.
inline std::string answer_of_rows(std::size_t rows) {
  std::string result = R"({"jsonrpc":"2.0","id":123456,"result":{"content":[],)"
                       R"("structuredContent":{"rows":[)";
  for (std::size_t i = 0; i < rows; ++i)
    result += std::string{i == 0 ? "" : ","}
              + R"({"name":"a name","path":"/a/path","size":4096,)"
                R"("ratio":0.25})";
  return result + "]}}}";
}

} // namespace bench
