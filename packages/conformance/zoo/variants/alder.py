"""A server of the interface that shares nothing with the reference: one class for each resource, kept in lists.

It chooses otherwise wherever the interface leaves a choice: creation answers 200 with little, refusals are 422 or 404,
ids are UUIDs, lists are oldest first, sorts rise, perPage is clamped, times are told to the second, marks add up,
replies append, testers may create projects, and feedback is taken on any project.

Prints `port key-of-developer key-of-tester key-of-spare` and serves until its standard input ends.
"""

import argparse
import json
import re
import sys
import threading
import time
import uuid
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit


OPTIONS = argparse.ArgumentParser()
OPTIONS.add_argument("--allowance", type=int, default=100)
OPTIONS.add_argument("--by-endpoint", action="store_true")
OPTIONS.add_argument("--minutes", action="store_true")
OPTIONS.add_argument("--testers-blind", action="store_true")
OPTIONS.add_argument("--page", type=int, default=100)
OPTIONS.add_argument("--exhausted", type=int, default=429)
OPTIONS = OPTIONS.parse_args()


class Refused(Exception):
    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def now():
    return datetime.now(timezone.utc).replace(microsecond=0).isoformat()


class Account:
    def __init__(self, role, allowance):
        self.id = str(uuid.uuid4())
        self.key = f"alder-{role}-{uuid.uuid4().hex}"
        self.developer = role == "developer"
        self.allowance = allowance
        self.used = {}
        self.window_ends = 0.0

    def spend(self, endpoint):
        if time.time() >= self.window_ends:
            self.used, self.window_ends = {}, time.time() + 3600
        self.used[endpoint] = self.used.get(endpoint, 0) + 1
        return self.used[endpoint] <= self.allowance


class Project:
    def __init__(self, owner, body):
        self.owner = owner
        self.id = str(uuid.uuid4())
        self.fields = body
        self.created = self.updated = now()
        self.status = "active"

    def item(self):
        fields = {name: self.fields.get(name) for name in ("title", "description", "category")}
        return {"id": self.id, **fields, "status": self.status, "createdAt": self.created}

    def detail(self, feedback):
        count = sum(1 for one in feedback if one.project is self)
        return {
            **self.item(),
            "screenshots": self.fields.get("screenshots") or [],
            "projectUrl": self.fields.get("projectUrl"),
            "owner": {"id": self.owner.id},
            "tags": [],
            "stats": {"views": 0, "testerRequests": 0, "approvedTesters": 0, "feedbackCount": count, "bookmarks": 3},
            "updatedAt": self.updated,
        }


class Feedback:
    def __init__(self, author, project, body):
        self.author = author
        self.project = project
        self.id = str(uuid.uuid4())
        self.status = "draft" if body.get("saveOnly") else "submitted"
        self.fields = body
        self.bugs = [{**bug, "id": str(uuid.uuid4()), "votes": 0} for bug in body.get("bugs", [])]
        self.created = now()
        self.marks = 0
        self.replies = []

    def item(self):
        return {
            "id": self.id,
            "projectId": self.project.id,
            "testerId": self.author.id,
            "overallRating": self.fields["overallRating"],
            "status": self.status,
            "createdAt": self.created,
        }

    def detail(self):
        return {
            **self.item(),
            "uiFeedback": self.fields.get("uiFeedback"),
            "uxFeedback": self.fields.get("uxFeedback"),
            "bugs": self.bugs,
            "replies": self.replies,
            "language": "en",
        }


class World:
    def __init__(self):
        self.developer = Account("developer", OPTIONS.allowance)
        self.tester = Account("tester", OPTIONS.allowance)
        self.spare = Account("developer", 100)
        self.accounts = {one.key: one for one in (self.developer, self.tester, self.spare)}
        self.projects = []
        self.feedback = []
        self.lock = threading.Lock()

    def project(self, project_id):
        for one in self.projects:
            if one.id == project_id:
                return one
        raise Refused(404, "gone or never there")

    def one_feedback(self, feedback_id):
        for one in self.feedback:
            if one.id == feedback_id and one.project in self.projects:
                return one
        raise Refused(404, "gone or never there")


def envelope(items, query, most=100):
    page = max(1, int(query.get("page", 1)))
    size = min(most, max(1, int(query.get("perPage", 20))))
    part = items[(page - 1) * size : page * size]
    return {"data": part, "pagination": {"page": page, "perPage": size, "total": len(items), "pages": -(-len(items) // size)}}


def list_projects(world, who, query, body):
    found = world.projects
    for name in ("status", "category"):
        if name in query:
            found = [one for one in found if one.item()[name] == query[name]]
    if "search" in query:
        text = query["search"]
        found = [one for one in found if text in one.fields["title"] or text in one.fields["description"]]
    return envelope([one.item() for one in found], query)


def create_project(world, who, query, body):
    if not isinstance(body, dict) or not body.get("title"):
        raise Refused(422, "title")
    project = Project(who, body)
    world.projects.append(project)
    return {"id": project.id, "title": project.fields["title"]}


def get_project(world, who, query, body, project_id):
    return world.project(project_id).detail(world.feedback)


def patch_project(world, who, query, body, project_id):
    project = world.project(project_id)
    if project.owner is not who:
        raise Refused(404, "not yours")
    project.fields = {**project.fields, **body}
    project.updated = now()
    return {"id": project.id, **body}


def delete_project(world, who, query, body, project_id):
    project = world.project(project_id)
    if project.owner is not who:
        raise Refused(404, "not yours")
    world.projects.remove(project)
    return {"success": True, "message": "ok"}


def list_feedback(world, who, query, body, project_id):
    project = world.project(project_id)
    if OPTIONS.testers_blind and not who.developer:
        raise Refused(403, "developers list feedback")
    found = [one for one in world.feedback if one.project is project and (one.status != "draft" or one.author is who)]
    if "status" in query:
        found = [one for one in found if one.status == query["status"]]
    if "testerId" in query:
        found = [one for one in found if one.author.id == query["testerId"]]
    keys = {"date": lambda one: one.created, "rating": lambda one: one.fields["overallRating"], "helpful": lambda one: one.marks}
    if "sort" in query:
        found = sorted(found, key=keys[query["sort"]])
    return envelope([one.item() for one in found], {"perPage": min(10, OPTIONS.page), **query}, OPTIONS.page)


def create_feedback(world, who, query, body, project_id):
    project = world.project(project_id)
    if who.developer:
        raise Refused(403, "testers only")
    feedback = Feedback(who, project, body)
    world.feedback.append(feedback)
    return {"id": feedback.id, "status": feedback.status, "thanks": True}


def get_feedback(world, who, query, body, feedback_id):
    feedback = world.one_feedback(feedback_id)
    if OPTIONS.testers_blind and not who.developer:
        raise Refused(403, "developers read feedback")
    if feedback.status == "draft" and feedback.author is not who:
        raise Refused(404, "gone or never there")
    return feedback.detail()


def patch_feedback(world, who, query, body, feedback_id):
    feedback = world.one_feedback(feedback_id)
    if feedback.status != "draft" or feedback.author is not who:
        raise Refused(422, "no draft of yours")
    feedback.fields = {**feedback.fields, **body}
    return {"id": feedback.id, "overallRating": feedback.fields["overallRating"]}


def mark(world, who, query, body, feedback_id):
    feedback = world.one_feedback(feedback_id)
    if not who.developer:
        raise Refused(404, "no such thing for you")
    feedback.marks += 1
    return {"success": True, "helpfulCount": feedback.marks, "message": "noted"}


def reply(world, who, query, body, feedback_id):
    feedback = world.one_feedback(feedback_id)
    if not who.developer:
        raise Refused(403, "developers only")
    response = {"message": body["message"], "resolvedItems": body.get("resolvedItems", []), "createdAt": now()}
    feedback.replies.append(response)
    return {"success": True, "developerResponse": response}


ROUTES = [
    ("GET", r"/projects", list_projects),
    ("POST", r"/projects", create_project),
    ("GET", r"/projects/([^/]+)", get_project),
    ("PATCH", r"/projects/([^/]+)", patch_project),
    ("DELETE", r"/projects/([^/]+)", delete_project),
    ("GET", r"/projects/([^/]+)/feedback", list_feedback),
    ("POST", r"/projects/([^/]+)/feedback", create_feedback),
    ("GET", r"/feedback/([^/]+)", get_feedback),
    ("PATCH", r"/feedback/([^/]+)", patch_feedback),
    ("POST", r"/feedback/([^/]+)/helpful", mark),
    ("POST", r"/feedback/([^/]+)/reply", reply),
]


class Server(ThreadingHTTPServer):
    # The default backlog of five resets connections that come at the same time.
    request_queue_size = 64


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    world = World()

    def log_message(self, *_):
        pass

    def answer(self, status, value, account, endpoint=""):
        data = json.dumps(value, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        if account:
            self.send_header("x-ratelimit-limit", str(account.allowance))
            self.send_header("x-ratelimit-remaining", str(max(0, account.allowance - account.used.get(endpoint, 0))))
            left = account.window_ends - time.time()
            self.send_header("x-ratelimit-reset", str(int(left / 60) if OPTIONS.minutes else round(left)))
        self.end_headers()
        self.wfile.write(data)

    def serve(self):
        length = int(self.headers.get("content-length") or 0)
        text = self.rfile.read(length)
        scheme, _, key = (self.headers.get("authorization") or "").partition(" ")
        world = self.world
        account = world.accounts.get(key) if scheme == "Bearer" else None
        if account is None:
            said = {"error": "Unauthorized", "message": "Invalid or missing API key", "docs": "https://example.com/keys"}
            return self.answer(401, said, None)
        with world.lock:
            url = urlsplit(self.path)
            shape = re.sub(r"^/v1/(projects|feedback)/[^/]+", r"/\1/id", url.path)
            endpoint = f"{self.command} {shape}" if OPTIONS.by_endpoint else ""
            if not account.spend(endpoint):
                return self.answer(OPTIONS.exhausted, {"oops": "come back later"}, account, endpoint)
            query = {name: values[0] for name, values in parse_qs(url.query).items()}
            try:
                for method, pattern, operation in ROUTES:
                    found = re.fullmatch("/v1" + pattern, url.path)
                    if found and method == self.command:
                        body = json.loads(text) if text else None
                        parts = [unquote(part) for part in found.groups()]
                        return self.answer(200, operation(world, account, query, body, *parts), account, endpoint)
                raise Refused(404, "no such path")
            except Refused as refusal:
                return self.answer(refusal.status, {"oops": str(refusal)}, account, endpoint)
            except ValueError as error:
                return self.answer(422, {"oops": str(error)}, account, endpoint)

    do_GET = do_POST = do_PATCH = do_DELETE = serve


if __name__ == "__main__":
    server = Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    world = Handler.world
    print(server.server_address[1], world.developer.key, world.tester.key, world.spare.key, flush=True)
    sys.stdin.read()
