// An OpenID Connect provider with its own login pages, in a process of its own. Arguments: its port, the redirect URI.
import Provider from "oidc-provider";

const [port = "", redirectUri = ""] = process.argv.slice(2);
const provider = new Provider(`http://localhost:${port}`, {
  clients: [{ client_id: "project-feedback", client_secret: "a-secret-of-the-tests", redirect_uris: [redirectUri] }],
  pkce: { required: () => true },
});
provider.listen(Number(port), "localhost");
