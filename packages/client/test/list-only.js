// The program whose size is limited: it only lists projects.
import { createClient } from "../dist/index.js";

const client = createClient({ baseUrl: "https://feedback.example.com/v1", apiKey: "pfs_key" });
client.projects.list({ status: "active" }).then(({ data }) => console.log(data));
