# BASALT_SANITIZE: "", "address,undefined" or "thread".
set(BASALT_SANITIZE "" CACHE STRING "Sanitizers to build with")
if(BASALT_SANITIZE)
  add_compile_options(-fsanitize=${BASALT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${BASALT_SANITIZE})
endif()
# Coverage is what guides libFuzzer: without it, it only throws dice.
if(BASALT_FUZZERS)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
