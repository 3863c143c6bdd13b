#pragma once

#include <string>
#include <string_view>

namespace outrider::config {

// The store URL or libpq connection string with every password replaced by "***": in the userinfo
// of a URL, and the parameters password and sslpassword in either form. Where a text is malformed
// it hides too much rather than too little. Anything else is returned as it is.
std::string redact_store_url(std::string_view url);

}  // namespace outrider::config
