# Packages: the required ones first, then the optional ones. A missing optional package removes one
# feature, which says so at run time; FEMFLEX_MINIMAL leaves all of them out.
# Names of the Debian packages: cmake/packages.txt. Versions and reasons: docs/dependencies.md.
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(nlohmann_json 3.9 REQUIRED)
find_package(fmt 8 REQUIRED)
find_package(CLI11 2 REQUIRED)
find_package(HDF5 1.10 REQUIRED COMPONENTS C)
find_package(Threads REQUIRED)
find_path(SPECTRA_INCLUDE_DIR Spectra/SymEigsSolver.h REQUIRED)
find_package(ZLIB REQUIRED)  # HDF5 itself is built on it

# Third-party headers raise no warnings of ours.
add_library(femflex_eigen INTERFACE)
target_link_libraries(femflex_eigen INTERFACE Eigen3::Eigen)
add_library(femflex_spectra INTERFACE)
target_include_directories(femflex_spectra SYSTEM INTERFACE $<BUILD_INTERFACE:${SPECTRA_INCLUDE_DIR}>)
target_link_libraries(femflex_spectra INTERFACE Eigen3::Eigen)
add_library(femflex_hdf5 INTERFACE)
target_include_directories(femflex_hdf5 SYSTEM INTERFACE $<BUILD_INTERFACE:${HDF5_C_INCLUDE_DIRS}>)
target_link_libraries(femflex_hdf5 INTERFACE ${HDF5_C_LIBRARIES})
target_compile_definitions(femflex_hdf5 INTERFACE H5_USE_110_API)

# femflex_optional(<FEATURE>): sets FEMFLEX_HAVE_<FEATURE> and the interface library
# femflex_<feature>, which is empty where the package is absent. The sources that ask
# `#if FEMFLEX_HAVE_<FEATURE>` are named by femflex_asks().
function(femflex_optional feature)
  cmake_parse_arguments(OPT "" "HEADER" "LIBRARIES;SUFFIXES" ${ARGN})
  string(TOLOWER ${feature} lower)
  add_library(femflex_${lower} INTERFACE)
  set(found 1)
  if(FEMFLEX_MINIMAL)
    set(found 0)
  else()
    find_path(FEMFLEX_${feature}_INCLUDE ${OPT_HEADER} PATH_SUFFIXES ${OPT_SUFFIXES})
    if(NOT FEMFLEX_${feature}_INCLUDE)
      set(found 0)
    endif()
    foreach(library IN LISTS OPT_LIBRARIES)
      find_library(FEMFLEX_${feature}_${library} ${library})
      if(FEMFLEX_${feature}_${library})
        # an installed tree names the library, wherever the linker of that machine finds it
        target_link_libraries(femflex_${lower} INTERFACE
          $<BUILD_INTERFACE:${FEMFLEX_${feature}_${library}}> $<INSTALL_INTERFACE:${library}>)
      else()
        set(found 0)
      endif()
    endforeach()
  endif()
  if(found)
    target_include_directories(femflex_${lower} SYSTEM INTERFACE $<BUILD_INTERFACE:${FEMFLEX_${feature}_INCLUDE}>)
  else()
    set_property(TARGET femflex_${lower} PROPERTY INTERFACE_LINK_LIBRARIES "")
  endif()
  set(FEMFLEX_HAVE_${feature} ${found} PARENT_SCOPE)
  message(STATUS "femflex: ${feature} ${found}")
endfunction()

# femflex_asks(<FEATURE> <sources>): these sources ask `#if FEMFLEX_HAVE_<FEATURE>`. They alone are compiled
# by themselves and again for a build without the package; a source that is not named here fails by -Wundef.
function(femflex_asks feature)
  set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_DEFINITIONS FEMFLEX_HAVE_${feature}=${FEMFLEX_HAVE_${feature}})
endfunction()

femflex_optional(LAPACK HEADER lapacke.h LIBRARIES lapacke openblas)
femflex_optional(METIS HEADER metis.h LIBRARIES metis)
femflex_optional(MUMPS HEADER dmumps_c.h LIBRARIES dmumps_seq SUFFIXES mumps-seq-shared mumps_seq)

# MPI and the parallel MUMPS, for the program femflex-mpi alone. Both builds of MUMPS have the same
# interface and the same symbols: a program is linked with one of them, by femflex_parallel_program().
set(FEMFLEX_HAVE_MPI 0)
if(FEMFLEX_HAVE_MUMPS AND NOT FEMFLEX_SANITIZE)
  find_package(MPI QUIET COMPONENTS C)
  find_library(FEMFLEX_PARALLEL_MUMPS dmumps)
  if(MPI_C_FOUND AND FEMFLEX_PARALLEL_MUMPS)
    set(FEMFLEX_HAVE_MPI 1)
    set(is_parallel $<BOOL:$<TARGET_PROPERTY:FEMFLEX_PARALLEL>>)
    set_property(TARGET femflex_mumps PROPERTY INTERFACE_LINK_LIBRARIES
      $<BUILD_INTERFACE:$<IF:${is_parallel},${FEMFLEX_PARALLEL_MUMPS},${FEMFLEX_MUMPS_dmumps_seq}>>
      $<INSTALL_INTERFACE:dmumps_seq>)
  endif()
endif()
message(STATUS "femflex: MPI ${FEMFLEX_HAVE_MPI}")

# femflex_parallel_program(<target>): links the target with MPI and the parallel MUMPS.
function(femflex_parallel_program target)
  set_target_properties(${target} PROPERTIES FEMFLEX_PARALLEL 1)
  target_link_libraries(${target} PRIVATE femflex_modal_mpi)
endfunction()

if(FEMFLEX_WITH_CHOLMOD)
  femflex_optional(CHOLMOD HEADER cholmod.h LIBRARIES cholmod SUFFIXES suitesparse)
else()
  set(FEMFLEX_HAVE_CHOLMOD 0)
  add_library(femflex_cholmod INTERFACE)
endif()
femflex_optional(SUNDIALS HEADER ida/ida.h
  LIBRARIES sundials_ida sundials_nvecserial)
femflex_optional(PUGIXML HEADER pugixml.hpp LIBRARIES pugixml)
# OpenSSL serves cpp-httplib's own headers and our https alike: without it there is neither
femflex_optional(HTTPLIB HEADER httplib.h LIBRARIES cpp-httplib)
femflex_optional(OPENSSL HEADER openssl/ssl.h LIBRARIES ssl crypto)
if(FEMFLEX_HAVE_HTTPLIB AND NOT FEMFLEX_HAVE_OPENSSL)
  set(FEMFLEX_HAVE_HTTPLIB 0)
  set_property(TARGET femflex_httplib PROPERTY INTERFACE_LINK_LIBRARIES "")
  message(STATUS "femflex: HTTPLIB 0 (needs OpenSSL)")
endif()
if(FEMFLEX_HAVE_HTTPLIB)
  # the layout of its classes depends on these: they must be what the library was built with
  target_compile_definitions(femflex_httplib INTERFACE
    CPPHTTPLIB_OPENSSL_SUPPORT CPPHTTPLIB_ZLIB_SUPPORT CPPHTTPLIB_BROTLI_SUPPORT)
  target_link_libraries(femflex_httplib INTERFACE femflex_openssl Threads::Threads)
endif()

# Flags every target of ours is built with.
add_library(femflex_flags INTERFACE)
target_compile_options(femflex_flags INTERFACE
  # aggregates name the fields they know, the rest has defaults: no missing-field warnings
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wconversion;-Wshadow;-Wundef;-Wno-missing-field-initializers>"
  "$<$<BOOL:${FEMFLEX_WERROR}>:-Werror>"
  # clang++ counts signs under -Wconversion, g++ does not
  "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-sign-conversion>"
  # g++ 12 sees ghosts of these kinds inside Eigen's and fmt's templates
  "$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-restrict>")
if(FEMFLEX_SANITIZE)
  target_compile_options(femflex_flags INTERFACE -fsanitize=${FEMFLEX_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(FEMFLEX_SANITIZE MATCHES "address" AND FEMFLEX_SANITIZE MATCHES "undefined")
    # what the address sanitizer sees by itself: a check at every access doubles the time of a build;
    # no address is misaligned, since readers copy bytes into numbers and cast none (femflex/byte_order.h)
    target_compile_options(femflex_flags INTERFACE -fno-sanitize=null,object-size,vptr,pointer-overflow,alignment)
  endif()
  target_link_options(femflex_flags INTERFACE -fsanitize=${FEMFLEX_SANITIZE})
endif()

find_program(FEMFLEX_CCACHE ccache)
if(FEMFLEX_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${FEMFLEX_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${FEMFLEX_CCACHE})
endif()
