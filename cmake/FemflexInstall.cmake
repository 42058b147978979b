# cmake --install gives a package that find_package(femflex) finds; cpack makes a .deb of it.
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

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the femflex maintainers")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(TARGET femflex_python)  # the package for scripts works on these
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-numpy, python3-scipy")
endif()
include(CPack)
