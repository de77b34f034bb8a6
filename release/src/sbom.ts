import { createHash } from "node:crypto";
import { Contrib, Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";
import { PackageURL } from "packageurl-js";
import parseExpression from "spdx-expression-parse";
import type { Artifact, Bundled } from "./artifact.ts";

const licenses = new Contrib.License.Factories.LicenseFactory(parseExpression);

/**
 * The bill of materials of a package, CycloneDX 1.6 as JSON: the tarball with its digest, and everything that runs with
 * it. The same package has the same text.
 * @param commitTime of the commit that was packed
 */
export function billOfMaterials(artifact: Artifact, parts: readonly Bundled[], commitTime: Date): string {
  const { manifest, sha256 } = artifact;
  const bom = new Models.Bom();
  bom.serialNumber = `urn:uuid:${uuidOf(sha256)}`;
  bom.metadata.timestamp = commitTime;
  const main = component(Enums.ComponentType.Application, manifest);
  main.description = manifest.description;
  main.hashes.set(Enums.HashAlgorithm["SHA-256"], sha256);
  bom.metadata.component = main;
  for (const part of parts) {
    const library = component(Enums.ComponentType.Library, part);
    bom.components.add(library);
    main.dependencies.add(library.bomRef);
  }
  const normalizers = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return `${new Serialize.JsonSerializer(normalizers).serialize(bom, { sortLists: true, space: 2 })}\n`;
}

function component(type: Enums.ComponentType, { name, version, license }: Bundled): Models.Component {
  const [scope, bare = ""] = name.startsWith("@") ? name.split("/") : [undefined, name];
  const made = new Models.Component(type, bare, { version, ...(scope && { group: scope }) });
  made.licenses.add(licenses.makeFromString(license));
  made.purl = new PackageURL("npm", scope, bare, version, undefined, undefined).toString();
  made.bomRef.value = made.purl;
  return made;
}

/** A UUID of version 8 (RFC 9562): its bits are a digest. */
function uuidOf(sha256: string): string {
  const hex = createHash("sha256").update(sha256).digest("hex").slice(0, 32).split("");
  hex[12] = "8";
  hex[16] = "8";
  return hex.join("").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
