# cmake -DSOURCE=tools/viewer -DWORK=... -DOUTPUT=script.js -DNODE=... -DNPM=... -P bundle.cmake
#
# The viewer's script: bundled from src/ with three.js of the lock file where node and npm are
# available, else the bundle in prebuilt/. The two are identical as long as prebuilt/ was made from
# the present src/.
set(prebuilt ${SOURCE}/prebuilt/viewer.js)
if(NOT NODE OR NOT NPM)
  file(COPY_FILE ${prebuilt} ${OUTPUT})
  return()
endif()
set(modules ${SOURCE}/node_modules)
if(NOT EXISTS ${modules}/three OR NOT EXISTS ${modules}/esbuild)
  file(MAKE_DIRECTORY ${WORK})
  foreach(name package.json package-lock.json .npmrc bundle.mjs)
    file(COPY_FILE ${SOURCE}/${name} ${WORK}/${name} ONLY_IF_DIFFERENT)
  endforeach()
  file(REMOVE_RECURSE ${WORK}/src)
  file(COPY ${SOURCE}/src DESTINATION ${WORK})
  if(NOT EXISTS ${WORK}/node_modules/three OR ${WORK}/package-lock.json IS_NEWER_THAN ${WORK}/node_modules/.package-lock.json)
    execute_process(COMMAND ${NPM} ci --silent --no-progress --fetch-retries=0 --fetch-timeout=15000
      WORKING_DIRECTORY ${WORK} RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET TIMEOUT 60)
  endif()
  set(SOURCE ${WORK})
endif()
if(NOT failed)
  execute_process(COMMAND ${NODE} ${SOURCE}/bundle.mjs ${OUTPUT} RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE why)
endif()
if(failed)
  message(STATUS "viewer: npm cannot bundle here, so the bundle of tools/viewer/prebuilt is used ${why}")
  file(COPY_FILE ${prebuilt} ${OUTPUT})
endif()
