#include "tests/support/certificates.hpp"

#include <catch2/catch_test_macros.hpp>

#include <atomic>
#include <cstdlib>

namespace tests {

namespace {

/// What `openssl ca` needs to know, and cannot be told otherwise.
constexpr std::string_view ca_config = R"([ca]
default_ca = own
[own]
database = index.txt
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = any
[any]
commonName = supplied
)";

constexpr std::string_view new_key
  = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";

} // namespace

authority::authority() {
  // Two of one name would differ by their keys alone.
  static std::atomic<int> count = 0;
  directory_.write("ca.cnf", ca_config);
  directory_.write("index.txt", "");
  openssl("req -x509 " + std::string{new_key}
          + " -keyout ca.key -out ca.pem -subj /CN=authority-"
          + std::to_string(++count) + " -days 1");
}

caf_mcp::tls_files authority::sign(std::string_view name) const {
  return sign(name, "-days 1");
}

caf_mcp::tls_files authority::sign_expired(std::string_view name) const {
  return sign(name, "-startdate 20200101000000Z -enddate 20200102000000Z");
}

caf_mcp::tls_files authority::sign(std::string_view name,
                                   std::string_view validity) const {
  const std::string base{name};
  openssl("req " + std::string{new_key} + " -keyout " + base + ".key -out "
          + base + ".csr -subj /CN=" + base);
  openssl("ca -batch -notext -config ca.cnf -cert ca.pem -keyfile ca.key -in "
          + base + ".csr -out " + base + ".pem " + std::string{validity});
  const auto path = directory_.path() + '/' + base;
  return {path + ".pem", path + ".key", certificate()};
}

void authority::openssl(const std::string& words) const {
  const auto command
    = "cd '" + directory_.path() + "' && openssl " + words + " > log.txt 2>&1";
  INFO(command);
  REQUIRE(std::system(command.c_str()) == 0);
}

} // namespace tests
