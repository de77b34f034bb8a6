import { DomainError } from "../domain/errors.ts";
import type { AccountCall } from "./operation.ts";

/** What a passkey belongs to: the origin of the pages, and its host name (WebAuthn section 5.1.3). */
export interface RelyingParty {
  readonly origin: string;
  readonly rpId: string;
}

/**
 * The relying party of a request.
 * @throws DomainError `other_origin` where the browser is at another address, which its passkeys would not work for
 */
export function relyingParty({ origin, isAtOrigin }: Pick<AccountCall, "origin" | "isAtOrigin">): RelyingParty {
  if (isAtOrigin) return { origin, rpId: new URL(origin).hostname };
  throw new DomainError("other_origin", `This works at another address of the service. Open ${origin}/settings.`);
}
