package kernel

/*
#include "basalt.h"
*/
import "C"

import (
	"fmt"
	"unsafe"
)

// Assumed is what the kernel knows beside the objects; see basalt_assumed_json.
func (k *Kernel) Assumed() ([]byte, error) {
	var out C.basalt_buffer
	defer C.basalt_buffer_free(&out)
	if status := C.basalt_assumed_json(k.engine, &out); status != C.BASALT_OK {
		return nil, fmt.Errorf("assumed state of the kernel: status %d", int(status))
	}
	return C.GoBytes(unsafe.Pointer(out.data), C.int(out.size)), nil
}

// CycleHash is the hash of what the last cycle decided.
func (k *Kernel) CycleHash() (uint64, error) {
	var hash C.uint64_t
	if status := C.basalt_cycle_hash(k.engine, &hash); status != C.BASALT_OK {
		return 0, fmt.Errorf("hash of the cycle: status %d", int(status))
	}
	return uint64(hash), nil
}
