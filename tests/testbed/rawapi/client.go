// Package rawapi speaks to an API server in raw bytes: no typed objects, no rate limit, the server's refusals as errors.
package rawapi

import (
	"context"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Client sends and receives bytes; any number of goroutines may use it. Errors are those of k8s.io/apimachinery/pkg/api/errors where the server
// answered.
type Client struct{ rest *rest.RESTClient }

// New makes a client from a kubeconfig file.
func New(kubeconfig string) (*Client, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"}) // Status, the form of every refusal
	config.GroupVersion = &schema.GroupVersion{Version: "v1"}
	config.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	config.QPS = -1
	client, err := rest.UnversionedRESTClientFor(config)
	return &Client{client}, err
}

// Get returns what stands at a path, e.g. "/api/v1/nodes/n1".
func (c *Client) Get(ctx context.Context, path string) ([]byte, error) {
	return raw(c.rest.Get().AbsPath(path).Do(ctx))
}

// Create posts an object (JSON) to its collection or a subresource.
func (c *Client) Create(ctx context.Context, path string, object []byte) ([]byte, error) {
	return raw(c.rest.Post().AbsPath(path).SetHeader("Content-Type", "application/json").Body(object).Do(ctx))
}

// Replace puts an object (JSON).
func (c *Client) Replace(ctx context.Context, path string, object []byte) ([]byte, error) {
	return raw(c.rest.Put().AbsPath(path).SetHeader("Content-Type", "application/json").Body(object).Do(ctx))
}

// Merge sends a JSON merge patch.
func (c *Client) Merge(ctx context.Context, path string, patch []byte) ([]byte, error) {
	return raw(c.rest.Patch(types.MergePatchType).AbsPath(path).Body(patch).Do(ctx))
}

// Delete removes what stands at a path; options (JSON of DeleteOptions) may be nil.
func (c *Client) Delete(ctx context.Context, path string, options []byte) error {
	request := c.rest.Delete().AbsPath(path)
	if options != nil {
		request = request.SetHeader("Content-Type", "application/json").Body(options)
	}
	return request.Do(ctx).Error()
}

// raw prefers the server's own words: Result.Raw has only the HTTP code in its error.
func raw(result rest.Result) ([]byte, error) {
	if err := result.Error(); err != nil {
		return nil, err
	}
	return result.Raw()
}

// List returns the objects of a collection, read in pages.
func (c *Client) List(ctx context.Context, path string) ([]json.RawMessage, error) {
	var items []json.RawMessage
	for token := ""; ; {
		body, err := raw(c.rest.Get().AbsPath(path).Param("limit", "1000").Param("continue", token).Do(ctx))
		if err != nil {
			return nil, err
		}
		var page struct {
			Metadata struct{ Continue string }
			Items    []json.RawMessage
		}
		if err := json.Unmarshal(body, &page); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		items = append(items, page.Items...)
		if token = page.Metadata.Continue; token == "" {
			return items, nil
		}
	}
}
