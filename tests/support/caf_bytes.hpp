#pragma once

#include <caf/binary_deserializer.hpp>
#include <caf/binary_serializer.hpp>
#include <caf/byte_buffer.hpp>
#include <caf/config.hpp>

#include <optional>

namespace tests {

/// Renders `x` as CAF sends it to another node; nothing if CAF refuses it.
template <class T>
std::optional<caf::byte_buffer> to_bytes(const T& x) {
  caf::byte_buffer bytes;
#if CAF_MAJOR_VERSION >= 1
  caf::binary_serializer sink{bytes};
#else
  caf::binary_serializer sink{nullptr, bytes};
#endif
  if (!sink.apply(x))
    return std::nullopt;
  return bytes;
}

/// Reads what another node sent; nothing if CAF refuses it or leaves a rest.
template <class T>
std::optional<T> from_bytes(const caf::byte_buffer& bytes) {
#if CAF_MAJOR_VERSION >= 1
  caf::binary_deserializer source{bytes};
#else
  caf::binary_deserializer source{nullptr, bytes};
#endif
  T x;
  if (!source.apply(x) || source.remaining() != 0)
    return std::nullopt;
  return x;
}

/// Returns what another node gets of `x`.
template <class T>
std::optional<T> across_nodes(const T& x) {
  auto bytes = to_bytes(x);
  return bytes ? from_bytes<T>(*bytes) : std::nullopt;
}

} // namespace tests
