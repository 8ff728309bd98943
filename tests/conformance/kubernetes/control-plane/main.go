// SPDX-License-Identifier: Apache-2.0

// One program that is etcd, kube-apiserver, kube-controller-manager or kwok by its first argument. What the four
// share is compiled and linked once: half the time of four programs.
package main

import (
	"fmt"
	"os"
	_ "time/tzdata"

	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

func etcd() int {
	etcdmain.Main(os.Args)
	return 0
}

func main() {
	parts := map[string]func() int{
		"etcd":                    etcd,
		"kube-apiserver":          func() int { return cli.Run(apiserver.NewAPIServerCommand()) },
		"kube-controller-manager": func() int { return cli.Run(controllermanager.NewControllerManagerCommand()) },
		"kwok":                    kwok,
	}
	if len(os.Args) < 2 || parts[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: control-plane etcd|kube-apiserver|kube-controller-manager|kwok FLAGS")
		os.Exit(2)
	}
	os.Args = os.Args[1:]
	os.Exit(parts[os.Args[0]]())
}
