// Package deploy holds the manifests as they stand in this folder.
package deploy

import (
	"embed"
	"fmt"
	"io/fs"

	"sigs.k8s.io/yaml"
)

// CRDs has the CustomResourceDefinitions that the scheduler reads, one YAML file each, in crds/.
//
//go:embed crds/*.yaml
var CRDs embed.FS

// CRD is one of them, ready to be created.
type CRD struct {
	Name        string
	JSON        []byte
	Collections []string // paths under which its objects are served once it is established
}

// ReadCRDs gives all of them.
func ReadCRDs() (crds []CRD, err error) {
	files, err := fs.Glob(CRDs, "crds/*.yaml")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		manifest, err := CRDs.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var head struct {
			Metadata struct{ Name string }
			Spec     struct {
				Group    string
				Names    struct{ Plural string }
				Versions []struct{ Name string }
			}
		}
		if err := yaml.Unmarshal(manifest, &head); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		crd := CRD{Name: head.Metadata.Name}
		if crd.JSON, err = yaml.YAMLToJSON(manifest); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, version := range head.Spec.Versions {
			crd.Collections = append(crd.Collections, fmt.Sprintf("/apis/%s/%s/%s", head.Spec.Group, version.Name, head.Spec.Names.Plural))
		}
		crds = append(crds, crd)
	}
	return crds, nil
}
