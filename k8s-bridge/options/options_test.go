package options

import (
	"fmt"
	"testing"

	"github.com/spf13/pflag"
)

func TestSelectorTakesColonsAndDropsWhatIsMalformed(t *testing.T) {
	var o Options
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	o.AddFlags(f)
	if err := f.Parse([]string{"--node-selector=zone:a, pool : gpu ,k8s.io/x:", "--node-selector=a=b,:v,k:v:w"}); err != nil {
		t.Fatal(err)
	}
	pairs, malformed := o.Selector()
	if got := fmt.Sprintf("%q %q", pairs, malformed); got != `["zone:a" "pool:gpu" "k8s.io/x:"] ["a=b" ":v" "k:v:w"]` {
		t.Error(got)
	}
}
