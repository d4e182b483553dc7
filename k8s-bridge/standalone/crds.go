package standalone

import (
	"context"
	"fmt"
	"time"

	"basalt.dev/basalt/deploy"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
)

// ApplyCRDs creates the CustomResourceDefinitions of deploy/crds that are not there, and waits until the API server serves them. Those that are there stay as
// they are: they may be Volcano's own.
func ApplyCRDs(ctx context.Context, client rest.Interface) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	crds, err := deploy.ReadCRDs()
	if err != nil {
		return err
	}
	for _, crd := range crds {
		err := client.Post().AbsPath("/apis/apiextensions.k8s.io/v1/customresourcedefinitions").SetHeader("Content-Type", "application/json").Body(crd.JSON).Do(ctx).Error()
		if err == nil {
			klog.Infof("CRD %s created", crd.Name)
		} else if !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("CRD %s: %w", crd.Name, err)
		}
		for _, path := range crd.Collections {
			for {
				err := client.Get().AbsPath(path).Param("limit", "1").Do(ctx).Error()
				if err == nil {
					break
				}
				if ctx.Err() != nil {
					return fmt.Errorf("%s is not served: %w", path, err)
				}
				time.Sleep(100 * time.Millisecond)
			}
		}
	}
	return nil
}
