// Package watch lists and watches resources as raw bytes: the API server's JSON goes to the kernel as it came, only the resourceVersion is read here.
package watch

import (
	"bytes"
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Raw is an object, or a whole list page, as the API server sent it.
type Raw struct {
	metav1.TypeMeta
	metav1.ObjectMeta // only what reflectors ask for: resourceVersion, and the annotations of bookmarks
	JSON              []byte
}

// GetObjectKind is part of runtime.Object.
func (r *Raw) GetObjectKind() schema.ObjectKind { return &r.TypeMeta }

// DeepCopyObject is part of runtime.Object; the bytes are never changed and shared.
func (r *Raw) DeepCopyObject() runtime.Object {
	c := *r
	r.ObjectMeta.DeepCopyInto(&c.ObjectMeta)
	return &c
}

// RawList is a list as pages of bytes.
type RawList struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []runtime.Object
}

// DeepCopyObject is part of runtime.Object.
func (l *RawList) DeepCopyObject() runtime.Object {
	c := *l
	c.Items = append([]runtime.Object(nil), l.Items...)
	return &c
}

var versionKey = []byte(`"resourceVersion":"`)

// versionOf finds an object's resourceVersion. In objects of built-in kinds it is the first member of that name: the API server writes metadata first, and
// in it resourceVersion before labels and annotations. Custom resources have their keys sorted, so they are parsed.
func versionOf(object []byte, custom bool) (string, error) {
	if !custom {
		if at := bytes.Index(object, versionKey); at >= 0 {
			rest := object[at+len(versionKey):]
			if end := bytes.IndexByte(rest, '"'); end >= 0 {
				return string(rest[:end]), nil
			}
		}
	}
	var o struct {
		Metadata struct {
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
	}
	err := json.Unmarshal(object, &o)
	return o.Metadata.ResourceVersion, err
}
