import { once } from "node:events";
import { connect, createServer } from "node:net";
import { expect, test } from "vitest";
import { isOutage } from "../../src/store/outage.ts";

// mongod that is killed ends its sockets; a command that is written before the driver has seen that fails like this.
test("C-ERR-2: writing to a socket that the other end has closed is an outage, whichever error Node gives", async () => {
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
