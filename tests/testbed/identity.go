package testbed

import (
	"crypto/rand"
	"encoding/csv"
	"fmt"
	"net"
	"strings"

	clientcert "k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
	"sigs.k8s.io/yaml"
)

// identities are the files by which API server and clients know each other.
type identities struct {
	certificate, key string // of the API server; the first is also the authority that signed it
	serviceAccounts  string // key that signs service account tokens
	tokens           string // --token-auth-file
	kubeconfigs      map[string]string
}

// newIdentities makes certificates and random tokens, and a kubeconfig for each user, in the folder.
func newIdentities(f *folder, port int, users []User) (*identities, error) {
	certificate, key, err := clientcert.GenerateSelfSignedCertKey("127.0.0.1", []net.IP{net.IPv4(127, 0, 0, 1)}, []string{"localhost"})
	if err != nil {
		return nil, err
	}
	signer, err := keyutil.MakeEllipticPrivateKeyPEM()
	if err != nil {
		return nil, err
	}
	ids := &identities{kubeconfigs: map[string]string{}}
	table := &strings.Builder{}
	rows := csv.NewWriter(table)
	for i, user := range users {
		if _, twice := ids.kubeconfigs[user.Name]; twice || user.Name == "" {
			return nil, fmt.Errorf("user %q is named twice or has no name", user.Name)
		}
		token := rand.Text()
		rows.Write([]string{token, user.Name, fmt.Sprintf("uid-%d", i), strings.Join(user.Groups, ",")})
		content, err := kubeconfig(port, certificate, user.Name, token)
		if err != nil {
			return nil, err
		}
		if ids.kubeconfigs[user.Name], err = f.write(fmt.Sprintf("kubeconfig-%d-%s", i, fileName(user.Name)), content); err != nil {
			return nil, err
		}
	}
	rows.Flush()
	for _, out := range []struct {
		path    *string
		name    string
		content []byte
	}{{&ids.certificate, "apiserver.crt", certificate}, {&ids.key, "apiserver.key", key}, {&ids.serviceAccounts, "service-accounts.key", signer},
		{&ids.tokens, "tokens.csv", []byte(table.String())}} {
		if *out.path, err = f.write(out.name, out.content); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

func fileName(user string) string {
	return strings.Map(func(r rune) rune {
		if r == '/' || r == ':' {
			return '-'
		}
		return r
	}, user)
}

func kubeconfig(port int, authority []byte, user, token string) ([]byte, error) {
	type named map[string]any
	return yaml.Marshal(named{
		"apiVersion": "v1", "kind": "Config", "current-context": "testbed",
		"clusters": []named{{"name": "testbed", "cluster": named{"server": "https://" + address(port), "certificate-authority-data": authority}}},
		"users":    []named{{"name": user, "user": named{"token": token}}},
		"contexts": []named{{"name": "testbed", "context": named{"cluster": "testbed", "user": user}}},
	})
}
