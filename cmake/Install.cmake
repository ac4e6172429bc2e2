# What `cmake --install` puts below a prefix: the executable, the modules as static libraries with their headers, and the
# CMake package `caddis`, which offers each module as caddis::<module>, and all of them as caddis::caddis.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Warnings, the linker and the source folder are this project's own affair; its users need the language and the headers.
foreach(property IN ITEMS INTERFACE_COMPILE_OPTIONS INTERFACE_LINK_OPTIONS INTERFACE_INCLUDE_DIRECTORIES)
  get_target_property(value caddis_flags ${property})
  if(value)
    set_property(TARGET caddis_flags PROPERTY ${property} "$<BUILD_INTERFACE:${value}>")
  endif()
endforeach()
target_include_directories(caddis_flags INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(caddis_flags INTERFACE cxx_std_23)
set_target_properties(caddis_flags PROPERTIES EXPORT_NAME flags)
set(modules caddis_flags)
set(CADDIS_MODULES "")
file(GLOB folders CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/src/caddis ${CMAKE_SOURCE_DIR}/src/caddis/*)
foreach(module IN LISTS folders)
  if(TARGET caddis_${module})
    set_target_properties(caddis_${module} PROPERTIES EXPORT_NAME ${module})
    list(APPEND modules caddis_${module})
    string(APPEND CADDIS_MODULES " caddis::${module}")
  endif()
endforeach()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/caddis)
install(TARGETS caddis RUNTIME)
install(TARGETS ${modules} EXPORT caddisTargets ARCHIVE)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/src/caddis DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN "*_testing.h" EXCLUDE PATTERN "precompiled.h" EXCLUDE)
# All that a module needs (docs/extending.md), for who installs it alone.
install(FILES ${CMAKE_SOURCE_DIR}/src/caddis/modules/module.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/caddis/modules COMPONENT modules)
install(EXPORT caddisTargets NAMESPACE caddis:: DESTINATION ${package_folder})
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/caddisConfig.cmake.in ${CMAKE_BINARY_DIR}/caddisConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/caddisConfigVersion.cmake COMPATIBILITY ExactVersion)
install(FILES ${CMAKE_BINARY_DIR}/caddisConfig.cmake ${CMAKE_BINARY_DIR}/caddisConfigVersion.cmake DESTINATION ${package_folder})
install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/LICENSE ${CMAKE_SOURCE_DIR}/api/openapi.yaml TYPE DOC)
