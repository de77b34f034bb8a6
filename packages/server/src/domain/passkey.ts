/** Most passkeys of an account. */
export const maxPasskeys = 20;

/** A passkey of an account. */
export interface Passkey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** Id of the credential, base64url. */
  readonly credentialId: string;
  /** Public key of the credential, COSE. */
  readonly publicKey: Uint8Array;
  /** The authenticator's count of signatures; 0 where it has none. */
  readonly counter: number;
  readonly transports: readonly string[];
  /** Whether it is synchronized between devices. */
  readonly backedUp: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}
