# femflex_room(<name> [NAMESPACE <ns>] API <headers> [GENERATED <headers>] SOURCES <files>
#              [DEPENDS <targets>] [PRIVATE_DEPENDS <targets>])
#
# One folder is one library femflex::<name>. Its doors are the headers of include/femflex/<ns>/: a room sees
# of another one what lies there, and nothing of a room that it does not depend on; an include says where
# the file is. API names them all. The folder itself is a private include path (the workshop). <ns>
# defaults to <name>, and "." means none (core). GENERATED headers are made by configure_file() in the
# same folder below the build's.
function(femflex_room name)
  cmake_parse_arguments(ROOM "" "NAMESPACE" "API;GENERATED;SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  if(ROOM_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "femflex_room(${name}): unknown arguments ${ROOM_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT ROOM_NAMESPACE)
    set(ROOM_NAMESPACE ${name})
  endif()
  cmake_path(APPEND doors ${CMAKE_CURRENT_SOURCE_DIR} include)
  cmake_path(APPEND made ${CMAKE_CURRENT_BINARY_DIR} include)
  list(TRANSFORM ROOM_API PREPEND ${doors}/femflex/${ROOM_NAMESPACE}/)
  list(TRANSFORM ROOM_GENERATED PREPEND ${made}/femflex/${ROOM_NAMESPACE}/)
  set(folders ${doors})
  if(ROOM_GENERATED)
    list(APPEND folders ${made})
  endif()

  set(target femflex_${name})
  add_library(${target} STATIC ${ROOM_SOURCES})
  add_library(femflex::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${folders} FILES ${ROOM_API} ${ROOM_GENERATED})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${target} PUBLIC ${ROOM_DEPENDS} PRIVATE ${ROOM_PRIVATE_DEPENDS} femflex_flags)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_property(GLOBAL APPEND PROPERTY FEMFLEX_ROOMS ${target})
endfunction()

# femflex_test(<room> [WHOLE] SOURCES <files> [DEPENDS <targets>] [WORKSHOP <folder>] [SHARED <patterns>])
#
# One executable of GoogleTest cases a room. WORKSHOP opens the room's private folder to its tests.
# WHOLE runs all cases in one process, for those that share something long in the making.
# SHARED names the cases that read real files in the folder `shared` beside the project (patterns of
# --gtest_filter). They bear the label `shared`, which ctest counts at its end; without the folder they skip.
function(femflex_test room)
  cmake_parse_arguments(TEST "WHOLE" "WORKSHOP" "SOURCES;DEPENDS;SHARED" ${ARGN})
  set(target ${room}_tests)
  add_executable(${target} ${TEST_SOURCES})
  target_link_libraries(${target} PRIVATE ${TEST_DEPENDS} femflex_test_support GTest::gtest_main femflex_flags)
  if(TEST_WORKSHOP)
    target_include_directories(${target} PRIVATE ${TEST_WORKSHOP})
  endif()
  if(TEST_WHOLE)
    add_test(NAME ${room} COMMAND ${target})
    set_tests_properties(${room} PROPERTIES TIMEOUT 900)
    return()
  endif()
  if(TEST_SHARED)
    list(JOIN TEST_SHARED ":" patterns)
    gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST TEST_PREFIX ${room}. TEST_FILTER ${patterns}
      PROPERTIES TIMEOUT 300 LABELS shared)
    set(others TEST_FILTER -${patterns})
  endif()
  gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST TEST_PREFIX ${room}. ${others}
    PROPERTIES TIMEOUT 300)
endfunction()
