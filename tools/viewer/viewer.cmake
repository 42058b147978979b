# The page of `femflex view`: sources in src/, bundled with three.js at build time, embedded in the program.
option(FEMFLEX_BUNDLE_VIEWER "Bundle the viewer's script with node and npm where they are there; else the one in prebuilt/" ON)
set(viewer ${CMAKE_CURRENT_LIST_DIR})
if(FEMFLEX_BUNDLE_VIEWER AND NOT FEMFLEX_MINIMAL)
  find_program(FEMFLEX_NODE NAMES node nodejs)
  find_program(FEMFLEX_NPM npm)
  mark_as_advanced(FEMFLEX_NODE FEMFLEX_NPM)
  set(node ${FEMFLEX_NODE})
  set(npm ${FEMFLEX_NPM})
else()
  set(node "")
  set(npm "")
endif()
set(viewer_sources
  address.js body.js colour.js data.js export.js fields.js graphics.js lattice.js link.js main.js materials.js modes.js motion.js panel.js
  parts.js plots.js section.js theme.js timeline.js)
list(TRANSFORM viewer_sources PREPEND ${viewer}/src/)
set(viewer_script ${CMAKE_CURRENT_BINARY_DIR}/viewer/viewer.js)
set(viewer_assets ${CMAKE_CURRENT_BINARY_DIR}/viewer/viewer_assets.cpp)
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/viewer)
add_custom_command(OUTPUT ${viewer_script}
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${viewer} -DWORK=${CMAKE_CURRENT_BINARY_DIR}/viewer/npm -DOUTPUT=${viewer_script}
          -DNODE=${node} -DNPM=${npm} -P ${viewer}/bundle.cmake
  DEPENDS ${viewer_sources} ${viewer}/bundle.cmake ${viewer}/bundle.mjs ${viewer}/package-lock.json ${viewer}/prebuilt/viewer.js
  COMMENT "Viewer: bundling the page's script" VERBATIM)
add_custom_command(OUTPUT ${viewer_assets}
  COMMAND ${CMAKE_COMMAND} -DPAGE=${viewer}/page.html -DSTYLE=${viewer}/style.css -DSCRIPT=${viewer_script}
          -DHEADER=viewer_assets.h -DNAMESPACE=viewer -DOUTPUT=${viewer_assets} -P ${viewer}/embed.cmake
  DEPENDS ${viewer_script} ${viewer}/page.html ${viewer}/style.css ${viewer}/embed.cmake
  COMMENT "Viewer: embedding the page" VERBATIM)
