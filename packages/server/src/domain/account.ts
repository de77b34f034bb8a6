/** Decides what an account may do (C-KEY-2). */
export const roles = ["developer", "tester"] as const;
export type Role = (typeof roles)[number];

/** Decides the allowance of an account (S-RATE-2). */
export const plans = ["free", "pro", "team"] as const;
export type Plan = (typeof plans)[number];

/** The owner of keys, projects and feedback. */
export interface Account {
  readonly id: string;
  readonly name: string;
  /** Null until it is chosen, after a first sign-in by OpenID Connect; such an account has no keys. */
  readonly role: Role | null;
  readonly plan: Plan;
  readonly disabled: boolean;
  readonly createdAt: Date;
}

/** The caller: the account of a valid key. */
export interface Principal {
  readonly accountId: string;
  readonly keyId: string;
  readonly role: Role;
  readonly plan: Plan;
}
