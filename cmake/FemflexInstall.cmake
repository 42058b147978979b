# cmake --install gives a package that find_package(femflex) and pkg-config find, with licence, man pages and
# completions; cpack makes a .deb of it.
include(CMakePackageConfigHelpers)
get_property(rooms GLOBAL PROPERTY FEMFLEX_ROOMS)
install(TARGETS ${rooms} femflex_flags femflex_eigen femflex_spectra femflex_hdf5 femflex_lapack femflex_metis
  femflex_mumps femflex_cholmod femflex_sundials femflex_pugixml femflex_httplib
  femflex_openssl
  EXPORT femflexTargets ARCHIVE DESTINATION lib FILE_SET HEADERS DESTINATION include)
install(EXPORT femflexTargets NAMESPACE femflex:: DESTINATION lib/cmake/femflex)
configure_package_config_file(cmake/femflexConfig.cmake.in femflexConfig.cmake INSTALL_DESTINATION lib/cmake/femflex)
write_basic_package_version_file(femflexConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/femflexConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/femflexConfigVersion.cmake
  DESTINATION lib/cmake/femflex)

# pkg-config: rooms in the order of their links, dependants first, then the libraries of others
set(FEMFLEX_PC_ROOMS "")
foreach(room IN LISTS rooms)
  string(PREPEND FEMFLEX_PC_ROOMS "-l${room} ")
endforeach()
set(FEMFLEX_PC_LIBRARIES -lfmt ${HDF5_C_LIBRARIES} ${ZLIB_LIBRARIES})
foreach(target lapack metis mumps cholmod sundials)
  get_target_property(libraries femflex_${target} INTERFACE_LINK_LIBRARIES)
  foreach(library IN LISTS libraries)
    if(library MATCHES "INSTALL_INTERFACE:([A-Za-z0-9_-]+)")
      list(APPEND FEMFLEX_PC_LIBRARIES -l${CMAKE_MATCH_1})
    endif()
  endforeach()
endforeach()
list(REMOVE_DUPLICATES FEMFLEX_PC_LIBRARIES)
list(APPEND FEMFLEX_PC_LIBRARIES -pthread)
list(JOIN FEMFLEX_PC_LIBRARIES " " FEMFLEX_PC_LIBRARIES)
configure_file(cmake/femflex.pc.in femflex.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/femflex.pc DESTINATION lib/pkgconfig)
install(FILES LICENSE README.md DESTINATION share/doc/femflex)

# the program prints its own manual page and completions
set(manual ${CMAKE_CURRENT_BINARY_DIR}/manual)
file(MAKE_DIRECTORY ${manual})
add_custom_command(OUTPUT ${manual}/femflex.1 ${manual}/femflex ${manual}/_femflex
  COMMAND femflex man > ${manual}/femflex.1
  COMMAND femflex completion bash > ${manual}/femflex
  COMMAND femflex completion zsh > ${manual}/_femflex
  DEPENDS femflex VERBATIM)
add_custom_target(femflex_manual ALL DEPENDS ${manual}/femflex.1)
install(FILES ${manual}/femflex.1 DESTINATION share/man/man1)
install(FILES ${manual}/femflex DESTINATION share/bash-completion/completions)
install(FILES ${manual}/_femflex DESTINATION share/zsh/vendor-completions)

# all that is installed, for `make install`, which needs no tests
add_custom_target(femflex_installed DEPENDS ${rooms} femflex femflex_lattice femflex_manual)
foreach(target femflex_fmu femflex-mpi femflex_python femflex_python_stubs)
  if(TARGET ${target})
    add_dependencies(femflex_installed ${target})
  endif()
endforeach()

# Two packages: femflex, and femflex-mpi with the program that works over MPI, so that MPI is installed
# by those alone who ask for it
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the femflex maintainers")
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME femflex)
if(TARGET femflex_python)  # the package for scripts works on these
  set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_RECOMMENDS "python3-numpy, python3-scipy")
endif()
if(TARGET femflex-mpi)
  set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SUGGESTS femflex-mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME femflex-mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "femflex (= ${PROJECT_VERSION})")
  set(CPACK_COMPONENT_MPI_DESCRIPTION "femflex --distributed: factorisations spread over processes")
endif()
include(CPack)
