// A provider of OpenID Connect in its own process. Its development pages let anybody in under any name.
import Provider from "oidc-provider";

const [port = "0", clientId = "", clientSecret = "", ...redirectUris] = process.argv.slice(2);
const provider = new Provider(`http://localhost:${port}`, {
  clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: redirectUris }],
  claims: { openid: ["sub"], profile: ["name"] },
  // The name stands in the ID token, as most providers do it.
  conformIdTokenClaims: false,
  pkce: { required: () => true },
  findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id, name: `Name of ${id}` }) }),
});
provider.listen(Number(port), "127.0.0.1", () => console.log("listening"));
