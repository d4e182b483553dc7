// Package standalone does what Volcano's controllers do for the scheduler, where they are not installed: a PodGroup for pods that name none, and a state for
// queues that have none. Everything is created only where it is absent and under the names that those controllers use, so both may run.
package standalone

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/component-helpers/resource"
	"k8s.io/klog/v2"
)

const (
	groupName  = "scheduling.k8s.io/group-name"
	minMember  = "scheduling.volcano.sh/group-min-member"
	queueName  = "scheduling.volcano.sh/queue-name"
	ownPrefix  = "volcano.sh/"
	topoMode   = "volcano.sh/network-topology-mode"
	topoTier   = "volcano.sh/network-topology-highest-tier"
	patchType  = types.MergePatchType
	workers    = 4
	retryAfter = time.Second
)

var (
	podGroups = schema.GroupVersionResource{Group: "scheduling.volcano.sh", Version: "v1beta1", Resource: "podgroups"}
	queues    = schema.GroupVersionResource{Group: "scheduling.volcano.sh", Version: "v1beta1", Resource: "queues"}
	// owners whose annotations a PodGroup takes over.
	owners = map[string]schema.GroupVersionResource{
		"ReplicaSet":  {Group: "apps", Version: "v1", Resource: "replicasets"},
		"StatefulSet": {Group: "apps", Version: "v1", Resource: "statefulsets"},
		"DaemonSet":   {Group: "apps", Version: "v1", Resource: "daemonsets"},
		"Job":         {Group: "batch", Version: "v1", Resource: "jobs"},
	}
)

// Controller is the work beside scheduling.
type Controller struct {
	Pods           kubernetes.Interface
	Objects        dynamic.Interface
	SchedulerNames []string
	// Leading says whether this process may write now; a standby keeps its work until it may.
	Leading func() bool

	work workqueue.TypedRateLimitingInterface[string]
}

// Run works until the context ends.
func (c *Controller) Run(ctx context.Context) {
	c.work = workqueue.NewTypedRateLimitingQueue(workqueue.NewTypedItemExponentialFailureRateLimiter[string](100*time.Millisecond, time.Minute))
	defer c.work.ShutDown()
	var informers []cache.SharedIndexInformer
	for _, name := range c.SchedulerNames {
		list := cache.NewListWatchFromClient(c.Pods.CoreV1().RESTClient(), "pods", metav1.NamespaceAll, fields.OneTermEqualSelector("spec.schedulerName", name))
		informer := cache.NewSharedIndexInformer(list, &corev1.Pod{}, 0, cache.Indexers{})
		informers = append(informers, c.watch(ctx, informer, needsGroup))
	}
	all := cache.NewSharedIndexInformer(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			return c.Objects.Resource(queues).List(ctx, o)
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			return c.Objects.Resource(queues).Watch(ctx, o)
		},
	}, &unstructured.Unstructured{}, 0, cache.Indexers{})
	informers = append(informers, c.watch(ctx, all, needsState))
	for range workers {
		go func() {
			for c.next(ctx, informers) {
			}
		}()
	}
	<-ctx.Done()
}

// watch queues what the filter lets through, by key; a queue's has no namespace.
func (c *Controller) watch(ctx context.Context, informer cache.SharedIndexInformer, needs func(any) bool) cache.SharedIndexInformer {
	_ = informer.SetTransform(slim)
	take := func(o any) {
		if key, err := cache.MetaNamespaceKeyFunc(o); err == nil && needs(o) {
			c.work.Add(key)
		}
	}
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: take, UpdateFunc: func(_, o any) { take(o) }})
	go informer.RunWithContext(ctx)
	return informer
}

// slim leaves of a pod what a PodGroup is made of: a standby holds every pod of ours.
func slim(o any) (any, error) {
	p, ok := o.(*corev1.Pod)
	if !ok {
		return o, nil
	}
	kept := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: p.Name, Namespace: p.Namespace, UID: p.UID, ResourceVersion: p.ResourceVersion, Annotations: p.Annotations,
		Labels: p.Labels, OwnerReferences: p.OwnerReferences, DeletionTimestamp: p.DeletionTimestamp}}
	if needsGroup(p) {
		kept.Spec, kept.Status.Phase = p.Spec, p.Status.Phase
	}
	return kept, nil
}

func needsGroup(o any) bool {
	p, ok := o.(*corev1.Pod)
	return ok && p.Annotations[groupName] == "" && p.DeletionTimestamp == nil && p.Status.Phase != corev1.PodSucceeded && p.Status.Phase != corev1.PodFailed
}

func needsState(o any) bool {
	q, ok := o.(*unstructured.Unstructured)
	if !ok {
		return false
	}
	state, _, _ := unstructured.NestedString(q.Object, "status", "state")
	return state == ""
}

func (c *Controller) next(ctx context.Context, informers []cache.SharedIndexInformer) bool {
	key, ended := c.work.Get()
	if ended {
		return false
	}
	defer c.work.Done(key)
	if !c.Leading() {
		c.work.AddAfter(key, retryAfter)
		return true
	}
	for _, informer := range informers {
		o, there, err := informer.GetStore().GetByKey(key)
		if err != nil || !there {
			continue
		}
		if p, ok := o.(*corev1.Pod); ok && needsGroup(p) {
			err = c.giveGroup(ctx, p)
		} else if q, ok := o.(*unstructured.Unstructured); ok && needsState(q) {
			_, err = c.Objects.Resource(queues).Patch(ctx, q.GetName(), patchType, []byte(`{"status":{"state":"Open"}}`), metav1.PatchOptions{}, "status")
		}
		if err != nil && !apierrors.IsNotFound(err) {
			klog.Warningf("standalone: %s: %v", key, err)
			c.work.AddRateLimited(key)
			return true
		}
	}
	c.work.Forget(key)
	return true
}

// giveGroup creates the pod's PodGroup where it is absent, and names it on the pod.
func (c *Controller) giveGroup(ctx context.Context, p *corev1.Pod) error {
	group, err := c.groupOf(ctx, p)
	if err != nil {
		return err
	}
	if _, err := c.Objects.Resource(podGroups).Namespace(p.Namespace).Create(ctx, group, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("PodGroup %s: %w", group.GetName(), err)
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": p.UID, "annotations": map[string]string{groupName: group.GetName()}}})
	if err != nil {
		return err
	}
	_, err = c.Pods.CoreV1().Pods(p.Namespace).Patch(ctx, p.Name, patchType, patch, metav1.PatchOptions{})
	return err
}

// groupOf is the PodGroup that Volcano's controller would make for a pod: one for all pods of a controlling owner.
func (c *Controller) groupOf(ctx context.Context, p *corev1.Pod) (*unstructured.Unstructured, error) {
	uid, references := p.UID, p.OwnerReferences
	annotations, members := map[string]string{}, p.Annotations[minMember]
	if owner := metav1.GetControllerOf(p); owner != nil {
		uid = owner.UID
		of, err := c.annotationsOf(ctx, p.Namespace, owner)
		if err != nil {
			return nil, err
		}
		for key, value := range of {
			if strings.HasPrefix(key, ownPrefix) {
				annotations[key] = value
			}
		}
		if of[minMember] != "" {
			members = of[minMember]
		}
	}
	if len(references) == 0 {
		yes := true
		references = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: p.Name, UID: p.UID, Controller: &yes, BlockOwnerDeletion: &yes}}
	}
	for _, key := range []string{"volcano.sh/preemptable", "volcano.sh/cooldown-time", "volcano.sh/revocable-zone", "volcano.sh/jdb-min-available", "volcano.sh/jdb-max-unavailable"} {
		if value, ok := p.Annotations[key]; ok {
			annotations[key] = value
		}
	}
	labels := map[string]string{}
	for _, key := range []string{"volcano.sh/preemptable", "volcano.sh/cooldown-time"} {
		if value, ok := p.Labels[key]; ok {
			labels[key] = value
		}
	}
	least := int64(1)
	if n, err := strconv.ParseInt(members, 10, 32); err == nil && n > 0 {
		least = n
	}
	asked := map[string]any{}
	for name, amount := range resource.PodRequests(p, resource.PodResourcesOptions{}) {
		amount.Mul(least)
		asked[string(name)] = amount.String()
	}
	spec := map[string]any{"minMember": least}
	if len(asked) > 0 {
		spec["minResources"] = asked
	}
	if p.Spec.PriorityClassName != "" {
		spec["priorityClassName"] = p.Spec.PriorityClassName
	}
	if queue := p.Annotations[queueName]; queue != "" {
		spec["queue"] = queue
	}
	if mode := p.Annotations[topoMode]; mode != "" {
		topology := map[string]any{"mode": mode}
		if tier, err := strconv.ParseInt(p.Annotations[topoTier], 10, 32); err == nil {
			topology["highestTierAllowed"] = tier
		}
		spec["networkTopology"] = topology
	}
	group := &unstructured.Unstructured{Object: map[string]any{"spec": spec, "status": map[string]any{"phase": "Pending"}}}
	group.SetAPIVersion(podGroups.GroupVersion().String())
	group.SetKind("PodGroup")
	group.SetName("podgroup-" + string(uid))
	group.SetNamespace(p.Namespace)
	group.SetOwnerReferences(slices.Clone(references))
	group.SetAnnotations(annotations)
	group.SetLabels(labels)
	return group, nil
}

// annotationsOf an owner; none for kinds that nobody reads, and where it is gone already.
func (c *Controller) annotationsOf(ctx context.Context, namespace string, owner *metav1.OwnerReference) (map[string]string, error) {
	kind, known := owners[owner.Kind]
	if !known || kind.GroupVersion().String() != owner.APIVersion {
		return nil, nil
	}
	o, err := c.Objects.Resource(kind).Namespace(namespace).Get(ctx, owner.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", owner.Kind, owner.Name, err)
	}
	return o.GetAnnotations(), nil
}
