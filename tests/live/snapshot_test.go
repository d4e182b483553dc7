package live

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"basalt.dev/basalt/tests/testbed"
	"k8s.io/client-go/tools/clientcmd"
)

func tokenOf(t *testing.T, user string) string {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", cluster.Kubeconfig(user))
	if err != nil {
		t.Fatal(err)
	}
	return config.BearerToken
}

func TestASnapshotIsReadByBasaltAndOnlyByThoseWhoMay(t *testing.T) {
	ns := space(t)
	applyRoles(t, "rbac.yaml", func(text string) string { return text })
	applyRoles(t, "rbac-snapshot.yaml", func(text string) string { return text })
	start(t, serviceAccount, "--leader-elect=false", "--enable-debug-snapshot", "--listen-address=127.0.0.1:28082")
	gang(t, ns, "g", 3, 3, "1", nil)
	gang(t, ns, "waits", nodes+1, nodes+1, "20", nil)
	eventually(t, "bound", func() bool { return len(bound(t, ns, "g")) == 3 })

	snapshot := func(token string) (int, []byte) {
		request, err := http.NewRequest(http.MethodGet, "http://127.0.0.1:28082/debug/snapshot", nil)
		if err != nil {
			t.Fatal(err)
		}
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, text
	}
	for token, want := range map[string]int{"": 401, "nobody-has-this": 401, tokenOf(t, serviceAccount): 403, tokenOf(t, testbed.Admin): 200} {
		if code, text := snapshot(token); code != want {
			t.Errorf("%d and not %d: %s", code, want, text)
		}
	}
	// Once the watch has brought the bindings, a dump of the state says what the API server holds.
	file := filepath.Join(t.TempDir(), "snapshot.json")
	eventually(t, "basalt reads it and finds the gang running and the other waiting", func() bool {
		_, text := snapshot(tokenOf(t, testbed.Admin))
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(filepath.Join(*bin, "basalt"), "schedule", "-f", file, "-o", "json").Output()
		if err != nil {
			t.Fatal(err)
		}
		var plan struct {
			Inputs struct{ Nodes, Pods int }
			Cycles []struct {
				Binds     map[string]string
				Podgroups map[string]struct{ Phase string }
			}
		}
		if err := json.Unmarshal(out, &plan); err != nil {
			t.Fatal(err)
		}
		return plan.Inputs.Nodes == nodes && plan.Cycles[0].Podgroups[ns+"/g"].Phase == "Running" && plan.Cycles[0].Binds[fmt.Sprintf("%s/g-w-0", ns)] == ""
	})
}
