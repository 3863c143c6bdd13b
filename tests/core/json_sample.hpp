#pragma once

#include <string>
#include <vector>

namespace outrider::testing {

// A JSON value of which several texts can be made, all with the same meaning.
struct JsonSample {
  enum class Kind { literal, integer, string, array, object };
  Kind kind = Kind::literal;
  std::string name;  // as a member of an object
  std::string text;  // of a literal, an integer's digits, or a string's characters
  std::vector<JsonSample> children;
};

// To be called inside a rapidcheck property.
JsonSample any_json_sample(int depth_max);

// One of the many ways to write the value: members in any order, any white space, characters
// escaped or not, integers with or without a fraction and an exponent.
std::string spelled(const JsonSample& sample);

}  // namespace outrider::testing
