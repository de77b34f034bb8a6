import { createClient, createPathClient } from "@project-feedback/client";
import { fetch } from "undici";
import { expect, inject, test } from "vitest";

test("both clients work with the fetch of undici, writes included", async () => {
  const options = { baseUrl: inject("baseUrl"), apiKey: inject("developerKey"), fetch };
  const client = createClient(options);
  const body = { title: "Undici", description: "Its own fetch.", category: "other" } as const;
  const { id } = await client.projects.create(body);
  const paths = createPathClient(options);
  const { data } = await paths.PATCH("/projects/{id}", { params: { path: { id } }, body: { title: "Changed" } });
  expect(data?.title).toBe("Changed");
  expect((await paths.GET("/projects", { params: { query: { search: "changed" } } })).response.status).toBe(200);
  await client.projects.delete(id);
});

test("a record that has changed is not overwritten with its former ETag", async () => {
  const client = createClient({ baseUrl: inject("baseUrl"), apiKey: inject("developerKey") });
  const { id } = await client.projects.create({ title: "Tag", description: "Edited by two.", category: "other" });
  const { response } = await client.projects.get(id).withResponse();
  const ifMatch = response.headers.get("etag") ?? undefined;
  expect((await client.projects.update(id, { title: "First" }, { ifMatch })).title).toBe("First");
  await expect(client.projects.update(id, { title: "Second" }, { ifMatch })).rejects.toMatchObject({ status: 412 });
  await expect(client.projects.delete(id, { ifMatch })).rejects.toMatchObject({ status: 412 });
  expect((await client.projects.get(id)).title).toBe("First");
});

test("a list with a cursor is the page of that cursor", async () => {
  const client = createClient({ baseUrl: inject("baseUrl"), apiKey: inject("developerKey") });
  const word = `cursor${Date.now()}`;
  const titles = ["1", "2", "3"].map((number) => `${word} ${number}`);
  for (const title of titles) await client.projects.create({ title, description: "Cursors.", category: "other" });
  const query = { search: word, perPage: 2 };
  const { response } = await client.projects.list(query).withResponse();
  const next = /<([^>]+)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1] ?? "";
  const cursor = new URL(next, inject("baseUrl")).searchParams.get("cursor") ?? "";
  const rest = await client.projects.list({ ...query, cursor }).toArray();
  expect(rest.map(({ title }) => title)).toEqual([`${word} 1`]);
});
