import { evidence } from "../engine/check.ts";

const firstResponse = (holder: "developer" | "tester") =>
  evidence({
    name: `the first response to the ${holder}'s key`,
    needs: [],
    cost: { [holder]: 1 },
    writes: false,
    gather: (context) => context.send(holder, "GET", "/projects"),
  });

/** The first request with each key: GET /projects without parameters. */
export const firstResponses = { developer: firstResponse("developer"), tester: firstResponse("tester") };
