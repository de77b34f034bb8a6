"""What generated requests need to know of the service that its schema cannot say.

A hook changes only what would otherwise be valid: a request that is wrong on purpose stays wrong.
"""

import os
import random
import re
import time
from urllib.parse import quote

import requests
import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase

BASE = os.environ["FUZZ_BASE"]
AUTHORIZATION = {"Authorization": f"Bearer {os.environ['FUZZ_KEY']}"}
GIVEN_ID = re.compile(r"^(prj|fb)_[0-9a-f]{24}$")
VALID_KEY = re.compile(r"^[!-~]{1,255}\Z")
EXAMPLE_IDS = {"prj_6920a1b2c3d4e5f601234567", "fb_6920a1b2c3d4e5f601234568"}
LISTED_FOR_SECONDS = 10

session = requests.Session()
session.headers.update(AUTHORIZATION)


@schemathesis.hook
def before_call(context, case, kwargs):
    """Gives most requests an id that exists, and keeps the rules that only prose can state."""
    operation = case.operation.definition.raw["operationId"]
    lead_to_a_record(case)
    name_the_write(case)
    if case.meta is None or case.meta.is_negative_at(ParameterLocation.BODY) or not isinstance(case.body, dict):
        return
    body = order_testers(case.body)
    if operation == "replyToFeedback" and "resolvedItems" in body:
        body = {**body, "resolvedItems": bug_ids(case)[: len(body["resolvedItems"])]}
    if operation == "updateFeedback" and "bugs" in body:
        body = {**body, "bugs": keep_bug_ids(body["bugs"], bug_ids(case))}
    if body != case.body:
        case.body = body


def order_testers(body):
    """`x-ordered`: minTesters is at most maxTesters. JSON Schema cannot compare two fields."""
    requirements = body.get("testingRequirements")
    if not isinstance(requirements, dict):
        return body
    low, high = requirements.get("minTesters"), requirements.get("maxTesters")
    if low is None or high is None or low <= high:
        return body
    return {**body, "testingRequirements": {**requirements, "minTesters": high, "maxTesters": low}}


def keep_bug_ids(bugs, known):
    """A bug that is sent with an id has that id already (C-FB-1). JSON Schema cannot know which were given."""
    left = list(known)
    return [
        {**bug, "id": left.pop()} if left and "id" in bug else {name: value for name, value in bug.items() if name != "id"}
        for bug in bugs
    ]


def bug_ids(case):
    """The bugs of the feedback that a request is about."""
    response = session.get(f"{BASE}/feedback/{quote(str(case.path_parameters['id']), safe='')}")
    return [bug["id"] for bug in response.json()["bugs"]] if response.ok else []


def name_the_write(case):
    """Gives a name of its own to most writes, where a short one would soon have been used with another body (422).

    To all in scenarios, whatever else may be wrong in their headers: a write repeated by its name answers the first
    answer again, and what that names may have been deleted since (C-IDEM-1), which `ensure_resource_availability` would
    take for a record that was lost.
    """
    key = (case.headers or {}).get("Idempotency-Key")
    if key is None or case.meta is None or not VALID_KEY.match(str(key)):
        return
    mostly = not case.meta.is_negative_at(ParameterLocation.HEADER) and random.Random(case.id).random() < 0.75
    if mostly or case.meta.phase.name == TestPhase.STATEFUL:
        case.headers["Idempotency-Key"] = f"{case.id}{key}"[:255]


# Where the status of feedback decides, most requests go to feedback that has the right one.
WANTED = {
    "updateFeedback": {"draft"},
    "approveFeedback": {"submitted"},
    "rejectFeedback": {"submitted"},
    "markFeedbackHelpful": {"submitted", "approved", "rejected"},
    "replyToFeedback": {"submitted", "approved", "rejected"},
}


def lead_to_a_record(case):
    """Puts a given id, three times in four, where a made-up one would only find a 404 (C-ID-1).

    Examples always get one, the newest: that of the key's own records, which succeeds. Steps of scenarios get none:
    links lead them to records. Where Schemathesis leaves a link out, `ensure_resource_availability` would take an id
    that was put here for the link's own, and the 404 of a project that was deleted since for a record that was lost.
    """
    if not case.path_parameters or case.meta is None or case.meta.is_negative_at(ParameterLocation.PATH):
        return
    if case.meta.phase.name == TestPhase.STATEFUL:
        return
    (name, sent), *_ = case.path_parameters.items()
    if GIVEN_ID.match(str(sent)) and str(sent) not in EXAMPLE_IDS:
        return
    is_example = case.meta.phase.name == TestPhase.EXAMPLES
    ids = listed(case.operation, fresh=is_example)
    choice = random.Random(case.id)
    if ids and (is_example or choice.random() < 0.75):
        case.path_parameters[name] = ids[0] if is_example else choice.choice(ids)


records = {"projects": [], "feedback": []}
listed_at = 0.0


def listed(operation, fresh):
    """Ids that suit an operation, newest first: of the newest projects that the key sees, or of their feedback."""
    global listed_at
    if fresh or time.monotonic() - listed_at > LISTED_FOR_SECONDS:
        listed_at = time.monotonic()
        records["projects"] = data("/projects?perPage=10")
        records["feedback"] = [
            item for project in records["projects"] for item in data(f"/projects/{project['id']}/feedback?perPage=10")
        ]
    if operation.path.startswith("/projects"):
        return [project["id"] for project in records["projects"]]
    wanted = WANTED.get(operation.definition.raw["operationId"])
    return [item["id"] for item in records["feedback"] if wanted is None or item["status"] in wanted]


def data(path):
    response = session.get(BASE + path)
    return response.json()["data"] if response.ok else []
