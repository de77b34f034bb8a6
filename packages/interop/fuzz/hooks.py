"""Adapts generated requests to rules of the service that its schema cannot express.

A hook changes only valid requests: a request that is invalid on purpose stays invalid.
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
ASSIGNED_ID = re.compile(r"^(prj|fb)_[0-9a-f]{24}$")
VALID_KEY = re.compile(r"^[!-~]{1,255}\Z")
EXAMPLE_IDS = {"prj_6920a1b2c3d4e5f601234567", "fb_6920a1b2c3d4e5f601234568"}
LISTED_FOR_SECONDS = 10

session = requests.Session()
session.headers.update(AUTHORIZATION)


@schemathesis.hook
def before_call(context, case, kwargs):
    """Gives most requests an existing id, and keeps the rules that the contract states only in prose."""
    operation = case.operation.definition.raw["operationId"]
    use_existing_id(case)
    make_key_unique(case)
    follow_no_cursor(case)
    if case.meta is None or case.meta.is_negative_at(ParameterLocation.BODY) or not isinstance(case.body, dict):
        return
    body = use_urls(order_testers(case.body))
    if operation == "replyToFeedback" and body.get("resolvedItems"):
        body = {**body, "resolvedItems": bug_ids(case)[: len(body["resolvedItems"])]}
    # A merge patch may have null.
    if operation == "updateFeedback" and body.get("bugs"):
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


def follow_no_cursor(case):
    """A cursor comes from a `Link` header, which JSON Schema cannot know, and updatedAfter permits one order (C-LIST-4)."""
    if case.meta is None or case.meta.is_negative_at(ParameterLocation.QUERY) or not case.query:
        return
    case.query.pop("cursor", None)
    if "updatedAfter" in case.query:
        case.query.pop("sort", None)


URL_FIELDS = {"projectUrl", "screenshot", "screenshots"}
URLS = ["https://example.com", "HTTP://[2001:db8::1]:8080/a%20b?c=d#e", "https://ja.wikipedia.org/wiki/\u6771\u4eac"]


def use_urls(value, is_url=False):
    """`x-web-url`: URLs are http or https. A generated text is hardly ever one."""
    if isinstance(value, dict):
        return {name: use_urls(inner, name in URL_FIELDS) for name, inner in value.items()}
    if isinstance(value, list):
        return [use_urls(inner, is_url) for inner in value]
    return URLS[len(value) % len(URLS)] if is_url and isinstance(value, str) else value


def keep_bug_ids(bugs, known):
    """A bug with an id must be a bug of the draft (C-FB-1). JSON Schema cannot know these ids."""
    left = list(known)
    return [
        {**bug, "id": left.pop()} if left and "id" in bug else {name: value for name, value in bug.items() if name != "id"}
        for bug in bugs
    ]


def bug_ids(case):
    """Ids of the bugs of the requested feedback."""
    response = session.get(f"{BASE}/feedback/{quote(str(case.path_parameters['id']), safe='')}")
    return [bug["id"] for bug in response.json()["bugs"]] if response.ok else []


def make_key_unique(case):
    """Makes the Idempotency-Key of most writes unique: a short one would soon repeat with another body (422).

    In scenarios every key is made unique, even if other headers are invalid. A repeated key returns the first response
    again (C-IDEM-1). Its record may be deleted by then, and `ensure_resource_availability` would report it as lost.
    """
    key = (case.headers or {}).get("Idempotency-Key")
    if key is None or case.meta is None or not VALID_KEY.match(str(key)):
        return
    mostly = not case.meta.is_negative_at(ParameterLocation.HEADER) and random.Random(case.id).random() < 0.75
    if mostly or case.meta.phase.name == TestPhase.STATEFUL:
        case.headers["Idempotency-Key"] = f"{case.id}{key}"[:255]


# Operations that need feedback in a certain status.
WANTED = {
    "updateFeedback": {"draft"},
    "deleteFeedback": {"draft"},
    "approveFeedback": {"submitted"},
    "rejectFeedback": {"submitted"},
    "markFeedbackHelpful": {"submitted", "approved", "rejected"},
    "unmarkFeedbackHelpful": {"submitted", "approved", "rejected"},
    "replyToFeedback": {"submitted", "approved", "rejected"},
}


def use_existing_id(case):
    """Replaces a generated id with an existing one, three times in four; a generated id only finds a 404 (C-ID-1).

    Examples always get the newest id, which belongs to the key's own account and succeeds. Scenarios keep their ids:
    links lead them to records. Without a link, `ensure_resource_availability` would take a replaced id for the id of
    the scenario's own record, and report the 404 of a deleted record as a lost one.
    """
    if not case.path_parameters or case.meta is None or case.meta.is_negative_at(ParameterLocation.PATH):
        return
    if case.meta.phase.name == TestPhase.STATEFUL:
        return
    (name, sent), *_ = case.path_parameters.items()
    if ASSIGNED_ID.match(str(sent)) and str(sent) not in EXAMPLE_IDS:
        return
    is_example = case.meta.phase.name == TestPhase.EXAMPLES
    ids = listed(case.operation, fresh=is_example)
    choice = random.Random(case.id)
    if ids and (is_example or choice.random() < 0.75):
        case.path_parameters[name] = ids[0] if is_example else choice.choice(ids)


records = {"projects": [], "feedback": []}
listed_at = 0.0


def listed(operation, fresh):
    """Ids for an operation, newest first: of the newest projects that the key sees, or of their feedback."""
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
