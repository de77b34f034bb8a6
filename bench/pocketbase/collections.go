package main

import (
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
)

const (
	ids     = "^[a-z0-9_]+$"
	random  = "[a-z0-9]{24}"
	longest = 40
)

// The indexes begin with who may see a row, as those of this service do: isPublic is in every filter.
func addProjectIndexes(projects *core.Collection) {
	projects.AddIndex("idx_projects_status_category_created", false, "isPublic, status, category, createdAt", "")
	projects.AddIndex("idx_projects_status_created", false, "isPublic, status, createdAt", "")
	projects.AddIndex("idx_projects_category_created", false, "isPublic, category, createdAt", "")
	projects.AddIndex("idx_projects_created", false, "isPublic, createdAt", "")
}

// They end with the status, which is in every filter, so that a total reads no row.
func addFeedbackIndexes(feedback *core.Collection) {
	feedback.AddIndex("idx_feedback_created", false, "projectId, createdAt, status", "")
	feedback.AddIndex("idx_feedback_rating", false, "projectId, overallRating, createdAt, status", "")
	feedback.AddIndex("idx_feedback_helpful", false, "projectId, helpfulCount, createdAt, status", "")
}

func newProjects() *core.Collection {
	projects := core.NewBaseCollection("projects")
	openToAll(projects)
	takeOurIds(projects, "prj_")
	projects.Fields.Add(
		&core.TextField{Name: "ownerId", Max: longest},
		&core.TextField{Name: "title", Required: true, Max: 200},
		&core.TextField{Name: "description", Required: true, Max: 5_000},
		&core.SelectField{Name: "category", Required: true, Values: []string{"web", "mobile", "desktop", "other"}},
		&core.SelectField{Name: "status", Required: true, Values: []string{"draft", "active", "completed", "archived"}},
		&core.JSONField{Name: "screenshots"},
		&core.URLField{Name: "projectUrl"},
		&core.BoolField{Name: "isPublic"},
		&core.JSONField{Name: "testingRequirements"},
		&core.JSONField{Name: "counts"},
		&core.AutodateField{Name: "createdAt", OnCreate: true},
		&core.AutodateField{Name: "updatedAt", OnCreate: true, OnUpdate: true},
	)
	return projects
}

func newFeedback(projects *core.Collection) *core.Collection {
	feedback := core.NewBaseCollection("feedback")
	openToAll(feedback)
	takeOurIds(feedback, "fb_")
	least, most := 1.0, 5.0
	feedback.Fields.Add(
		&core.RelationField{Name: "projectId", Required: true, CollectionId: projects.Id, CascadeDelete: true},
		&core.TextField{Name: "testerId", Max: longest},
		&core.NumberField{Name: "overallRating", Required: true, OnlyInt: true, Min: &least, Max: &most},
		&core.JSONField{Name: "uiFeedback"},
		&core.JSONField{Name: "uxFeedback"},
		&core.JSONField{Name: "bugs"},
		&core.TextField{Name: "generalComments", Max: 5_000},
		&core.SelectField{Name: "status", Required: true, Values: []string{"draft", "submitted", "approved", "rejected"}},
		&core.NumberField{Name: "helpfulCount", OnlyInt: true},
		&core.JSONField{Name: "developerResponse"},
		&core.AutodateField{Name: "createdAt", OnCreate: true},
	)
	return feedback
}

func openToAll(collection *core.Collection) {
	collection.ListRule = types.Pointer("")
	collection.ViewRule = types.Pointer("")
	collection.CreateRule = types.Pointer("")
}

func takeOurIds(collection *core.Collection, prefix string) {
	id := collection.Fields.GetByName(core.FieldNameId).(*core.TextField)
	id.Pattern, id.Min, id.Max, id.AutogeneratePattern = ids, 1, longest, prefix+random
	// With a pattern other than its own, PocketBase looks for the id in either case before each insert; without this index, by a scan.
	collection.AddIndex("idx_"+collection.Name+"_id_nocase", true, "id COLLATE NOCASE", "")
}
