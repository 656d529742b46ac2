# cmake --install BUILD --component sdk --prefix FOLDER: what a vendor needs to write a plugin and to check it, in one
# tree that can be moved. sdk/CMakeLists.txt adds headers, the build recipe and the examples' sources; here are the
# program `tenon`, its library, helper and portable device, the operations as a file, programs and data to try, and the
# pages that a plugin's author reads.
install(TARGETS tenon-cli RUNTIME DESTINATION bin COMPONENT sdk)
install(TARGETS tenon LIBRARY DESTINATION lib COMPONENT sdk)
install(TARGETS tenon-probe tenon-certify RUNTIME DESTINATION libexec/tenon COMPONENT sdk)
install(TARGETS tenon_plugin_cpu LIBRARY DESTINATION lib/tenon-plugins COMPONENT sdk)
install(FILES $<TARGET_PROPERTY:tenon_plugin_cpu,TENON_MANIFEST> DESTINATION lib/tenon-plugins COMPONENT sdk)
install(FILES "${CMAKE_BINARY_DIR}/share/tenon/ops.json" DESTINATION share/tenon COMPONENT sdk)
install(DIRECTORY examples/programs examples/data DESTINATION share/tenon/examples COMPONENT sdk)
install(FILES docs/abi.md docs/add-a-device.md docs/certificate.md docs/numerics.md docs/ops.md LICENSE
        DESTINATION share/doc/tenon COMPONENT sdk)
