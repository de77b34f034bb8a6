"""A short program with the generated Python client: a project, feedback on it, and a merge patch."""

import os

from feedback_client import AuthenticatedClient
from feedback_client.api.feedback import create_feedback, get_feedback, update_feedback
from feedback_client.api.me import get_me
from feedback_client.api.projects import create_project, delete_project, list_projects
from feedback_client.models import (
    Category,
    FeedbackCreate,
    FeedbackCreateStatus,
    FeedbackMergePatch,
    ProjectCreate,
    UiFeedbackInput,
)

base = os.environ["BASE"]
developer = AuthenticatedClient(base_url=base, token=os.environ["DEVELOPER"])
tester = AuthenticatedClient(base_url=base, token=os.environ["TESTER"])

project = create_project.sync(
    client=developer,
    body=ProjectCreate(title="Pocket Garden", description="Plan beds.", category=Category.MOBILE),
)
page = list_projects.sync(client=developer, search="garden", per_page=5)
assert project.id in [item.id for item in page.data], page

draft = create_feedback.sync(
    project.id,
    client=tester,
    body=FeedbackCreate(
        overall_rating=4,
        ui_feedback=UiFeedbackInput(design=5, layout="The beds fit."),
        status=FeedbackCreateStatus.DRAFT,
    ),
)
# Each media type of a PATCH has a model of its own, so that the client sends a merge patch as one.
update_feedback.sync(
    draft.id, client=tester, body=FeedbackMergePatch(ui_feedback=UiFeedbackInput(layout="They nearly fit."))
)
merged = get_feedback.sync(draft.id, client=tester)
assert (merged.ui_feedback.design, merged.ui_feedback.layout) == (5, "They nearly fit."), merged
assert get_me.sync(client=tester).id == draft.tester_id
missing = get_feedback.sync("none", client=tester)
assert missing.code == "feedback_not_found", missing
assert delete_project.sync(project.id, client=developer).success
print("The generated Python client works.")
