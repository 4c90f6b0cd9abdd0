// Two things that CAF 0.18 leaves behind until the process ends; no code of
// ours owns either:
// - a connection that ends between connect(2) and its peer's hello: a scribe of
//   some 400 bytes, with its TLS session;
// - the broker of a system that ends at the moment of its heartbeat, a message
//   to itself, which then waits in its own mailbox and keeps it: 3 KiB.
//
// For programs that are nodes, built with the address sanitizer.
//
// NOLINTNEXTLINE(readability-identifier-naming, bugprone-reserved-identifier)
extern "C" const char* __lsan_default_suppressions() {
  return "leak:node_scribe\n"
         "leak:caf::io::basp_broker\n";
}
