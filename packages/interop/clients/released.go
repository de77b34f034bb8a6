// Every operation of version 1.0, with a Go client that was generated from the contract of version 1.0.
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

func pointer[Value any](value Value) *Value { return &value }

func main() {
	ctx := context.Background()
	developer := must(client.NewClientWithResponses(os.Getenv("BASE"), withKey("DEVELOPER")))
	tester := must(client.NewClientWithResponses(os.Getenv("BASE"), withKey("TESTER")))

	created := must(developer.CreateProjectWithResponse(ctx, nil, client.ProjectCreate{
		Title: "Window Box", Description: "Plan herbs.", Category: client.Category("mobile"),
	}))
	check(created.JSON201 != nil, created.Status())
	project := created.JSON201.Id
	read := must(tester.GetProjectWithResponse(ctx, project))
	check(read.JSON200 != nil && read.JSON200.Title == "Window Box", read.Status())
	changed := must(developer.UpdateProjectWithResponse(ctx, project, nil, client.ProjectPatch{Title: pointer("Window Boxes")}))
	check(changed.JSON200 != nil && changed.JSON200.Description == "Plan herbs.", changed.Status())
	page := must(developer.ListProjectsWithResponse(ctx, &client.ListProjectsParams{Search: pointer("window boxes")}))
	check(page.JSON200 != nil && len(page.JSON200.Data) > 0, page.Status())

	draft := must(tester.CreateFeedbackWithResponse(ctx, project, nil, client.FeedbackCreate{
		OverallRating: 4, Status: pointer(client.FeedbackCreateStatus("draft")),
		Bugs: &[]client.BugInput{{Description: "A box is lost.", Severity: client.Severity("high")}},
	}))
	check(draft.JSON201 != nil, draft.Status())
	sent := must(tester.UpdateFeedbackWithResponse(ctx, draft.JSON201.Id, nil, client.FeedbackPatch{
		OverallRating: pointer(client.Rating(5)), Status: pointer(client.FeedbackPatchStatus("submitted")),
	}))
	check(sent.JSON200 != nil && sent.JSON200.Status == "submitted", sent.Status())
	feedback := sent.JSON200.Id
	detail := must(developer.GetFeedbackWithResponse(ctx, feedback))
	check(detail.JSON200 != nil && detail.JSON200.OverallRating == 5, detail.Status())
	marked := must(developer.MarkFeedbackHelpfulWithResponse(ctx, feedback, nil))
	check(marked.JSON200 != nil && marked.JSON200.HelpfulCount == 1, marked.Status())
	reply := must(developer.ReplyToFeedbackWithResponse(ctx, feedback, nil, client.Reply{Message: "Fixed."}))
	check(reply.JSON200 != nil && reply.JSON200.DeveloperResponse.Message == "Fixed.", reply.Status())
	approved := must(developer.ApproveFeedbackWithResponse(ctx, feedback, nil))
	check(approved.JSON200 != nil && approved.JSON200.Status == "approved", approved.Status())
	other := must(tester.CreateFeedbackWithResponse(ctx, project, nil, client.FeedbackCreate{OverallRating: 1}))
	check(other.JSON201 != nil, other.Status())
	rejected := must(developer.RejectFeedbackWithResponse(ctx, other.JSON201.Id, nil))
	check(rejected.JSON200 != nil && rejected.JSON200.Status == "rejected", rejected.Status())
	listed := must(developer.ListFeedbackWithResponse(ctx, project, nil))
	check(listed.JSON200 != nil && listed.JSON200.Pagination.Total == 2, listed.Status())

	refused := must(tester.UpdateFeedbackWithResponse(ctx, feedback, nil, client.FeedbackPatch{OverallRating: pointer(client.Rating(1))}))
	check(refused.JSON409 != nil && refused.JSON409.Error == "Conflict", refused.Status())
	deleted := must(developer.DeleteProjectWithResponse(ctx, project))
	check(deleted.JSON200 != nil && deleted.JSON200.Success, deleted.Status())
	fmt.Println("The Go client of version 1.0 works.")
}
