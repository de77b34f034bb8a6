"""Every operation of version 1.0, with a Python client that was generated from the contract of version 1.0."""

import os

from feedback_client import AuthenticatedClient
from feedback_client.api.feedback import (
    create_feedback,
    get_feedback,
    list_feedback,
    mark_feedback_helpful,
    reply_to_feedback,
    update_feedback,
)
from feedback_client.api.moderation import approve_feedback, reject_feedback
from feedback_client.api.projects import (
    create_project,
    delete_project,
    get_project,
    list_projects,
    update_project,
)
from feedback_client.models import (
    BugInput,
    Category,
    FeedbackCreate,
    FeedbackCreateStatus,
    FeedbackPatch,
    FeedbackPatchStatus,
    FeedbackSort,
    FeedbackStatus,
    ProjectCreate,
    ProjectPatch,
    Reply,
    Severity,
)

base = os.environ["BASE"]
developer = AuthenticatedClient(base_url=base, token=os.environ["DEVELOPER"])
tester = AuthenticatedClient(base_url=base, token=os.environ["TESTER"])

project = create_project.sync(
    client=developer,
    body=ProjectCreate(title="Window Box", description="Plan herbs.", category=Category.MOBILE),
)
assert get_project.sync(project.id, client=tester).title == "Window Box"
changed = update_project.sync(project.id, client=developer, body=ProjectPatch(title="Window Boxes"))
assert (changed.title, changed.description) == ("Window Boxes", "Plan herbs."), changed
page = list_projects.sync(client=developer, search="window boxes", page=1, per_page=5)
assert [item.id for item in page.data] == [project.id], page

draft = create_feedback.sync(
    project.id,
    client=tester,
    body=FeedbackCreate(
        overall_rating=4,
        bugs=[BugInput(description="A box is lost.", severity=Severity.HIGH)],
        status=FeedbackCreateStatus.DRAFT,
    ),
)
sent = update_feedback.sync(
    draft.id, client=tester, body=FeedbackPatch(overall_rating=5, status=FeedbackPatchStatus.SUBMITTED)
)
assert (sent.overall_rating, sent.status, len(sent.bugs)) == (5, FeedbackStatus.SUBMITTED, 1), sent
assert get_feedback.sync(sent.id, client=developer).tester_id == sent.tester_id
assert mark_feedback_helpful.sync(sent.id, client=developer).helpful_count == 1
reply = reply_to_feedback.sync(
    sent.id, client=developer, body=Reply(message="Fixed.", resolved_items=[sent.bugs[0].id])
)
assert reply.developer_response.message == "Fixed.", reply
assert approve_feedback.sync(sent.id, client=developer).status == FeedbackStatus.APPROVED
other = create_feedback.sync(project.id, client=tester, body=FeedbackCreate(overall_rating=1))
assert reject_feedback.sync(other.id, client=developer).status == FeedbackStatus.REJECTED
listed = list_feedback.sync(project.id, client=developer, sort=FeedbackSort.RATING)
assert [item.id for item in listed.data] == [sent.id, other.id], listed

refused = update_feedback.sync(sent.id, client=tester, body=FeedbackPatch(overall_rating=1))
assert refused.error == "Conflict", refused
invalid = create_project.sync(client=developer, body=ProjectCreate(title="", description="", category=Category.WEB))
assert [fault.at for fault in invalid.details] == ["/title", "/description"], invalid
assert delete_project.sync(project.id, client=developer).success
print("The Python client of version 1.0 works.")
