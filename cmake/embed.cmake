# cmake -DOUT=FILE -DFOLDER=DIR -P embed.cmake: the benchmark's scenarios and configurations as one C++ file.
cmake_minimum_required(VERSION 3.25)
function(list_of pattern array)
  file(GLOB files ${FOLDER}/${pattern})
  list(SORT files)
  set(text "const BuiltIn ${array}[] = {\n")
  foreach(file ${files})
    get_filename_component(name ${file} NAME_WE)
    file(READ ${file} body)
    string(APPEND text "    {\"${name}\", R\"basalt(${body})basalt\"},\n")
  endforeach()
  set(${array} "${text}    {nullptr, nullptr}};\n" PARENT_SCOPE)
endfunction()
list_of(*.toml kBuiltInScenarios)
list_of(*.conf kBuiltInConfigs)
file(SHA256 ${FOLDER}/../calibrate.cc hash)
file(WRITE ${OUT} "// Made by cmake/embed.cmake from bench/scenarios.
#include \"cli/bench/scenario_file.h\"

namespace basalt::cli {

${kBuiltInScenarios}
${kBuiltInConfigs}
const char kCalibrateSha256[] = \"${hash}\";

}  // namespace basalt::cli
")
