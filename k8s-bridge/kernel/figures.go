package kernel

/*
#include "basalt.h"
*/
import "C"

import (
	"fmt"
	"time"
	"unsafe"
)

// FiguresJSON is the document from which metrics are made; see basalt.h.
func (k *Kernel) FiguresJSON() ([]byte, error) {
	var out C.basalt_buffer
	defer C.basalt_buffer_free(&out)
	if status := C.basalt_figures_json(k.engine, &out); status != C.BASALT_OK {
		return nil, fmt.Errorf("figures of the kernel: status %d", int(status))
	}
	return C.GoBytes(unsafe.Pointer(out.data), C.int(out.size)), nil
}

// Stages of a cycle, as in basalt.h.
const (
	OpenPlugin = uint32(C.BASALT_STAGE_OPEN_PLUGIN)
	Action     = uint32(C.BASALT_STAGE_ACTION)
	Close      = uint32(C.BASALT_STAGE_CLOSE)
)

// StageTime is the time of a part of a cycle.
type StageTime struct {
	Stage uint32
	Name  string
	Took  time.Duration
}

// StageTimes says where the time of the last cycle went; nothing where it took the plan before it as it stood.
func (k *Kernel) StageTimes() []StageTime {
	var first *C.basalt_stage_time
	var count C.size_t
	if C.basalt_stage_times(k.engine, &first, &count) != C.BASALT_OK {
		return nil
	}
	var times []StageTime
	for _, t := range unsafe.Slice(first, int(count)) {
		times = append(times, StageTime{Stage: uint32(t.stage), Name: text(t.name), Took: time.Duration(t.ns)})
	}
	return times
}
