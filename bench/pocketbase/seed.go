package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
)

const batchSize = 10_000

// row is a line of the input, a project or feedback.
type row struct {
	Kind        string          `json:"kind"`
	Id          string          `json:"id"`
	Status      string          `json:"status"`
	CreatedAt   time.Time       `json:"createdAt"`
	OwnerId     string          `json:"ownerId"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Category    string          `json:"category"`
	Screenshots json.RawMessage `json:"screenshots"`
	ProjectUrl  string          `json:"projectUrl"`
	IsPublic    bool            `json:"isPublic"`
	Testing     json.RawMessage `json:"testingRequirements"`
	Counts      json.RawMessage `json:"counts"`
	UpdatedAt   time.Time       `json:"updatedAt"`
	ProjectId   string          `json:"projectId"`
	TesterId    string          `json:"testerId"`
	Rating      int             `json:"overallRating"`
	Ui          json.RawMessage `json:"uiFeedback"`
	Ux          json.RawMessage `json:"uxFeedback"`
	Bugs        json.RawMessage `json:"bugs"`
	Comments    string          `json:"generalComments"`
	Helpful     int             `json:"helpfulCount"`
	Response    json.RawMessage `json:"developerResponse"`
}

type column struct {
	name  string
	value func(*row) any
}

// The columns as PocketBase itself stores them: dates in its layout, JSON as text.
var columns = map[string][]column{
	"projects": {
		{"id", func(r *row) any { return r.Id }},
		{"ownerId", func(r *row) any { return r.OwnerId }},
		{"title", func(r *row) any { return r.Title }},
		{"description", func(r *row) any { return r.Description }},
		{"category", func(r *row) any { return r.Category }},
		{"status", func(r *row) any { return r.Status }},
		{"screenshots", func(r *row) any { return jsonOr(r.Screenshots, "[]") }},
		{"projectUrl", func(r *row) any { return r.ProjectUrl }},
		{"isPublic", func(r *row) any { return r.IsPublic }},
		{"testingRequirements", func(r *row) any { return jsonOr(r.Testing, nil) }},
		{"counts", func(r *row) any { return jsonOr(r.Counts, nil) }},
		{"createdAt", func(r *row) any { return stored(r.CreatedAt) }},
		{"updatedAt", func(r *row) any {
			if r.UpdatedAt.IsZero() {
				return stored(r.CreatedAt)
			}
			return stored(r.UpdatedAt)
		}},
	},
	"feedback": {
		{"id", func(r *row) any { return r.Id }},
		{"projectId", func(r *row) any { return r.ProjectId }},
		{"testerId", func(r *row) any { return r.TesterId }},
		{"overallRating", func(r *row) any { return r.Rating }},
		{"uiFeedback", func(r *row) any { return jsonOr(r.Ui, nil) }},
		{"uxFeedback", func(r *row) any { return jsonOr(r.Ux, nil) }},
		{"bugs", func(r *row) any { return jsonOr(r.Bugs, "[]") }},
		{"generalComments", func(r *row) any { return r.Comments }},
		{"status", func(r *row) any { return r.Status }},
		{"helpfulCount", func(r *row) any { return r.Helpful }},
		{"developerResponse", func(r *row) any { return jsonOr(r.Response, nil) }},
		{"createdAt", func(r *row) any { return stored(r.CreatedAt) }},
	},
}

var tables = map[string]string{"project": "projects", "feedback": "feedback"}

func stored(at time.Time) string {
	return at.UTC().Format(types.DefaultDateLayout)
}

func jsonOr(raw json.RawMessage, absent any) any {
	if len(raw) == 0 || string(raw) == "null" {
		return absent
	}
	return string(raw)
}

// seed fills a new data directory: it inserts rows by SQL, then makes the indexes.
func seed(app core.App, input io.Reader) error {
	if err := app.RunAllMigrations(); err != nil {
		return err
	}
	if _, err := app.FindCollectionByNameOrId("projects"); err == nil {
		return errors.New("there is data in this directory: remove it first")
	}
	projects := newProjects()
	if err := app.Save(projects); err != nil {
		return fmt.Errorf("projects: %w", err)
	}
	feedback := newFeedback(projects)
	if err := app.Save(feedback); err != nil {
		return fmt.Errorf("feedback: %w", err)
	}

	began := time.Now()
	lines := bufio.NewScanner(input)
	lines.Buffer(make([]byte, 0, 1<<20), 16<<20)
	counted := map[string]int{}
	for more := true; more; {
		err := app.RunInTransaction(func(tx core.App) (err error) {
			more, err = insertBatch(tx.DB(), lines, counted)
			return err
		})
		if err != nil {
			return err
		}
	}
	fmt.Printf("Inserted %d projects and %d feedback in %.1f s.\n", counted["projects"], counted["feedback"], time.Since(began).Seconds())

	addProjectIndexes(projects)
	addFeedbackIndexes(feedback)
	for _, collection := range []*core.Collection{projects, feedback} {
		if err := app.Save(collection); err != nil {
			return fmt.Errorf("indexes of %s: %w", collection.Name, err)
		}
	}
	// As PocketBase does every night.
	for _, pragma := range []string{"PRAGMA optimize", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		if _, err := app.NonconcurrentDB().NewQuery(pragma).Execute(); err != nil {
			return err
		}
	}
	fmt.Printf("Done, with indexes, in %.1f s.\n", time.Since(began).Seconds())
	return nil
}

// insertBatch inserts up to 10,000 lines, and returns whether there may be more.
func insertBatch(db dbx.Builder, lines *bufio.Scanner, counted map[string]int) (more bool, err error) {
	inserts := map[string]*dbx.Query{}
	defer func() {
		for _, insert := range inserts {
			err = errors.Join(err, insert.Close())
		}
	}()
	for table, its := range columns {
		names, places := make([]string, len(its)), make([]string, len(its))
		for place, column := range its {
			names[place], places[place] = "[["+column.name+"]]", "{:"+column.name+"}"
		}
		sql := fmt.Sprintf("INSERT INTO {{%s}} (%s) VALUES (%s)", table, strings.Join(names, ", "), strings.Join(places, ", "))
		inserts[table] = db.NewQuery(sql).Prepare()
	}
	for range batchSize {
		if !lines.Scan() {
			return false, lines.Err()
		}
		if len(lines.Bytes()) == 0 {
			continue
		}
		var read row
		if err := json.Unmarshal(lines.Bytes(), &read); err != nil {
			return false, fmt.Errorf("%w: %s", err, lines.Bytes())
		}
		table, known := tables[read.Kind]
		if !known {
			return false, fmt.Errorf("neither a project nor feedback: %s", lines.Bytes())
		}
		params := dbx.Params{}
		for _, column := range columns[table] {
			params[column.name] = column.value(&read)
		}
		if _, err := inserts[table].Bind(params).Execute(); err != nil {
			return false, fmt.Errorf("%w: %s", err, lines.Bytes())
		}
		counted[table]++
	}
	return true, nil
}
