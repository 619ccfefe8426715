# Writes OUTPUT: what a descriptor needs from trammel/c_plugin.h, as Rust. COMPILER preprocesses, INCLUDE holds the header.
set(flags)
foreach(folder IN LISTS INCLUDE)
  list(APPEND flags -I${folder})
endforeach()
get_filename_component(folder ${OUTPUT} DIRECTORY)
file(WRITE ${folder}/abi.c "#include <trammel/c_plugin.h>
MAGIC TRAMMEL_DESCRIPTOR_MAGIC
EPOCH TRAMMEL_INTERFACE_EPOCH
MINOR TRAMMEL_SDK_MINOR
TAG TRAMMEL_C_ABI_TAG
")
execute_process(COMMAND ${COMPILER} ${flags} -E -P ${folder}/abi.c OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCH "\nMAGIC (0x[0-9a-f]+)" _ "${text}")
set(magic ${CMAKE_MATCH_1})
string(REGEX MATCH "\nEPOCH ([0-9]+)" _ "${text}")
set(epoch ${CMAKE_MATCH_1})
string(REGEX MATCH "\nMINOR ([0-9]+)" _ "${text}")
set(minor ${CMAKE_MATCH_1})
string(REGEX MATCH "\nTAG (.*)$" _ "${text}")
string(STRIP "${CMAKE_MATCH_1}" tag)
string(REGEX REPLACE "\" *\n? *\"" "\", \"" tag "${tag}")
file(WRITE ${OUTPUT} "const TRAMMEL_DESCRIPTOR_MAGIC: u64 = ${magic};
const TRAMMEL_INTERFACE_EPOCH: u32 = ${epoch};
const TRAMMEL_SDK_MINOR: u32 = ${minor};
macro_rules! trammel_abi_tag { () => { concat!(${tag}) }; }
")
