package live

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// replay runs basalt schedule --replay and gives its output and exit code.
func replay(t *testing.T, file string) (string, int) {
	t.Helper()
	command := exec.Command(filepath.Join(*bin, "basalt"), "schedule", "-f", file, "--replay")
	out, err := command.CombinedOutput()
	if command.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), command.ProcessState.ExitCode()
}

func TestARecordedRunIsReplayedHashForHash(t *testing.T) {
	ns := space(t)
	file := filepath.Join(t.TempDir(), "run.rec")
	s := run(t, "--leader-elect=false", "--record", file, "--record-max-bytes=2097152")
	for i := range 12 {
		gang(t, ns, fmt.Sprintf("g%d", i), 8, 8, "1", nil)
	}
	gang(t, ns, "waits", nodes+1, nodes+1, "20", nil)
	eventually(t, "every gang is bound whole", func() bool { return wholeGangs(t, ns, 12, 8) })
	if err := s.end(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	cycles := 0
	for _, name := range []string{file + ".1", file} {
		text, err := os.ReadFile(name)
		if os.IsNotExist(err) {
			continue // not long enough for a second file
		}
		out, code := replay(t, name)
		t.Logf("%s: %d bytes, %s", filepath.Base(name), len(text), out)
		if code != 0 {
			t.Errorf("%s: exit code %d: %s", name, code, out)
		}
		n := bytes.Count(text, []byte("\n{\"cycle\":"))
		cycles += n
		if !strings.Contains(out, fmt.Sprintf("%d cycles are equal", n)) {
			t.Errorf("not all of %d cycles: %s", n, out)
		}
		if strings.Contains(string(text), "managedFields") {
			t.Error("managedFields are recorded")
		}
	}
	if cycles < 3 {
		t.Errorf("only %d cycles", cycles)
	}

	// Another outcome is found, and the first cycle that has it is named.
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	hashes := regexp.MustCompile(`"hash":"[0-9a-f]{16}"`).FindAllIndex(text, -1)
	last := hashes[len(hashes)-1]
	forged := bytes.Clone(text)
	copy(forged[last[0]:], `"hash":"0000000000000000"`)
	line := bytes.Count(forged[:last[0]], []byte("\n")) + 1
	if err := os.WriteFile(file, forged, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code := replay(t, file); code != 1 || !strings.Contains(out, fmt.Sprintf("line %d: cycle %d ", line, len(hashes))) {
		t.Errorf("exit code %d, line %d: %s", code, line, out)
	}
	// One that was cut off is told, and what came before counts.
	if err := os.WriteFile(file, text[:len(text)-7], 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code := replay(t, file); code != 4 || !strings.Contains(out, fmt.Sprintf("line %d", bytes.Count(text, []byte("\n")))) {
		t.Errorf("exit code %d: %s", code, out)
	}
}
