// The OTLP receiver of the OpenTelemetry Collector. It prints each span that it receives as a line of JSON, after a line
// with the address at which it listens.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
)

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	exitOn(err)
	address := listener.Addr().String()
	exitOn(listener.Close())

	factory := otlpreceiver.NewFactory()
	config := factory.CreateDefaultConfig().(*otlpreceiver.Config)
	config.Protocols.HTTP.GetOrInsertDefault().ServerConfig.NetAddr.Endpoint = address

	printer, err := consumer.NewTraces(func(_ context.Context, traces ptrace.Traces) error {
		line, err := (&ptrace.JSONMarshaler{}).MarshalTraces(traces)
		if err == nil {
			fmt.Println(string(line))
		}
		return err
	})
	exitOn(err)
	settings := receiver.Settings{
		ID:                component.NewID(factory.Type()),
		TelemetrySettings: componenttest.NewNopTelemetrySettings(),
		BuildInfo:         component.NewDefaultBuildInfo(),
	}
	traces, err := factory.CreateTraces(context.Background(), settings, config, printer)
	exitOn(err)
	exitOn(traces.Start(context.Background(), componenttest.NewNopHost()))
	fmt.Println(address)

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	<-stop
	exitOn(traces.Shutdown(context.Background()))
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
