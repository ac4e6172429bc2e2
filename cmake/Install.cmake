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
install(TARGETS caddis RUNTIME COMPONENT program)
install(FILES ${CMAKE_SOURCE_DIR}/apps/caddis/caddis.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME caddis COMPONENT program)
install(FILES ${CMAKE_SOURCE_DIR}/packaging/caddis.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _caddis COMPONENT program)
install(FILES ${CMAKE_SOURCE_DIR}/packaging/caddis-engine.service ${CMAKE_SOURCE_DIR}/packaging/caddis-serve.service
        DESTINATION lib/systemd/system COMPONENT program)
# The manual pages are made by the executable, so that they say what it says. Settings of the services lie beside the
# prefix /usr of a package, and below any other.
install(CODE "
  set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
  set(man \"\${prefix}/${CMAKE_INSTALL_MANDIR}/man1\")
  file(MAKE_DIRECTORY \${man})
  execute_process(COMMAND \"$<TARGET_FILE:caddis>\" man \${man} COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB pages \${man}/caddis.1 \${man}/caddis-*.1)
  execute_process(COMMAND gzip -9nf \${pages} COMMAND_ERROR_IS_FATAL ANY)
  set(settings \"\${prefix}/etc/default\")
  if(prefix MATCHES \"/usr$\")
    get_filename_component(settings \"\${prefix}/../etc/default\" ABSOLUTE)
  endif()
  file(MAKE_DIRECTORY \${settings})
  if(NOT EXISTS \${settings}/caddis)
    configure_file(\"${CMAKE_SOURCE_DIR}/packaging/caddis.default\" \${settings}/caddis COPYONLY)
  endif()" COMPONENT program)
install(TARGETS ${modules} EXPORT caddisTargets ARCHIVE)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/src/caddis DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN "*_testing.h" EXCLUDE PATTERN "precompiled.h" EXCLUDE)
# All that a module needs (docs/extending.md), for who installs it alone.
install(FILES ${CMAKE_SOURCE_DIR}/src/caddis/modules/module.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/caddis/modules COMPONENT modules)
set(modules_doc ${CMAKE_INSTALL_DATAROOTDIR}/doc/caddis-dev)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/examples/modules/ DESTINATION ${modules_doc}/examples COMPONENT modules)
install(FILES ${CMAKE_SOURCE_DIR}/docs/extending.md ${CMAKE_SOURCE_DIR}/docs/lua.md DESTINATION ${modules_doc} COMPONENT modules)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${modules_doc} RENAME copyright COMPONENT modules)
install(EXPORT caddisTargets NAMESPACE caddis:: DESTINATION ${package_folder})
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/caddisConfig.cmake.in ${CMAKE_BINARY_DIR}/caddisConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/caddisConfigVersion.cmake COMPATIBILITY ExactVersion)
install(FILES ${CMAKE_BINARY_DIR}/caddisConfig.cmake ${CMAKE_BINARY_DIR}/caddisConfigVersion.cmake DESTINATION ${package_folder})
install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/LICENSE ${CMAKE_SOURCE_DIR}/api/openapi.yaml TYPE DOC COMPONENT program)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE TYPE DOC RENAME copyright COMPONENT program)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/examples/console DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT program)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/examples/programs DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT program
        USE_SOURCE_PERMISSIONS)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program FILES_MATCHING PATTERN "*.md" PATTERN "grafana/*.json")
