import { Module } from "@nestjs/common";
import { APP_FILTER, APP_GUARD } from "@nestjs/core";
import { ThrottlerGuard, ThrottlerModule } from "@nestjs/throttler";
import { windowMs } from "../counter.ts";
import { Operations } from "../operations.ts";
import { type Dependencies, openDependencies } from "../program.ts";
import { DEPENDENCIES } from "./dependencies.ts";
import { ErrorFilter } from "./error.filter.ts";
import { callerOf, KeyGuard } from "./key.guard.ts";
import { NotFoundController } from "./not-found.controller.ts";
import { ProjectsController } from "./projects.controller.ts";
import { SharedStorage } from "./shared.storage.ts";

@Module({
  providers: [{ provide: DEPENDENCIES, useFactory: openDependencies }],
  exports: [DEPENDENCIES],
})
class DatabaseModule {}

/** The guards run in this order: whose key it is, then its account's allowance. */
@Module({
  imports: [
    DatabaseModule,
    ThrottlerModule.forRootAsync({
      imports: [DatabaseModule],
      inject: [DEPENDENCIES],
      useFactory: ({ database, allowances }: Dependencies) => ({
        throttlers: [{ ttl: windowMs, limit: (context) => allowances[callerOf(context).plan] }],
        storage: new SharedStorage(database),
        getTracker: (_request, context) => callerOf(context).accountId,
        generateKey: (_context, accountId) => accountId,
        errorMessage: "The allowance is used up. Try again later.",
      }),
    }),
  ],
  controllers: [ProjectsController, NotFoundController],
  providers: [
    {
      provide: Operations,
      inject: [DEPENDENCIES],
      useFactory: ({ database }: Dependencies) => new Operations(database),
    },
    { provide: APP_GUARD, useClass: KeyGuard },
    { provide: APP_GUARD, useClass: ThrottlerGuard },
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
})
export class AppModule {}
