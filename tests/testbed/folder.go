package testbed

import (
	"os"
	"path/filepath"
	"syscall"
)

// A folder is locked while its testbed lives, so that one left behind by a killed testbed is known by its lock being free.
const folderPrefix, lockName = "basalt-testbed-", "lock"

type folder struct {
	path string
	lock *os.File
}

// newFolder makes the temporary folder of a testbed and removes those that killed ones left.
func newFolder() (*folder, error) {
	removeStaleFolders()
	path, err := os.MkdirTemp("", folderPrefix)
	if err != nil {
		return nil, err
	}
	// It gets its name only when it is locked, so that no other testbed finds it free.
	lock, err := os.CreateTemp(path, "new")
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, err
	}
	return &folder{path, lock}, os.Rename(lock.Name(), filepath.Join(path, lockName))
}

func (f *folder) file(name string) string { return filepath.Join(f.path, name) }

func (f *folder) write(name string, content []byte) (string, error) {
	path := f.file(name)
	return path, os.WriteFile(path, content, 0o600)
}

func (f *folder) remove() error {
	defer f.lock.Close()
	return os.RemoveAll(f.path)
}

// removeStaleFolders is an attempt: what cannot be removed belongs to somebody else. A folder without a lock file is just being made.
func removeStaleFolders() {
	locks, _ := filepath.Glob(filepath.Join(os.TempDir(), folderPrefix+"*", lockName))
	for _, path := range locks {
		lock, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			os.RemoveAll(filepath.Dir(path))
		}
		lock.Close()
	}
}
