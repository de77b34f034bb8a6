// For mongosh: initiates the replica set of compose.yaml, and waits until it has a primary.
const hosts = ["mongo-1:27017", "mongo-2:27017", "mongo-3:27017"];
const waitMs = 60_000;

function connected(host) {
  for (const until = Date.now() + waitMs; ; sleep(500)) {
    try {
      return connect(`mongodb://${host}/admin?directConnection=true`);
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}

for (const host of hosts) connected(host);
const admin = connected(hosts[0]);
try {
  admin.runCommand({ replSetGetStatus: 1 });
} catch (error) {
  if (error.codeName !== "NotYetInitialized") throw error;
  const members = hosts.map((host, _id) => ({ _id, host }));
  const { ok } = admin.runCommand({ replSetInitiate: { _id: "rs0", members } });
  if (ok !== 1) throw new Error("The replica set could not be initiated. Read the log of mongo-1.");
}
for (const until = Date.now() + waitMs; !admin.hello().primary; sleep(500)) {
  if (Date.now() > until) throw new Error("The replica set has no primary. Read the logs of mongo-1 to mongo-3.");
}
