#include <boost/json.hpp>
#include <fmt/format.h>
#include <iostream>

#include "outrider/commands.hpp"

namespace outrider::cli {

int run_config_check(const Context& context) {
  const auto& problems = context.loaded.problems;
  if (context.json) {
    boost::json::array list;
    for (const config::Problem& problem : problems)
      list.push_back(boost::json::object{{"where", problem.where}, {"what", problem.what}});
    std::cout << boost::json::object{{"problems", std::move(list)}} << '\n';
  } else {
    for (const config::Problem& problem : problems)
      std::cerr << fmt::format("{}\n", config::to_string(problem));
    if (problems.empty())
      std::cout << "the configuration is valid\n";
  }
  return problems.empty() ? done : failed;
}

int run_config_print(const Context& context) {
  boost::json::array list;
  for (const config::LoadedSetting& entry : context.loaded.entries) {
    if (context.json)
      list.push_back(boost::json::object{{"key", std::string(entry.setting->key)},
                                         {"value", entry.value},
                                         {"source", entry.source}});
    else
      std::cout << fmt::format("{:<26} {:<40} # {}\n", entry.setting->key, entry.value,
                               entry.source);
  }
  if (context.json)
    std::cout << boost::json::object{{"settings", std::move(list)}} << '\n';
  return done;
}

}  // namespace outrider::cli
