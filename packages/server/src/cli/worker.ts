import cluster from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config.ts";
import type { Log } from "../http/context.ts";
import { createService } from "../service.ts";
import { connect } from "../store/database.ts";
import { listen } from "./listen.ts";
import type { Running } from "./running.ts";
import { clusterMetrics, reportMetrics } from "./worker-metrics.ts";

/** Serves in this process. */
export async function startWorker(config: Config & { mongodbUri: string | undefined }, log: Log): Promise<Running> {
  if (config.mongodbUri === undefined) throw new Error("startWorker needs the URI of the database");
  const database = await connect(config.mongodbUri);
  const service = createService({
    config,
    database,
    log,
    ...(cluster.isWorker && { metricsText: clusterMetrics }),
  });
  if (cluster.isWorker) reportMetrics(service.registry);
  try {
    const listener = await listen(service.app, config);
    return {
      port: listener.port,
      async stop(drainMs) {
        service.drain();
        await sleep(drainMs);
        await listener.close();
        await service.close();
        await database.client.close();
      },
    };
  } catch (error) {
    await database.client.close();
    throw error;
  }
}
