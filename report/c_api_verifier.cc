// The door of the plan verifier. It is not built yet: every call says so.
#include "kernel/include/basalt.h"

extern "C" {

basalt_status basalt_verifier_open(const basalt_options*, basalt_verifier**) { return BASALT_UNAVAILABLE; }
void basalt_verifier_close(basalt_verifier*) {}
basalt_status basalt_verifier_read_text(basalt_verifier*, basalt_text, const char*, basalt_format) { return BASALT_UNAVAILABLE; }
basalt_status basalt_verifier_check(basalt_verifier*, basalt_text, basalt_text, basalt_buffer*) { return BASALT_UNAVAILABLE; }

}  // extern "C"
