# Debian packages of what Install.cmake installs (`make deb`): `caddis`, the program with its documents and services, and `caddis-dev`,
# the header that modules are built with, and their examples. The libraries that the program needs are found by
# dpkg-shlibdeps.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME caddis)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The authors of Caddis <caddis@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_COMPONENTS_ALL program modules)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION web)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME caddis)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "caddis-dev (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "adduser")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "bubblewrap")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/packaging/postinst ${CMAKE_SOURCE_DIR}/packaging/prerm
    ${CMAKE_SOURCE_DIR}/packaging/postrm ${CMAKE_SOURCE_DIR}/packaging/conffiles)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "web archiving: crawler, engine, WARC tools and replay
 Crawls web sites into WARC files, indexes them, and serves what was archived.
 The engine runs jobs, and is steered in a browser or by other programs.")

set(CPACK_DEBIAN_MODULES_PACKAGE_NAME caddis-dev)
set(CPACK_DEBIAN_MODULES_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_MODULES_PACKAGE_SUGGESTS "caddis (= ${PROJECT_VERSION}), g++")
set(CPACK_COMPONENT_MODULES_DESCRIPTION "modules for the crawler Caddis: header and examples
 Rules, steps, listeners, policies and frontiers of one's own, in C++.")
include(CPack)
