// A short program with the generated Go client: a project, feedback on it, and an error's code.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"example.com/interop/client"
)

func withKey(name string) client.ClientOption {
	return client.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv(name))
		return nil
	})
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func check(holds bool, what string) {
	if !holds {
		panic(what)
	}
}

func main() {
	ctx := context.Background()
	developer := must(client.NewClientWithResponses(os.Getenv("BASE"), withKey("DEVELOPER")))
	tester := must(client.NewClientWithResponses(os.Getenv("BASE"), withKey("TESTER")))

	created := must(developer.CreateProjectWithResponse(ctx, nil, client.ProjectCreate{
		Title: "Pocket Garden", Description: "Plan beds.", Category: client.Category("mobile"),
	}))
	check(created.JSON201 != nil, created.Status())
	project := created.JSON201

	search := "garden"
	page := must(developer.ListProjectsWithResponse(ctx, &client.ListProjectsParams{Search: &search}))
	check(page.JSON200 != nil && len(page.JSON200.Data) > 0, page.Status())

	feedback := must(tester.CreateFeedbackWithResponse(ctx, project.Id, nil, client.FeedbackCreate{OverallRating: 4}))
	check(feedback.JSON201 != nil && feedback.JSON201.OverallRating == 4, feedback.Status())

	missing := must(tester.GetFeedbackWithResponse(ctx, "none", nil))
	check(missing.JSON404 != nil, missing.Status())
	code := must(missing.JSON404.Code.AsErrorCode())
	check(code == "feedback_not_found", string(code))

	deleted := must(developer.DeleteProjectWithResponse(ctx, project.Id, nil))
	check(deleted.JSON200 != nil && deleted.JSON200.Success, deleted.Status())
	fmt.Println("The generated Go client works.")
}
