// Tools that ask the client something before they can answer: with a request
// of the server's own in the legacy era, with `input_required` in the modern
// one (2026-07-28, patterns, Multi Round-Trip Requests).
#include "answers.hpp"
#include "server.hpp"
#include "tools.hpp"

namespace demo {

namespace {

/// What a tool asks, and what the client must be able to do for it.
struct question {
  std::string_view method;
  std::string params;
  std::string_view capability;
  bool client_is_able;
};

/// The key under which the question and its answer stand in the modern era.
constexpr std::string_view answer_key = "answer";

client_abilities abilities_of(const server& srv, const request& req) {
  if (req.from.spoken == era::legacy)
    return srv.legacy.abilities;
  return read_abilities(object_member(req.meta, meta_key::client_capabilities));
}

/// Makes the state that the client has to return byte for byte. The end of it
/// shows up a client that reads or rewrites it.
std::string make_state(std::int64_t round) {
  return "round " + std::to_string(round)
         + R"( "é" \ / )"
           "\xe2\x80\xa8\t";
}

/// Says which round a retry answers; 0: it is the first call.
std::int64_t answered_round(const request& req, std::int64_t rounds) {
  const auto* state = req.params.if_contains("requestState");
  if (state == nullptr)
    return 0;
  for (std::int64_t round = 1; round <= rounds; ++round)
    if (state->is_string() && state->get_string() == make_state(round))
      return round;
  throw refusal{code::invalid_params, "params.requestState is not ours"};
}

void ask_for_input(server& srv, const request& req, const question& asked,
                   std::int64_t round) {
  srv.out.input_required(req.from, [&](std::string& out) {
    out += R"("inputRequests":{)";
    put_quoted(out, answer_key);
    out += R"(:{"method":)";
    put_quoted(out, asked.method);
    out += R"(,"params":)" + asked.params + R"(}},"requestState":)";
    put_quoted(out, make_state(round));
  });
}

void ask_modern(server& srv, const request& req, const question& asked,
                std::int64_t rounds) {
  if (!asked.client_is_able)
    throw refusal{code::missing_client_capability,
                  "The client cannot answer " + std::string{asked.method},
                  R"({"requiredCapabilities":{")"
                    + std::string{asked.capability} + R"(":{}}})"};
  const auto round = answered_round(req, rounds);
  const auto* answer
    = object_member(req.params, "inputResponses").if_contains(answer_key);
  if (round == 0 || answer == nullptr)
    ask_for_input(srv, req, asked, round == 0 ? 1 : round);
  else if (round < rounds)
    ask_for_input(srv, req, asked, round + 1);
  else
    answer_structured(srv, req.from, to_text(*answer));
}

void ask_client(server& srv, const request& req, const question& asked,
                std::int64_t rounds = 1) {
  if (req.from.spoken == era::modern)
    ask_modern(srv, req, asked, rounds);
  else if (asked.client_is_able)
    srv.questions.ask(srv.out, req.from, asked.method, asked.params);
  else
    answer_failure(srv, req.from,
                   "The client did not declare "
                     + std::string{asked.capability});
}

/// The member came with a second mode (2025-11-25, Elicitation).
std::string_view elicitation_mode(const server& srv, const request& req) {
  const auto knows_modes = req.from.spoken == era::modern
                           || srv.legacy.version == legacy_versions.front();
  return knows_modes ? R"("mode":"form",)" : "";
}

} // namespace

void call_ask(server& srv, const tool_call& call) {
  constexpr range round_count{1, 1000};
  const auto rounds = call.optional_integer("rounds", round_count).value_or(1);
  std::string params = "{";
  params += elicitation_mode(srv, call.req);
  params += R"("message":"Who are you?","requestedSchema":{"type":"object",)"
            R"("properties":{"name":{"type":"string","title":"Name"},)"
            R"("age":{"type":"integer","title":"Age","default":42}},)"
            R"("required":["name"]}})";
  ask_client(srv, call.req,
             {.method = "elicitation/create",
              .params = params,
              .capability = "elicitation",
              .client_is_able = abilities_of(srv, call.req).elicitation},
             rounds);
}

void call_sample(server& srv, const tool_call& call) {
  const auto prompt = call.optional_text("prompt").value_or("Say something.");
  std::string params
    = R"({"messages":[{"role":"user","content":{"type":"text","text":)";
  put_quoted(params, prompt);
  params += R"(}}],"maxTokens":100})";
  ask_client(srv, call.req,
             {.method = "sampling/createMessage",
              .params = params,
              .capability = "sampling",
              .client_is_able = abilities_of(srv, call.req).sampling});
}

void call_roots(server& srv, const tool_call& call) {
  ask_client(srv, call.req,
             {.method = "roots/list",
              .params = "{}",
              .capability = "roots",
              .client_is_able = abilities_of(srv, call.req).roots});
}

} // namespace demo
