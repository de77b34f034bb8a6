import documents from "virtual:reference-documents";
import { createApiReference } from "virtual:scalar";
import { render } from "preact";
import { KeyBar } from "./key-bar.tsx";
import { nameCopyButtons } from "./name-copy-buttons.ts";

const configuration = {
  sources: JSON.parse(documents.replaceAll("{origin}", location.origin)),
  // Nothing is asked of another host, and nothing leaves the page but the requests that the visitor sends.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
  hideClientButton: true,
  persistAuth: false,
  // The samples of the documents are tested. Those that Scalar could generate are not.
  hiddenClients: true,
  // It would download the documents with the samples. The start page has the contract itself.
  documentDownloadType: "none",
};

document.querySelector("#main")?.replaceChildren();
nameCopyButtons();
const reference = createApiReference("#main", configuration);

/** From now on the requests of the page carry this key. */
function onKey(token: string): void {
  const authentication = { preferredSecurityScheme: "BearerAuth", securitySchemes: { BearerAuth: { token } } };
  reference.updateConfiguration({ ...configuration, authentication });
}

const bar = document.querySelector("#key-bar");
if (bar) render(<KeyBar onKey={onKey} />, bar);
