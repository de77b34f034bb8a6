// The request for a task: by the contract, or by PocketBase's own interface.

import type { Item, Task } from "./work.ts";

export interface Request {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type BuildRequest = (task: Task) => Request;

const json = { "Content-Type": "application/json" };
const get = (path: string) => ({ method: "GET", path, headers: {} }) as const;
const post = (path: string, body: unknown) =>
  ({ method: "POST", path, headers: json, body: JSON.stringify(body) }) as const;

/** The contract's request, with the caller's key. */
export const contractRequest: BuildRequest = ({ item, caller }) => {
  const request = withoutKey(item);
  return { ...request, headers: { ...request.headers, Authorization: `Bearer ${caller.key}` } };
};

function withoutKey(item: Item): Request {
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

const projectFields = "fields=id,title,description,category,status,createdAt&perPage=20&page=1";
const feedbackFields = "fields=id,projectId,testerId,overallRating,status,createdAt&perPage=20&page=1";
const feedbackSorts = {
  date: "-createdAt",
  rating: "-overallRating,-createdAt",
  helpful: "-helpfulCount,-createdAt",
} as const;

/** PocketBase's request for the same; its collections are open to everybody, so it takes no key. */
export const pocketBaseRequest: BuildRequest = ({ item, caller }) => {
  const projects = "/api/collections/projects/records";
  const feedback = "/api/collections/feedback/records";
  switch (item.kind) {
    case "detail":
      return get(`${projects}/${item.id}`);
    case "list": {
      const filter = encodeURIComponent(`(isPublic=true&&status='${item.status}'&&category='${item.category}')`);
      return get(`${projects}?${projectFields}&sort=-createdAt&filter=${filter}`);
    }
    case "search": {
      const text = `(title~'${item.word}'||description~'${item.word}')`;
      const filter = encodeURIComponent(`(isPublic=true&&status!='draft'&&${text})`);
      return get(`${projects}?${projectFields}&sort=-createdAt&filter=${filter}`);
    }
    case "feedback": {
      const filter = encodeURIComponent(`(projectId='${item.projectId}'&&status!='draft')`);
      return get(`${feedback}?${feedbackFields}&sort=${feedbackSorts[item.sort]}&filter=${filter}`);
    }
    case "create":
      return post(projects, { ...item.body, status: "active", isPublic: true, ownerId: caller.accountId });
    case "submit":
      return post(feedback, {
        ...item.body,
        projectId: item.projectId,
        testerId: caller.accountId,
        status: "submitted",
      });
  }
};
