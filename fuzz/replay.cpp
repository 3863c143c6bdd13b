// replay TARGET FOLDER: feeds every seed of a corpus to one fuzz target, and nothing at all, with
// an ordinary compiler. A broken promise aborts. Fails when the folder holds no seed.
#include <cstdint>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "targets.hpp"

namespace {

int replay(outrider::fuzzing::Target target, const std::filesystem::path& folder) {
  target(nullptr, 0);
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::cout << entry.path().filename().string() << std::endl;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string seed{std::istreambuf_iterator<char>(file), {}};
    target(reinterpret_cast<const std::uint8_t*>(seed.data()), seed.size());
    ++count;
  }
  std::cout << count << " seeds\n";
  return count > 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  try {
    if (count == 3)
      for (const auto& [name, target] : outrider::fuzzing::targets)
        if (std::strcmp(name, words[1]) == 0)
          return replay(target, words[2]);
    std::cerr << "usage: replay TARGET FOLDER\n";
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
  }
  return 2;
}
