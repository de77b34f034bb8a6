// PocketBase with the collections of this service: what a user could choose instead of writing a server.
// `serve` is PocketBase's own; `seed` makes the collections and fills them from NDJSON on standard input.
package main

import (
	"log"

	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/core"
	"github.com/spf13/cobra"
)

func main() {
	app := pocketbase.New()

	var requestLogs bool
	app.RootCmd.PersistentFlags().BoolVar(&requestLogs, "requestLogs", true, "keep a log row of every request, as PocketBase does by default")
	app.OnServe().BindFunc(func(e *core.ServeEvent) error {
		// Without a superuser, the first start opens a page in a browser that asks for one.
		e.InstallerFunc = nil
		if !requestLogs {
			// PocketBase's own switch, "Logs retention: 0 days"; here for this process only.
			e.App.Settings().Logs.MaxDays = 0
		}
		return e.Next()
	})

	app.RootCmd.AddCommand(&cobra.Command{
		Use:          "seed",
		Short:        "Makes the collections and fills them from NDJSON on standard input",
		Args:         cobra.NoArgs,
		SilenceUsage: true,
		RunE: func(command *cobra.Command, _ []string) error {
			return seed(app, command.InOrStdin())
		},
	})

	if err := app.Start(); err != nil {
		log.Fatal(err)
	}
}
