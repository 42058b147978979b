# femflex_room(<name> [NAMESPACE <ns>] API <headers> SOURCES <files>
#              [DEPENDS <targets>] [PRIVATE_DEPENDS <targets>])
#
# One folder is one library femflex::<name>. Its API headers, and only these, are linked into
# <build>/rooms/<name>/femflex/<namespace>/, which becomes the library's public include path: a room
# sees of another one what that room declares, and nothing of a room that it does not depend on.
# The folder itself is a private include path (the workshop). NAMESPACE is the folder part of
# #include "femflex/<namespace>/x.h"; it defaults to <name>, and "." means none (core).
function(femflex_room name)
  cmake_parse_arguments(ROOM "" "NAMESPACE" "API;SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  if(ROOM_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "femflex_room(${name}): unknown arguments ${ROOM_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT ROOM_NAMESPACE)
    set(ROOM_NAMESPACE ${name})
  endif()
  set(door ${PROJECT_BINARY_DIR}/rooms/${name})
  set(folder ${door}/femflex/${ROOM_NAMESPACE})
  file(REMOVE_RECURSE ${door})
  file(MAKE_DIRECTORY ${folder})
  foreach(header IN LISTS ROOM_API)
    cmake_path(GET header FILENAME file)
    if(IS_ABSOLUTE ${header})
      file(CREATE_LINK ${header} ${folder}/${file} SYMBOLIC)
      set(path ${header})
    else()
      file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/${header} ${folder}/${file} SYMBOLIC)
      set(path ${CMAKE_CURRENT_SOURCE_DIR}/${header})
    endif()
    install(FILES ${path} DESTINATION include/femflex/${ROOM_NAMESPACE})
  endforeach()

  set(target femflex_${name})
  add_library(${target} STATIC ${ROOM_SOURCES})
  add_library(femflex::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${door}> $<INSTALL_INTERFACE:include>
    PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${target} PUBLIC ${ROOM_DEPENDS} PRIVATE ${ROOM_PRIVATE_DEPENDS} femflex_flags)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_property(GLOBAL APPEND PROPERTY FEMFLEX_ROOMS ${target})
endfunction()

# femflex_test(<room> [WHOLE] SOURCES <files> [DEPENDS <targets>] [WORKSHOP <folder>])
#
# One executable of GoogleTest cases a room. WORKSHOP opens the room's private folder to its tests.
# WHOLE runs all cases in one process, for those that share something long in the making.
function(femflex_test room)
  cmake_parse_arguments(TEST "WHOLE" "WORKSHOP" "SOURCES;DEPENDS" ${ARGN})
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
  gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST TEST_PREFIX ${room}.
    PROPERTIES TIMEOUT 300)
endfunction()
