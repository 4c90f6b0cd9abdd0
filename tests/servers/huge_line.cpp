// Answers a tool call with one very long line, then goes on serving.
//
//   test-huge_line [BYTES] [--id-last | --id-between]     9 MiB by default
//
// The id is the first member, the last one, or between two long ones, where a
// scan of the line's ends does not find it.
#include "mini_server.hpp"

int main(int argc, char** argv) {
  const auto bytes = mini::number_argument(argc, argv, 1, 9'437'184);
  const bool id_last = mini::has_flag(argc, argv, "--id-last");
  const bool id_between = mini::has_flag(argc, argv, "--id-between");
  const std::string filler(static_cast<std::size_t>(bytes), 'x');
  while (const auto call = mini::serve_until("tools/call")) {
    std::string line = R"({"jsonrpc":"2.0",)";
    if (id_between)
      line.append(R"("x":")").append(filler).append(R"(",)");
    if (!id_last)
      line.append(R"("id":)").append(call->id).append(",");
    line.append(R"("result":)").append(mini::text_result(filler));
    if (id_last)
      line.append(R"(,"id":)").append(call->id);
    mini::send_line(line + '}');
  }
}
