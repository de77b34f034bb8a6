import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

// The parts of DER (ITU-T X.690) that a certificate needs.
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}
const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const objectId = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const utcTime = (date: Date) => der(0x17, Buffer.from(date.toISOString().replaceAll(/^20|[-T:]|\.\d+/g, "")));
const bitString = (bytes: Uint8Array) => der(0x03, Buffer.from([0]), bytes);

const ed25519 = sequence(objectId("2b6570"));
const commonName = objectId("550403");
const subjectAltName = objectId("551d11");
const day = 86_400_000;

/** A self-signed certificate for 127.0.0.1 that is valid for a day; PEM. */
export function selfSigned(): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from("test")))));
  const address = sequence(der(0x87, Buffer.from([127, 0, 0, 1])));
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])), // serial number
    ed25519,
    name,
    sequence(utcTime(new Date(Date.now() - day)), utcTime(new Date(Date.now() + day))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(subjectAltName, der(0x04, address)))),
  );
  const certificate = sequence(toBeSigned, ed25519, bitString(sign(null, toBeSigned, privateKey)));
  const base64 = certificate.toString("base64").replaceAll(/.{64}/g, "$&\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  };
}
