package testbed

import _ "embed"

//go:embed stages.yaml
var defaultStages string

// A bound pod with this annotation (a duration) Succeeds that long after it has become Ready; others run until they are deleted.
const CompleteAfter = "testbed.basalt.dev/complete-after"
