import { Argument, type Command, Option } from "commander";
import { readConfig } from "../config.ts";
import { type Account, type Plan, plans, type Role, roles } from "../domain/account.ts";
import { AccountRepository } from "../store/account-repository.ts";
import { CommandError } from "./command-error.ts";
import { createAccount } from "./create-account.ts";
import { withDatabase } from "./database.ts";
import { invite, pageOrigin } from "./invite.ts";
import { print, table } from "./output.ts";

interface Format {
  readonly json?: boolean;
}

function requireAccount(account: Account | null, id: string): Account {
  if (account) return account;
  throw new CommandError(`There is no account ${id}. List them with: project-feedback accounts list`);
}

/** `accounts create|list|invite|set-plan|disable|enable` (C-KEY-2, C-ACC-2). */
export function addAccounts(program: Command): void {
  const accounts = program.command("accounts").description("Accounts, which own keys, projects and feedback.");
  const onAccounts = <Result>(work: (repository: AccountRepository) => Promise<Result>) =>
    withDatabase(readConfig(process.env), (database) => work(new AccountRepository(database)));
  const shown = ({ id, name, role, plan }: Account) => ({ id, name, role, plan });
  const line = ({ id, name, role, plan }: Account) => `${id}  ${name}  ${role ?? "-"}  ${plan}`;

  accounts
    .command("create")
    .description("Create an account.")
    .requiredOption("--name <name>", "name, for people")
    .addOption(new Option("--role <role>", "what its keys may do").choices(roles).makeOptionMandatory())
    .addOption(new Option("--plan <plan>", "its plan, which sets its allowance").choices(plans).default("free"))
    .option("--json", "print JSON: {id, name, role, plan}")
    .addHelpText(
      "after",
      "\nExample:\n  project-feedback accounts create --name 'Ada' --role developer --plan team --json",
    )
    .action(async ({ name, role, plan, json }: { name: string; role: Role; plan: Plan } & Format) => {
      if (name.trim() === "") throw new CommandError("The name is empty. Give the account a name with --name.");
      const account = await withDatabase(readConfig(process.env), (database) =>
        createAccount(database, { name, role, plan }),
      );
      print(json, shown(account), () => [`Created ${line(account)}`]);
    });

  accounts
    .command("list")
    .description("List all accounts, oldest first.")
    .option("--json", "print JSON: [{id, name, role, plan, disabled, createdAt}]")
    .addHelpText("after", "\nExample:\n  project-feedback accounts list")
    .action(async ({ json }: Format) => {
      const all = await onAccounts((repository) => repository.list());
      const rows = all.map(({ createdAt, disabled, role, ...rest }) => ({
        ...{ ...rest, role: role ?? "-" },
        disabled: disabled ? "yes" : "no",
        created: createdAt.toISOString(),
      }));
      print(json, all, () => table(rows, "There are no accounts."));
    });

  accounts
    .command("invite")
    .description("Create a link with which the account holder signs in once, within one hour.")
    .requiredOption("--account <id>", "id of the account")
    .option("--json", "print JSON: {accountId, link, expiresAt}")
    .addHelpText(
      "after",
      `
The link begins with PUBLIC_URL, else with http://localhost and the PORT.

Example:
  project-feedback accounts invite --account acc_6920a1b2c3d4e5f601234569`,
    )
    .action(async ({ account: id, json }: { account: string } & Format) => {
      const config = readConfig(process.env);
      const { link, expiresAt } = await withDatabase(config, async (database) => {
        const account = requireAccount(await new AccountRepository(database).find(id), id);
        if (account.disabled) {
          throw new CommandError(
            `The account ${id} is disabled. Enable it with: project-feedback accounts enable ${id}`,
          );
        }
        return invite(database, id, pageOrigin(config, config.port));
      });
      print(json, { accountId: id, link, expiresAt }, () => [
        link,
        "It works once, for one hour. Whoever has it can sign in.",
      ]);
    });

  accounts
    .command("set-plan")
    .description("Change an account's plan. Requests of the current window stay counted.")
    .argument("<account>", "id of the account")
    .addArgument(new Argument("<plan>", "its new plan").choices(plans))
    .option("--json", "print JSON: {id, name, role, plan}")
    .addHelpText("after", "\nExample:\n  project-feedback accounts set-plan acc_6920a1b2c3d4e5f601234569 pro")
    .action(async (id: string, plan: Plan, { json }: Format) => {
      const account = requireAccount(await onAccounts((repository) => repository.change(id, { plan })), id);
      print(json, shown(account), () => [`Changed ${line(account)}`]);
    });

  for (const [verb, disabled, effect] of [
    ["disable", true, "its keys stop working within 5 s; its projects and feedback stay"],
    ["enable", false, "its keys work again within 5 s, except revoked ones"],
  ] as const) {
    const capital = verb.charAt(0).toUpperCase() + verb.slice(1);
    accounts
      .command(verb)
      .description(`${capital} an account: ${effect}.`)
      .argument("<account>", "id of the account")
      .option("--json", "print JSON: {id, name, role, plan, disabled}")
      .addHelpText("after", `\nExample:\n  project-feedback accounts ${verb} acc_6920a1b2c3d4e5f601234569`)
      .action(async (id: string, { json }: Format) => {
        const account = requireAccount(await onAccounts((repository) => repository.change(id, { disabled })), id);
        print(json, { ...shown(account), disabled }, () => [`${capital}d ${line(account)}`]);
      });
  }
}
