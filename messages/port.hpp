#pragma once

#include "caf_mcp/messages/close_reason.hpp"
#include "caf_mcp/messages/json_rpc.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// @file
/// What a connection and its port owner say to each other. A port owner stands
/// for one process; `generation` tells its messages from those of the port
/// owners before and after it.

namespace caf_mcp {

/// Connection to port owner: queue these messages for the server, in this
/// order. Never blocks.
struct port_write {
  std::vector<outgoing_message> messages;
};

template <class Inspector>
bool inspect(Inspector& f, port_write& x) {
  return f.object(x).fields(f.field("messages", x.messages));
}

/// Connection to port owner: carry out the shutdown sequence. Answered when the
/// process and what is left of its group are gone.
struct port_stop {};

template <class Inspector>
bool inspect(Inspector& f, port_stop& x) {
  return f.object(x).fields();
}

/// Port owner to connection: the process runs.
struct port_opened {
  std::uint64_t generation = 0;
  std::int64_t pid = 0;
};

template <class Inspector>
bool inspect(Inspector& f, port_opened& x) {
  return f.object(x).fields(f.field("generation", x.generation),
                            f.field("pid", x.pid));
}

/// Port owner to connection: messages of the server, in its order.
struct port_received {
  std::uint64_t generation = 0;
  std::vector<incoming_message> messages;
};

template <class Inspector>
bool inspect(Inspector& f, port_received& x) {
  return f.object(x).fields(f.field("generation", x.generation),
                            f.field("messages", x.messages));
}

/// Port owner to connection: nothing will come any more. The last message of a
/// port owner; all that the server wrote before was delivered.
struct port_closed {
  std::uint64_t generation = 0;
  close_reason reason;
  /// How many messages the port owner has taken from the connection. What the
  /// connection wrote beyond these was still under way, so it was not sent.
  std::uint64_t messages_taken = 0;
  /// Ids of the requests among those taken of which not a single byte reached
  /// the pipe, in ascending order.
  std::vector<std::int64_t> unsent;
};

template <class Inspector>
bool inspect(Inspector& f, port_closed& x) {
  return f.object(x).fields(
    f.field("generation", x.generation), f.field("reason", x.reason),
    f.field("messages_taken", x.messages_taken), f.field("unsent", x.unsent));
}

/// Port owner to itself: there is nothing left to do.
struct port_done {};

template <class Inspector>
bool inspect(Inspector& f, port_done& x) {
  return f.object(x).fields();
}

/// Connection to itself: a deadline has passed.
struct deadline_passed {};

template <class Inspector>
bool inspect(Inspector& f, deadline_passed& x) {
  return f.object(x).fields();
}

/// To a log actor: lines the server wrote beside its messages, without
/// their newlines. The next comes once the log actor has dealt with this one.
struct server_output {
  /// From its stderr, if that is captured. Need not be valid UTF-8; long lines
  /// are cut.
  std::vector<std::string> stderr_lines;
  /// From its stdout, where it should write messages only. Excerpts.
  std::vector<std::string> junk_lines;
  /// A protocol violation that the connection found, as a sentence.
  std::vector<std::string> remarks;
  /// How many lines were dropped before these, because the log actor is slower
  /// than the server.
  std::uint64_t dropped = 0;
};

template <class Inspector>
bool inspect(Inspector& f, server_output& x) {
  return f.object(x).fields(f.field("stderr_lines", x.stderr_lines),
                            f.field("junk_lines", x.junk_lines),
                            f.field("remarks", x.remarks),
                            f.field("dropped", x.dropped));
}

} // namespace caf_mcp
