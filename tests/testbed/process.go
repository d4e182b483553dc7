package testbed

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// process is a running component: the leader of a process group of its own, with its output in a file.
type process struct {
	name    string
	log     string
	cmd     *exec.Cmd
	started time.Time
	ended   chan struct{} // closed when the leader has ended; err is set before
	err     error
}

// The kernel ends a component when the thread that started it ends (PR_SET_PDEATHSIG), so all are started by one thread that stays for good:
// then they end with this process however it ends.
var starter = sync.OnceValue(func() chan func() {
	calls := make(chan func())
	go func() {
		runtime.LockOSThread()
		for call := range calls {
			call()
		}
	}()
	return calls
})

// startProcess starts binary with its output appended to the file log.
func startProcess(name, log, binary string, args ...string) (*process, error) {
	output, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer output.Close()
	p := &process{name: name, log: log, cmd: exec.Command(binary, args...), started: time.Now(), ended: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = output, output
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	result := make(chan error)
	starter() <- func() { result <- p.cmd.Start() }
	if err := <-result; err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	return p, nil
}

// signal reaches the whole group; a group that is gone is no error.
func (p *process) signal(s syscall.Signal) error {
	if err := syscall.Kill(-p.cmd.Process.Pid, s); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	return nil
}

// stop asks the group to end, ends it after the grace period, and returns when no process of it is left.
func (p *process) stop(grace time.Duration) error {
	if err := p.signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case <-p.ended:
	case <-time.After(grace):
	}
	// Also for what the leader may have left behind.
	if err := p.signal(syscall.SIGKILL); err != nil {
		return err
	}
	<-p.ended
	for range 500 {
		if errors.Is(syscall.Kill(-p.cmd.Process.Pid, 0), syscall.ESRCH) {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return fmt.Errorf("%s: process group %d does not end", p.name, p.cmd.Process.Pid)
}

// death tells how the component ended, with the end of its log; only after ended is closed.
func (p *process) death() error {
	how := "exit status 0"
	if p.err != nil {
		how = p.err.Error()
	}
	return fmt.Errorf("%s ended by itself (%s) %.1f s after its start; the end of its log:\n%s", p.name, how, time.Since(p.started).Seconds(), p.logTail())
}

const tailLines, tailBytes = 20, 16 << 10

func (p *process) logTail() string { return tail(p.log) }

func tail(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	text = bytes.TrimSpace(text[max(0, len(text)-tailBytes):])
	lines := bytes.Split(text, []byte("\n"))
	return string(bytes.Join(lines[max(0, len(lines)-tailLines):], []byte("\n")))
}
