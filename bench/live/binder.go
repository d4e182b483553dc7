package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/record"
)

// runBinder is the limit: it binds each pod as it sees it, to one node after the other, sends the same events, and thinks of nothing. It watches with client-go
// and protobuf, with the client settings of basalt-scheduler.
func runBinder(kubeconfig string, nodes int) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.QPS, config.Burst = 2000, 2000
	config.ContentType, config.AcceptContentTypes = runtime.ContentTypeProtobuf, runtime.ContentTypeProtobuf+",application/json"
	api, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	events, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	broadcaster := record.NewBroadcaster(record.WithContext(ctx))
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: events.CoreV1().Events("")})
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "binder"})
	work := make(chan *corev1.Pod, 100_000)
	var next atomic.Int64
	for range 64 {
		go func() {
			for pod := range work {
				node := fmt.Sprintf("kwok-node-%d", int(next.Add(1))%nodes)
				err := api.CoreV1().Pods(pod.Namespace).Bind(ctx, &corev1.Binding{ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
					Target: corev1.ObjectReference{Kind: "Node", Name: node}}, metav1.CreateOptions{})
				if err != nil {
					fmt.Fprintln(os.Stderr, err)
					continue
				}
				recorder.Eventf(pod, corev1.EventTypeNormal, "Scheduled", "Successfully assigned %s/%s to %s", pod.Namespace, pod.Name, node)
			}
		}()
	}
	factory := informers.NewSharedInformerFactory(api, 0)
	if _, err := factory.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(o any) {
		if pod := o.(*corev1.Pod); pod.Spec.NodeName == "" && pod.Spec.SchedulerName == "volcano" {
			work <- pod
		}
	}}); err != nil {
		return err
	}
	factory.Core().V1().Nodes().Informer()
	factory.Start(ctx.Done())
	<-ctx.Done()
	return nil
}
