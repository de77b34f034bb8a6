import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

// The parts of CBOR (RFC 8949) that an authenticator needs.
function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 0xff]);
}
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const bytes = (value: Uint8Array) => Buffer.concat([head(2, value.length), value]);
const integer = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value));
const map = (...pairs: [Buffer, Buffer][]) => Buffer.concat([head(5, pairs.length), ...pairs.flat()]);

const base64url = (value: Uint8Array) => Buffer.from(value).toString("base64url");
const sha256 = (value: Uint8Array | string) => createHash("sha256").update(value).digest();

// Flags of authenticator data (WebAuthn section 6.1).
const userPresent = 0x01;
const userVerified = 0x04;
const backupEligible = 0x08;
const backedUp = 0x10;
const attested = 0x40;

/** How a test makes an authenticator misbehave. */
export interface Misbehaviour {
  readonly origin?: string;
  readonly challenge?: string;
  /** Whether the person was recognized. */
  readonly verified?: boolean;
  readonly counter?: number;
  readonly rpId?: string;
}

/** An authenticator in software, with one passkey (WebAuthn level 3, ES256, no attestation). */
export class Authenticator {
  readonly origin: string;
  readonly id = randomBytes(32);
  readonly #key: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  #counter = 0;
  #userHandle = "";

  /** @param origin of the page that uses it */
  constructor(origin: string) {
    this.origin = origin;
  }

  /** What `navigator.credentials.create` returns. */
  register(
    { challenge, rp, user }: { challenge: string; rp: { id?: string }; user: { id: string } },
    wrong: Misbehaviour = {},
  ) {
    this.#userHandle = user.id;
    const { x = "", y = "" } = this.#key.publicKey.export({ format: "jwk" });
    const coordinate = (value: string) => bytes(Buffer.from(value, "base64url"));
    const coseKey = map(
      [integer(1), integer(2)],
      [integer(3), integer(-7)],
      [integer(-1), integer(1)],
      [integer(-2), coordinate(x)],
      [integer(-3), coordinate(y)],
    );
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, coseKey]);
    const authData = Buffer.concat([this.#data(rp.id ?? "", attested, wrong), credential]);
    const attestation = map([text("fmt"), text("none")], [text("attStmt"), map()], [text("authData"), bytes(authData)]);
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: base64url(this.#clientData("webauthn.create", challenge, wrong)),
        attestationObject: base64url(attestation),
        transports: ["internal"],
        // A field that the contract does not describe, as browsers add them.
        publicKeyAlgorithm: -7,
      },
    };
  }

  /** What `navigator.credentials.get` returns. */
  assert({ challenge, rpId = "" }: { challenge: string; rpId?: string }, wrong: Misbehaviour = {}) {
    this.#counter += 1;
    const clientData = this.#clientData("webauthn.get", challenge, wrong);
    const authData = this.#data(rpId, 0, wrong);
    const key = createPrivateKey(this.#key.privateKey.export({ format: "pem", type: "pkcs8" }));
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authData),
        signature: base64url(sign("sha256", Buffer.concat([authData, sha256(clientData)]), key)),
        userHandle: this.#userHandle,
      },
    };
  }

  #credential() {
    const id = base64url(this.id);
    return { id, rawId: id, type: "public-key", clientExtensionResults: {}, authenticatorAttachment: "platform" };
  }

  #clientData(type: string, challenge: string, wrong: Misbehaviour): Buffer {
    const { origin = this.origin } = wrong;
    return Buffer.from(JSON.stringify({ type, challenge: wrong.challenge ?? challenge, origin, crossOrigin: false }));
  }

  #data(
    rpId: string,
    flags: number,
    { verified = true, counter = this.#counter, rpId: wrongId }: Misbehaviour,
  ): Buffer {
    const all = userPresent | (verified ? userVerified : 0) | backupEligible | backedUp | flags;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(wrongId ?? rpId), Buffer.from([all]), count]);
  }
}
