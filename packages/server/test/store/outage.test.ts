import { EventEmitter, once } from "node:events";
import { createRequire } from "node:module";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { MongoBulkWriteError, MongoClient } from "mongodb";
import { expect, test } from "vitest";
import { isOutage } from "../../src/store/outage.ts";

// A killed mongod closes its sockets. A command that is written before the driver notices fails like this.
test("C-ERR-2: writing to a socket that the other end has closed is an outage, whichever error Node reports", async () => {
  const listener = createServer((peer) => peer.end());
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as { port: number };
  const socket = connect({ port, host: "127.0.0.1" });
  socket.resume();
  await once(socket, "end");
  const error = await new Promise<Error | null | undefined>((resolve) => {
    socket.once("error", resolve).write("too late", resolve);
  });
  listener.close();
  expect(error).toMatchObject({ code: "EPIPE" });
  expect(isOutage(error)).toBe(true);
  expect(isOutage(new TypeError("a mistake of ours"))).toBe(false);
});

// The driver wraps every error that ends a bulk write, including a server selection timeout.
test("C-ERR-2: a bulk write without a reachable database is an outage; one that violates an index is not", async () => {
  const client = new MongoClient("mongodb://127.0.0.1:1/test", { serverSelectionTimeoutMS: 100 });
  const error = await client
    .db()
    .collection("nothing")
    .insertMany([{ a: 1 }])
    .catch((thrown: unknown) => thrown);
  await client.close();
  expect(error).toMatchObject({ name: "MongoServerSelectionError" });
  const result = {} as MongoBulkWriteError["result"];
  expect(isOutage(new MongoBulkWriteError(error as Error, result))).toBe(true);
  expect(isOutage(new MongoBulkWriteError(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }), result))).toBe(
    true,
  );
  expect(isOutage(new MongoBulkWriteError({ message: "E11000 duplicate key", code: 11_000 }, result))).toBe(false);
});

interface DriverConnection {
  readonly closed: boolean;
  command(namespace: object, command: object, options: object): Promise<unknown>;
}

// Without the driver's patch (patches/) such a command never settled: all reads behind it kept waiting after a new primary
// was elected.
test("C-ERR-2: a command written to a destroyed socket that has not emitted close yet is an outage", async () => {
  const require = createRequire(import.meta.url);
  const { Connection } = require("mongodb/lib/cmap/connection.js") as {
    Connection: new (socket: Socket, options: object) => DriverConnection;
  };
  const { HostAddress, ns } = require("mongodb/lib/utils.js") as {
    HostAddress: new (text: string) => object;
    ns: (text: string) => object;
  };
  const listener = createServer((peer) => peer.end());
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as { port: number };
  const socket = connect({ port, host: "127.0.0.1" });
  const hostAddress = new HostAddress(`127.0.0.1:${port}`);
  const connection = new Connection(socket, { hostAddress, generation: 0, id: 1, monitorCommands: false });
  socket.resume();
  const outcome = new Promise((resolve) => {
    socket.once("finish", () =>
      queueMicrotask(() => {
        expect({ destroyed: socket.destroyed, closed: connection.closed }).toEqual({ destroyed: true, closed: false });
        connection.command(ns("test.$cmd"), { ping: 1, $db: "test" }, {}).catch(resolve);
      }),
    );
  });
  const error = await Promise.race([outcome, sleep(2_000, "no outcome")]);
  listener.close();
  expect(isOutage(error)).toBe(true);
});

// A plain socket error made a commit fail with a TypeError of the driver, which was not treated as an outage.
test("C-ERR-2: a socket error during the write of a command is reported as an error of the driver", async () => {
  const require = createRequire(import.meta.url);
  const driver = require("mongodb/lib/utils.js") as {
    once: (emitter: EventEmitter, event: string) => Promise<unknown>;
  };
  const socket = new EventEmitter();
  const drained = driver.once(socket, "drain");
  socket.emit("error", Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
  await expect(drained).rejects.toMatchObject({ name: "MongoNetworkError", message: "write EPIPE" });
});
