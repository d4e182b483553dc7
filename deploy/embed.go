// Package deploy holds the manifests as they stand in this folder.
package deploy

import "embed"

// CRDs has the CustomResourceDefinitions that the scheduler reads, one YAML file each, in crds/.
//
//go:embed crds/*.yaml
var CRDs embed.FS
