package serving

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"
)

// Review asks the API server whether the bearer of a token may do something with a path: http.StatusOK, StatusUnauthorized or StatusForbidden.
type Review func(ctx context.Context, token, verb, path string) (int, error)

// ReviewBy asks through a client; it needs the rights of deploy/rbac-snapshot.yaml.
func ReviewBy(client kubernetes.Interface) Review {
	return func(ctx context.Context, token, verb, path string) (int, error) {
		who, err := client.AuthenticationV1().TokenReviews().Create(ctx, &authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{Token: token}}, metav1.CreateOptions{})
		if err != nil {
			return 0, fmt.Errorf("review of a token: %w", err)
		}
		if !who.Status.Authenticated {
			return http.StatusUnauthorized, nil
		}
		user := who.Status.User
		extra := map[string]authorizationv1.ExtraValue{}
		for key, values := range user.Extra {
			extra[key] = authorizationv1.ExtraValue(values)
		}
		may, err := client.AuthorizationV1().SubjectAccessReviews().Create(ctx, &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
			User: user.Username, UID: user.UID, Groups: user.Groups, Extra: extra,
			NonResourceAttributes: &authorizationv1.NonResourceAttributes{Path: path, Verb: verb},
		}}, metav1.CreateOptions{})
		if err != nil {
			return 0, fmt.Errorf("review of access: %w", err)
		}
		if !may.Status.Allowed {
			return http.StatusForbidden, nil
		}
		return http.StatusOK, nil
	}
}

// guard lets only those pass whom the API server allows the request's path.
func guard(review Review, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			http.Error(w, "only GET", http.StatusMethodNotAllowed)
			return
		}
		token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok || token == "" {
			http.Error(w, "a bearer token is needed", http.StatusUnauthorized)
			return
		}
		code, err := review(r.Context(), token, "get", r.URL.Path)
		switch {
		case err != nil:
			klog.Errorf("%s: %v", r.URL.Path, err)
			http.Error(w, "the API server cannot be asked who may see this", http.StatusServiceUnavailable)
		case code == http.StatusOK:
			next(w, r)
		case code == http.StatusUnauthorized:
			http.Error(w, "the token is not known", code)
		default:
			http.Error(w, "not allowed: verb get on the non-resource URL "+r.URL.Path, http.StatusForbidden)
		}
	}
}
