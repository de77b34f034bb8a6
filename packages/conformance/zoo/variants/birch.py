"""Another server of the interface, written apart from the first: functions over tables of SQLite, in memory.

Its choices: ids are numbers in strings, projects begin as drafts that nobody else sees until a PATCH publishes them,
drafts of feedback are made with `state: "draft"`, perPage above 100 is refused, sorts fall, refusals are problem
documents (RFC 9457), what was deleted is 410, a tester sees their own feedback alone, Reset is Unix time in
milliseconds, the detail shows comments and counts, and a second mark takes the first one back.

Prints `port key-of-developer key-of-tester key-of-spare` and serves until its standard input ends.
"""

import json
import secrets
import sqlite3
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit

db = sqlite3.connect(":memory:", check_same_thread=False)
db.row_factory = sqlite3.Row
db.executescript(
    """
    CREATE TABLE account (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT UNIQUE, role TEXT, quota INTEGER, spent INTEGER DEFAULT 0, ends REAL DEFAULT 0);
    CREATE TABLE project (id INTEGER PRIMARY KEY AUTOINCREMENT, owner INTEGER, title TEXT, description TEXT, category TEXT,
                          status TEXT, rest TEXT, created REAL, updated REAL, gone INTEGER DEFAULT 0, views INTEGER DEFAULT 0);
    CREATE TABLE feedback (id INTEGER PRIMARY KEY AUTOINCREMENT, project INTEGER, author INTEGER, rating INTEGER, status TEXT,
                           rest TEXT, created REAL);
    CREATE TABLE bug (id INTEGER PRIMARY KEY AUTOINCREMENT, feedback INTEGER, rest TEXT);
    CREATE TABLE mark (feedback INTEGER, account INTEGER, PRIMARY KEY (feedback, account));
    CREATE TABLE response (feedback INTEGER PRIMARY KEY, rest TEXT);
    INSERT INTO sqlite_sequence (name, seq) VALUES ('account', 40), ('project', 1000), ('feedback', 5000), ('bug', 9000);
    """
)


def iso(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + ".%06dZ" % (seconds % 1 * 1e6)


def problem(status, title):
    return status, {"type": "about:blank", "title": title, "status": status}


def rows(sql, *values):
    return db.execute(sql, values).fetchall()


def row(sql, *values):
    return db.execute(sql, values).fetchone()


def project_item(p):
    return {"id": str(p["id"]), "title": p["title"], "description": p["description"], "category": p["category"], "status": p["status"], "createdAt": iso(p["created"])}


def project_detail(p):
    rest = json.loads(p["rest"])
    past = row("SELECT count(*) n, count(DISTINCT author) a FROM feedback WHERE project = ? AND status <> 'draft'", p["id"])
    counts = {"views": p["views"], "testerRequests": past["a"], "approvedTesters": 0, "feedbackCount": past["n"]}
    return {**project_item(p), "screenshots": rest.get("screenshots", []), "projectUrl": rest.get("projectUrl"), "visibility": "public", "stats": counts, "updatedAt": iso(p["updated"])}


def feedback_item(f):
    return {"id": str(f["id"]), "projectId": str(f["project"]), "testerId": str(f["author"]), "overallRating": f["rating"], "status": f["status"], "createdAt": iso(f["created"])}


def feedback_detail(f):
    bugs = [{"id": str(b["id"]), **json.loads(b["rest"])} for b in rows("SELECT * FROM bug WHERE feedback = ? ORDER BY id", f["id"])]
    response = row("SELECT rest FROM response WHERE feedback = ?", f["id"])
    marks = row("SELECT count(*) n FROM mark WHERE feedback = ?", f["id"])["n"]
    rest = json.loads(f["rest"])
    shown = {name: rest.get(name) for name in ("uiFeedback", "uxFeedback", "generalComments")}
    return {**feedback_item(f), **shown, "bugs": bugs, "helpfulCount": marks, "developerResponse": response and json.loads(response["rest"])}


def page_of(items, query, default):
    page, size = int(query.get("page", 1)), int(query.get("perPage", default))
    if page < 1 or not 1 <= size <= 100:
        return problem(400, "page or perPage is out of bounds")
    start = (page - 1) * size
    return 200, {"data": items[start : start + size], "pagination": {"page": page, "perPage": size, "total": len(items)}}


def seen_project(who, number):
    p = row("SELECT * FROM project WHERE id = ?", number if number.isdigit() else -1)
    if p is None or (p["status"] == "draft" and p["owner"] != who["id"]):
        return None, problem(404, "no such project")
    if p["gone"]:
        return None, problem(410, "it was deleted")
    return p, None


def seen_feedback(who, number):
    f = row("SELECT * FROM feedback WHERE id = ?", number if number.isdigit() else -1)
    hidden = f is None or (f["author"] != who["id"] and (who["role"] == "tester" or f["status"] == "draft"))
    if hidden or row("SELECT gone FROM project WHERE id = ?", f["project"])["gone"]:
        return None, problem(404, "no such feedback")
    return f, None


def projects(who, method, query, body):
    if method == "POST":
        if who["role"] != "developer":
            return problem(403, "developers publish projects")
        if body.get("category") not in ("web", "mobile", "desktop", "other") or not body.get("title"):
            return problem(400, "title and category")
        at = time.time()
        columns = (who["id"], body["title"], body.get("description", ""), body["category"], "draft", json.dumps(body), at, at)
        made = db.execute("INSERT INTO project (owner, title, description, category, status, rest, created, updated) VALUES (?,?,?,?,?,?,?,?)", columns)
        return 201, project_detail(row("SELECT * FROM project WHERE id = ?", made.lastrowid))
    found = rows("SELECT * FROM project WHERE NOT gone AND (status <> 'draft' OR owner = ?) ORDER BY updated DESC", who["id"])
    for name in ("status", "category"):
        found = [p for p in found if query.get(name) in (None, p[name])]
    words = set(query.get("search", "").lower().split())
    found = [p for p in found if words <= set(f"{p['title']} {p['description']}".lower().replace(",", " ").split())]
    return page_of([project_item(p) for p in found], query, 20)


def project(who, method, query, body, number):
    p, missing = seen_project(who, number)
    if missing:
        return missing
    if method == "GET":
        db.execute("UPDATE project SET views = views + 1 WHERE id = ?", (p["id"],))
        return 200, project_detail(p)
    if p["owner"] != who["id"]:
        return problem(403, "it belongs to somebody else")
    if method == "DELETE":
        db.execute("UPDATE project SET gone = 1 WHERE id = ?", (p["id"],))
        return 202, {"success": True, "message": "It is gone."}
    for name in {"title", "description", "category", "status"} & set(body):
        db.execute(f"UPDATE project SET {name} = ?, updated = ? WHERE id = ?", (body[name], time.time(), p["id"]))
    return 200, project_detail(row("SELECT * FROM project WHERE id = ?", p["id"]))


def feedback_of(who, method, query, body, number):
    p, missing = seen_project(who, number)
    if missing:
        return missing
    if method == "POST":
        if p["status"] != "active":
            return problem(409, "it takes no feedback")
        rating = body.get("overallRating")
        if not isinstance(rating, int) or not 1 <= rating <= 5:
            return problem(400, "overallRating")
        status = "draft" if body.get("state") == "draft" else "submitted"
        columns = (p["id"], who["id"], rating, status, json.dumps(body), time.time())
        made = db.execute("INSERT INTO feedback (project, author, rating, status, rest, created) VALUES (?,?,?,?,?,?)", columns)
        for bug in body.get("bugs", []):
            kept = {name: bug.get(name) for name in ("description", "severity", "screenshot")}
            db.execute("INSERT INTO bug (feedback, rest) VALUES (?, ?)", (made.lastrowid, json.dumps(kept)))
        return 201, feedback_item(row("SELECT * FROM feedback WHERE id = ?", made.lastrowid))
    found = rows("SELECT *, (SELECT count(*) FROM mark WHERE feedback = f.id) marks FROM feedback f WHERE project = ?", p["id"])
    found = [f for f in found if f["author"] == who["id"] or (who["role"] == "developer" and f["status"] != "draft")]
    found = [f for f in found if query.get("status") in (None, f["status"]) and query.get("testerId") in (None, str(f["author"]))]
    order = {"date": "created", "rating": "rating", "helpful": "marks"}.get(query.get("sort", "date"))
    found.sort(key=lambda f: (f[order], f["id"]), reverse=True)
    return page_of([feedback_item(f) for f in found], query, 50)


def feedback(who, method, query, body, number):
    f, missing = seen_feedback(who, number)
    if missing:
        return missing
    if method == "GET":
        return 200, feedback_detail(f)
    if f["status"] != "draft":
        return problem(409, "it was submitted")
    if f["author"] != who["id"]:
        return problem(403, "it belongs to somebody else")
    rest = {**json.loads(f["rest"]), **body}
    db.execute("UPDATE feedback SET rest = ?, rating = ? WHERE id = ?", (json.dumps(rest), rest["overallRating"], f["id"]))
    return 200, feedback_detail(row("SELECT * FROM feedback WHERE id = ?", f["id"]))


def helpful(who, method, query, body, number):
    if who["role"] != "developer":
        return problem(403, "developers only")
    f, missing = seen_feedback(who, number)
    if missing:
        return missing
    pair = (f["id"], who["id"])
    if db.execute("DELETE FROM mark WHERE feedback = ? AND account = ?", pair).rowcount == 0:
        db.execute("INSERT INTO mark VALUES (?, ?)", pair)
    return 200, {"success": True, "helpfulCount": row("SELECT count(*) n FROM mark WHERE feedback = ?", f["id"])["n"]}


def reply(who, method, query, body, number):
    if who["role"] != "developer":
        return problem(403, "developers only")
    f, missing = seen_feedback(who, number)
    if missing:
        return missing
    response = {"message": body["message"], "resolvedItems": body.get("resolvedItems", []), "createdAt": iso(time.time()), "by": str(who["id"])}
    db.execute("INSERT OR REPLACE INTO response VALUES (?, ?)", (f["id"], json.dumps(response)))
    return 201, {"success": True, "developerResponse": response}


TABLE = {
    ("projects",): (projects, {"GET", "POST"}),
    ("projects", None): (project, {"GET", "PATCH", "DELETE"}),
    ("projects", None, "feedback"): (feedback_of, {"GET", "POST"}),
    ("feedback", None): (feedback, {"GET", "PATCH"}),
    ("feedback", None, "helpful"): (helpful, {"POST"}),
    ("feedback", None, "reply"): (reply, {"POST"}),
}


def route(who, method, path, query, body):
    version, *parts = [unquote(part) for part in path.strip("/").split("/")]
    shape = tuple(None if place == 1 else part for place, part in enumerate(parts))
    operation, methods = TABLE.get(shape, (None, ()))
    if version != "v1" or operation is None:
        return problem(404, "no such path")
    if method not in methods:
        return problem(405, "no such method")
    return operation(who, method, query, body, *parts[1:2])


one_at_a_time = threading.Lock()


class Server(ThreadingHTTPServer):
    # The default backlog of five resets connections that come at the same time.
    request_queue_size = 64


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def handle_any(self):
        with one_at_a_time:
            self.handle_alone()

    def handle_alone(self):
        text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        authorization = (self.headers.get("Authorization") or "").split()
        key = authorization[1] if len(authorization) == 2 and authorization[0].lower() == "bearer" else None
        who = row("SELECT * FROM account WHERE key = ?", key)
        headers = {}
        if who is None:
            status, answer = 401, {"error": "Unauthorized", "message": "Invalid or missing API key"}
        else:
            if who["ends"] < time.time():
                db.execute("UPDATE account SET spent = 0, ends = ? WHERE id = ?", (time.time() + 3600, who["id"]))
            db.execute("UPDATE account SET spent = spent + 1 WHERE id = ?", (who["id"],))
            who = row("SELECT * FROM account WHERE id = ?", who["id"])
            left = who["quota"] - who["spent"]
            headers = {"X-RateLimit-Limit": who["quota"], "X-RateLimit-Remaining": max(left, 0), "X-RateLimit-Reset": int(who["ends"] * 1000)}
            url = urlsplit(self.path)
            try:
                body = json.loads(text or b"{}")
                spent = left < 0
                status, answer = problem(403, "quota") if spent else route(who, self.command, url.path, dict(parse_qsl(url.query)), body)
            except (ValueError, TypeError, KeyError) as error:
                status, answer = problem(400, str(error))
        data = json.dumps(answer).encode()
        self.send_response(status)
        kind = "application/problem+json" if status >= 400 and status != 401 else "application/json; charset=UTF-8"
        for name, value in {**headers, "Content-Type": kind, "Content-Length": len(data)}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = handle_any


def account(role, quota):
    key = secrets.token_urlsafe(32)
    db.execute("INSERT INTO account (key, role, quota) VALUES (?, ?, ?)", (key, role, quota))
    return key


if __name__ == "__main__":
    allowance = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    keys = [account("developer", allowance), account("tester", allowance), account("developer", 100)]
    server = Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], *keys, flush=True)
    sys.stdin.read()
