# One interface target carries the warnings, the sanitizers and the hardening of every other target.
add_library(outrider_warnings INTERFACE)
target_compile_options(outrider_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wcast-qual -Wformat=2 -Wimplicit-fallthrough -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports reads of std::variant and std::optional members that it cannot follow at -O2.
  target_compile_options(outrider_warnings INTERFACE -Wno-maybe-uninitialized)
endif()

# The parsers inside the system's headers are compiled into our objects, so every object has to be
# instrumented: sanitizers are global, warnings are not.
if(OUTRIDER_SANITIZE)
  add_compile_options(-fsanitize=${OUTRIDER_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${OUTRIDER_SANITIZE})
else()
  add_compile_options(-fstack-protector-strong)
  if(CMAKE_BUILD_TYPE STREQUAL "Release" OR CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
    add_compile_definitions(_FORTIFY_SOURCE=2)
  endif()
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  add_link_options(-Wl,-z,relro,-z,now)
endif()

# libFuzzer is guided by the coverage of whatever it calls, the libraries included.
if(OUTRIDER_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_program(OUTRIDER_CCACHE ccache)
if(OUTRIDER_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${OUTRIDER_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${OUTRIDER_CCACHE})
endif()
