// How a task is put to a server: as a request of this project's contract, or of PocketBase's own interface.

import type { Item, Task } from "./work.ts";

export interface Request {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type Ask = (task: Task) => Request;

const json = { "Content-Type": "application/json" };
const get = (path: string) => ({ method: "GET", path, headers: {} }) as const;
const post = (path: string, body: unknown) =>
  ({ method: "POST", path, headers: json, body: JSON.stringify(body) }) as const;

/** The contract's request, with the caller's key. */
export const askContract: Ask = ({ item, caller }) => {
  const request = contractRequest(item);
  return { ...request, headers: { ...request.headers, Authorization: `Bearer ${caller.key}` } };
};

function contractRequest(item: Item): Request {
  switch (item.kind) {
    case "detail":
      return get(`/v1/projects/${item.id}`);
    case "list":
      return get(`/v1/projects?status=${item.status}&category=${item.category}&perPage=20`);
    case "search":
      return get(`/v1/projects?search=${item.word}`);
    case "feedback":
      return get(`/v1/projects/${item.projectId}/feedback?sort=${item.sort}`);
    case "create":
      return post("/v1/projects", item.body);
    case "submit":
      return post(`/v1/projects/${item.projectId}/feedback`, item.body);
  }
}

const listed = "fields=id,title,description,category,status,createdAt&perPage=20&page=1";

/** PocketBase's request for the same; it knows no keys. */
export const askPocketBase: Ask = ({ item, caller }) => {
  const records = "/api/collections/projects/records";
  const feedback = "/api/collections/feedback/records";
  switch (item.kind) {
    case "detail":
      return get(`${records}/${item.id}`);
    case "list": {
      const filter = encodeURIComponent(`(isPublic=true&&status='${item.status}'&&category='${item.category}')`);
      return get(`${records}?${listed}&sort=-createdAt&filter=${filter}`);
    }
    case "search": {
      const text = `(title~'${item.word}'||description~'${item.word}')`;
      return get(
        `${records}?${listed}&sort=-createdAt&filter=${encodeURIComponent(`(isPublic=true&&status!='draft'&&${text})`)}`,
      );
    }
    case "feedback": {
      const sort = { date: "-createdAt", rating: "-overallRating,-createdAt", helpful: "-helpfulCount,-createdAt" }[
        item.sort
      ];
      const filter = encodeURIComponent(`(projectId='${item.projectId}'&&status!='draft')`);
      const fields = "fields=id,projectId,testerId,overallRating,status,createdAt";
      return get(`${feedback}?${fields}&perPage=20&page=1&sort=${sort}&filter=${filter}`);
    }
    case "create":
      return post(records, { ...item.body, status: "active", isPublic: true, ownerId: caller.accountId });
    case "submit":
      return post(feedback, {
        ...item.body,
        projectId: item.projectId,
        testerId: caller.accountId,
        status: "submitted",
      });
  }
};
