package watch

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

func TestEventOf(t *testing.T) {
	pod := Resource{Kind: "Pod"}
	event, err := eventOf([]byte(`{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"a","resourceVersion":"7"}}}`+"\n"), pod)
	if err != nil || event.Type != watch.Added || string(event.Object.(*Raw).JSON) != `{"kind":"Pod","metadata":{"name":"a","resourceVersion":"7"}}` ||
		event.Object.(*Raw).ResourceVersion != "7" {
		t.Errorf("%v %v", event, err)
	}
	event, err = eventOf([]byte(`{"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"9"}}}`), pod)
	if err != nil || event.Type != watch.Bookmark || event.Object.(*Raw).ResourceVersion != "9" {
		t.Errorf("%v %v", event, err)
	}
	event, err = eventOf([]byte(`{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}}`), pod)
	if err != nil || event.Type != watch.Error || event.Object.(*metav1.Status).Code != 410 {
		t.Errorf("%v %v", event, err)
	}
	for _, bad := range []string{`{}`, `{"type":"ADDED"`, `garbage`, `{"type":"ADDED","object":`} {
		if _, err := eventOf([]byte(bad), pod); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

func TestVersionOfACustomResourceIsThatOfItsMetadata(t *testing.T) {
	object := []byte(`{"kind":"Queue","metadata":{"annotations":{"resourceVersion":"1"},"name":"q","resourceVersion":"42"}}`)
	if v, err := versionOf(object, true); err != nil || v != "42" {
		t.Errorf("%s %v", v, err)
	}
}
