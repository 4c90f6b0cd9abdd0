# Installs the build into an empty prefix, then configures, builds and runs the consumer project against it.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${work_dir}")
run(${CMAKE_COMMAND} --install "${build_dir}" --prefix "${work_dir}/prefix")
run(${CMAKE_COMMAND} -S "${CMAKE_CURRENT_LIST_DIR}" -B "${work_dir}/build" -G "${generator}"
  "-DCMAKE_CXX_COMPILER=${compiler}" "-DCMAKE_CXX_COMPILER_LAUNCHER=${launcher}" -DCMAKE_BUILD_TYPE=Release
  "-DCMAKE_PREFIX_PATH=${work_dir}/prefix" "-DCAF_DIR=${caf_dir}")
run(${CMAKE_COMMAND} --build "${work_dir}/build")
run("${work_dir}/build/consumer")
run("${work_dir}/build/consumer-of-nodes")

execute_process(COMMAND ldd "${work_dir}/build/consumer" OUTPUT_VARIABLE libraries COMMAND_ERROR_IS_FATAL ANY)
if(libraries MATCHES "libssl|libcrypto|libcaf_io|libcaf_openssl")
  message(FATAL_ERROR "a program without nodes needs what only nodes need:\n${libraries}")
endif()
file(READ "${work_dir}/build/build.ninja" links)
if(links MATCHES "build consumer:[^\n]*(libcaf_io|libcaf_openssl)")
  message(FATAL_ERROR "a program without nodes links CAF's middleman or its OpenSSL module")
endif()
