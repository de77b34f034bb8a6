import { evidence } from "../engine/check.ts";

const arrival = (holder: "developer" | "tester") =>
  evidence({
    name: `the first answer to the ${holder}'s key`,
    needs: [],
    cost: { [holder]: 1 },
    writes: false,
    gather: (context) => context.send(holder, "GET", "/projects"),
  });

/** The first request with each key: GET /projects with no parameters. */
export const arrivals = { developer: arrival("developer"), tester: arrival("tester") };
