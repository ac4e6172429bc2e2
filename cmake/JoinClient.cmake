# Joins the parts of web/replay/client into one script: cmake -DOUTPUT=client.js -DFOLDER=web/replay/client -P JoinClient.cmake
# It is one function, so that it can be given to the windows that scripts make.
set(text "(function caddisClient(given) {\n'use strict';\n")
foreach(part IN ITEMS
    script_lexer script_rewriter place start runtime markup requests elements documents storage time messages frames)
  file(READ ${FOLDER}/${part}.js part_text)
  string(APPEND text "${part_text}")
endforeach()
file(WRITE ${OUTPUT} "${text}return undefined;\n})(null);\n")
