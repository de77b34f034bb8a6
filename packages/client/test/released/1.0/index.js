// src/address.ts
/** What a URL parser would make another route of: nothing, `.` and `..`; and what has no encoding, half a surrogate pair. */
const UNFIT = /^\.{0,2}$|\p{Cs}/u;
/**
* Fills a path's parameters in.
*
* @throws TypeError where one is missing, empty, `.` or `..`, as the request would reach another route.
*/
const fillPath = (path, values = {}) => path.replace(/\{(\w+)\}/g, (_, name) => {
	const value = values[name];
	if (typeof value === "string" && !UNFIT.test(value)) return encodeURIComponent(value);
	throw new TypeError(`${name} must be a string, and not "", "." or ".."`);
});
/** Writes the parameters that are given as a query, with its question mark. */
function writeQuery(values = {}) {
	let query = "";
	for (const name in values) {
		const value = values[name];
		if (value !== void 0) query += `${query ? "&" : "?"}${name}=${encodeURIComponent(String(value))}`;
	}
	return query;
}
// src/options.ts
/**
* The options without those that are undefined, so that these do not hide a default.
*
* @throws TypeError that names a number which is negative or none.
*/
const given = (options) => Object.fromEntries(Object.entries(options).filter(([name, value]) => {
	if (typeof value === "number" && !(value >= 0)) throw new TypeError(`${name} must not be negative`);
	return value !== void 0;
}));
/**
* Checks a client's options, and makes the address one to append paths to.
*
* @throws TypeError that names the option, and never quotes the key.
*/
function checkOptions(options) {
	const { baseUrl, apiKey } = options;
	if (!/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(baseUrl)) throw new TypeError("baseUrl must be an http(s) URL without credentials or query");
	if (!/^[!-~]+$/.test(apiKey ?? "")) throw new TypeError("apiKey must be visible ASCII");
	return {
		...given(options),
		baseUrl: baseUrl.replace(/\/+$/, "")
	};
}
// src/rate-limit.ts
/** The server's clock, so that the caller's may be wrong; the caller's where an answer bears no date. */
const serverNow = (headers) => Date.parse(headers.get("date")) || Date.now();
const numberIn = (headers, name) => parseFloat(headers.get(`x-ratelimit-${name}`));
/** Milliseconds of Unix time. A reset below 10^9, which was in 2001, is seconds left, as some deployments count. */
function resetOf(headers) {
	const reset = numberIn(headers, "reset") * 1e3;
	return reset < 0xe8d4a51000 ? serverNow(headers) + reset : reset;
}
/**
* Reads the rate state off an answer's headers.
*
* @returns undefined where the answer does not carry all three of `X-RateLimit-Limit`, `X-RateLimit-Remaining` and
* `X-RateLimit-Reset`, as one from a proxy on the way may not.
*/
function rateLimitOf(headers) {
	const limit = numberIn(headers, "limit");
	const remaining = numberIn(headers, "remaining");
	const reset = resetOf(headers);
	return limit + remaining + reset >= 0 ? {
		limit,
		remaining,
		reset: new Date(reset)
	} : void 0;
}
/**
* Whole seconds that the server asks the caller to wait: `Retry-After`, in seconds or as a date (RFC 9110, 10.2.3),
* else, on a 429, what is left of the window. undefined where it asks nothing.
*/
function retryAfterOf(status, headers) {
	const asked = headers.get("retry-after") ?? "";
	const until = asked ? Date.parse(asked) : status === 429 ? resetOf(headers) : NaN;
	const seconds = /^\d/.test(asked) ? parseFloat(asked) : (until - serverNow(headers)) / 1e3;
	return Number.isNaN(seconds) ? void 0 : Math.max(0, Math.ceil(seconds));
}
// src/result.ts
/** Reads the facts off an answer's headers. */
const factsOf = (headers) => ({
	rateLimit: rateLimitOf(headers),
	requestId: headers.get("x-request-id") ?? void 0
});
/** Adds the facts to a body. */
const withFacts = (body, { rateLimit, requestId }) => Object.defineProperties(body, {
	rateLimit: { value: rateLimit },
	requestId: { value: requestId }
});
// src/errors.ts
/** What every error of this client is, and has: undefined where there was no answer, or it did not tell. */
var ProjectFeedbackError = class extends Error {
	/** What is wrong with the request, part by part; empty where the server named nothing. */
	details = [];
	constructor(message, facts, options) {
		super(message, options);
		Object.assign(this, facts);
	}
	get name() {
		return "ProjectFeedbackError";
	}
};
/** No whole answer came: the network failed, or the connection broke off. `cause` is what `fetch` threw. */
var NetworkError = class extends ProjectFeedbackError {
	get name() {
		return "NetworkError";
	}
};
/** No whole answer came in time: within the timeout of an attempt, or of the whole call. */
var TimeoutError = class extends NetworkError {
	get name() {
		return "TimeoutError";
	}
};
/** The server, or a proxy before it, answered with an error, or with something that is not JSON. */
var ApiError = class extends ProjectFeedbackError {
	get name() {
		return "ApiError";
	}
};
/** The request is off the contract; `details` names what is wrong. */
var BadRequestError = class extends ApiError {
	get name() {
		return "BadRequestError";
	}
};
/** The API key is missing, wrong or revoked. */
var UnauthorizedError = class extends ApiError {
	get name() {
		return "UnauthorizedError";
	}
};
/** The key's role or account may not do this. */
var ForbiddenError = class extends ApiError {
	get name() {
		return "ForbiddenError";
	}
};
/** There is no such record, or none that the caller may see. */
var NotFoundError = class extends ApiError {
	get name() {
		return "NotFoundError";
	}
};
/** The path does not have this method. */
var MethodNotAllowedError = class extends ApiError {
	get name() {
		return "MethodNotAllowedError";
	}
};
/** The record's state forbids this. */
var ConflictError = class extends ApiError {
	get name() {
		return "ConflictError";
	}
};
/** The body is larger than 1 MiB. */
var ContentTooLargeError = class extends ApiError {
	get name() {
		return "ContentTooLargeError";
	}
};
/** The body is of a type that the server does not take. */
var UnsupportedMediaTypeError = class extends ApiError {
	get name() {
		return "UnsupportedMediaTypeError";
	}
};
/** The idempotency key was used before, with another body. */
var UnprocessableContentError = class extends ApiError {
	get name() {
		return "UnprocessableContentError";
	}
};
/** The allowance of the window is used up; `retryAfterSeconds` says for how long. */
var TooManyRequestsError = class extends ApiError {
	get name() {
		return "TooManyRequestsError";
	}
};
/** The service failed. */
var InternalServerError = class extends ApiError {
	get name() {
		return "InternalServerError";
	}
};
/** A proxy got no good answer from the service. */
var BadGatewayError = class extends ApiError {
	get name() {
		return "BadGatewayError";
	}
};
/** The service is away for a while. */
var ServiceUnavailableError = class extends ApiError {
	get name() {
		return "ServiceUnavailableError";
	}
};
/** A proxy got no answer from the service in time. */
var GatewayTimeoutError = class extends ApiError {
	get name() {
		return "GatewayTimeoutError";
	}
};
const byStatus = {
	400: BadRequestError,
	401: UnauthorizedError,
	403: ForbiddenError,
	404: NotFoundError,
	405: MethodNotAllowedError,
	409: ConflictError,
	413: ContentTooLargeError,
	415: UnsupportedMediaTypeError,
	422: UnprocessableContentError,
	429: TooManyRequestsError,
	500: InternalServerError,
	502: BadGatewayError,
	503: ServiceUnavailableError,
	504: GatewayTimeoutError
};
/**
* Whether this is an answer of a status that has a class of its own. After it, `error.status` narrows.
*
* @example
* ```ts
* if (isStatusError(error) && error.status === 400) console.error(error.details);
* ```
*/
function isStatusError(error) {
	return error instanceof ApiError && error.constructor !== ApiError;
}
/** The error of a status. */
function errorOf(status, message, facts) {
	return new (byStatus[status] ?? ApiError)(message, facts);
}
// src/timing.ts
/** The longest that a timer can wait; beyond it, it would fire at once. */
const LONGEST = 2 ** 31 - 1;
/** Milliseconds of a clock that nobody sets. */
const now = () => performance.now();
/**
* Settles as `work` does; but as `late` does when the time is up, and with the signal's own reason when it aborts: both
* at once, even where `work` heeds no signal.
*/
function within(milliseconds, signal, work, late) {
	return new Promise((resolve) => {
		const controller = new AbortController();
		const settle = (outcome) => {
			clearTimeout(timer);
			signal?.removeEventListener("abort", onAbort);
			resolve(outcome);
		};
		const cut = (outcome) => {
			settle(outcome);
			controller.abort();
		};
		const onAbort = () => cut(Promise.reject(signal?.reason));
		const timer = setTimeout(() => cut(late()), Math.min(milliseconds, LONGEST));
		signal?.addEventListener("abort", onAbort);
		if (signal?.aborted) onAbort();
		else {
			const working = work(controller.signal);
			working.then(settle, () => settle(working));
		}
	});
}
/** Waits; throws the signal's own reason as soon as it aborts. */
const sleep = (milliseconds, signal) => within(milliseconds, signal, () => new Promise(() => {}), () => {});
// src/attempt.ts
function parse(text) {
	try {
		const value = JSON.parse(text);
		if (Object(value) === value) return value;
	} catch {}
}
/** The error that an answer is, in the server's own words where it has some; undefined where it is a success. */
function failureOf({ method, url }, { ok, status, headers }, body, facts) {
	if (ok && (body || status === 204)) return void 0;
	const { message, details = [] } = body ?? {};
	return errorOf(status, message ?? `${method} ${url}: answered ${status}, without JSON`, {
		...facts,
		status,
		details,
		retryAfterSeconds: retryAfterOf(status, headers)
	});
}
/** The error that stands for what `fetch` threw, in the words of its innermost cause. */
function faultOf({ method, url }, thrown, redact) {
	let words = thrown;
	let trace = "";
	for (let cause = thrown; cause instanceof Error; cause = cause.cause) {
		words = cause.message || cause.code;
		trace += cause.stack;
	}
	return new NetworkError(redact(`${method} ${url}: ${words}`), {}, trace === redact(trace) ? { cause: thrown } : {});
}
/**
* Sends a request once, with the key, and reads the answer whole. What comes of it bears the key nowhere, not even
* where the other side echoes it.
*
* @param time milliseconds that it may take.
* @throws the signal's own reason, and what a hook throws.
*/
async function attempt(message, event, time) {
	const { apiKey, fetch = globalThis.fetch, onRequest, onResponse, method, url, body, request, signal } = message;
	const redact = (text) => apiKey[7] ? text.replaceAll(apiKey, "[API key]") : text;
	signal?.throwIfAborted();
	let { headers } = message;
	if (onRequest) {
		const visible = new Headers(headers);
		await onRequest({
			...event,
			headers: visible
		});
		headers = new Headers(visible);
	}
	headers.set("authorization", `Bearer ${apiKey}`);
	const start = now();
	let response;
	let text;
	try {
		[response, text] = await within(time, signal, async (signal) => {
			const init = {
				method,
				headers,
				signal,
				redirect: "manual"
			};
			if (body) init.body = body;
			const response = await fetch(request?.clone() ?? url, init);
			return [response, await response.text()];
		}, () => Promise.reject(new TimeoutError(`${method} ${url}: no answer within ${time | 0} ms`)));
	} catch (error) {
		signal?.throwIfAborted();
		return {
			facts: {},
			error: error instanceof TimeoutError ? error : faultOf(message, error, redact)
		};
	}
	if (!response.ok) text = redact(text);
	const { status, headers: told } = response;
	const facts = factsOf(told);
	await onResponse?.({
		...event,
		...facts,
		status,
		headers: told,
		duration: now() - start
	});
	const answer = parse(text);
	return {
		response,
		text,
		body: answer,
		facts,
		error: failureOf(message, response, answer, facts)
	};
}
// src/retry.ts
const KEY = "idempotency-key";
/** What a DELETE comes to where an attempt whose answer was lost did it, and the next finds nothing to delete. */
const DELETED = "{\"success\":true,\"message\":\"Deleted\"}";
/** What Node (`ECONNREFUSED`) and Bun (`ConnectionRefused`) call a connection that was never made: nothing was sent. */
const NEVER_LEFT = /REFUSED$|ENOTFOUND|EAI_AGAIN|CONNECT_TIMEOUT/i;
/** 128 random bits; unlike `randomUUID`, to be had on plain http pages as well. */
const randomKey = () => crypto.getRandomValues(/* @__PURE__ */ new Uint32Array(4)).join("-");
/** Milliseconds: evenly spread from 0 up, so that callers that failed together come back apart. */
const backoff = (first, attempt) => Math.random() * Math.min(first * 2 ** (attempt - 1), 5e3);
/** Whether nothing can have come of the request: it was refused (S-RATE-3), or never left. Browsers never tell. */
function isUndone({ status, cause }) {
	for (let error = cause; error instanceof Error; error = error.cause) if (NEVER_LEFT.test(error.code ?? "")) return true;
	return status === 429;
}
/** Whether another try may fare better: no answer, one of a proxy or an overloaded server, a success cut short. */
const isPassing = (status = 200) => status > 199 && status < 300 || status === 429 || status > 501 && status < 505;
/** Sends a request and, as long as that may help and can do no harm, sends it again. */
async function send(message) {
	const { attemptTimeout = 3e4, waitForRateLimit, totalTimeout = waitForRateLimit ? Infinity : 6e4, maxRetries = 10, retryDelay = 100, maxRetryAfter = 3e4, idempotency = true, idempotencyKey, onRetry, method, url, headers, signal } = message;
	const deadline = now() + totalTimeout;
	const isWrite = method === "POST" || method === "PATCH";
	if (isWrite && !headers.has(KEY) && (idempotency || idempotencyKey)) headers.set(KEY, idempotencyKey || randomKey());
	const isNamed = isWrite && headers.has(KEY);
	let isInDoubt = false;
	let retries = 0;
	for (let number = 1;; number++) {
		const event = {
			method,
			url,
			attempt: number
		};
		const outcome = await attempt(message, event, Math.min(attemptTimeout, Math.max(0, deadline - now())));
		const { error } = outcome;
		if (!error) return outcome;
		const { status, retryAfterSeconds } = error;
		if (isInDoubt && method === "DELETE" && status === 404) return {
			response: new Response(),
			text: DELETED,
			body: JSON.parse(DELETED),
			facts: outcome.facts
		};
		const isRunning = isNamed && status === 409 && (isInDoubt || retryAfterSeconds !== void 0);
		const isSafe = !isWrite || isNamed || isUndone(error);
		const asked = (retryAfterSeconds ?? 0) * 1e3;
		const mayWait = waitForRateLimit && status === 429 || asked <= maxRetryAfter && retries++ < maxRetries;
		const delay = asked + backoff(retryDelay, number);
		if (!(isPassing(status) || isRunning) || !isSafe || !mayWait || now() + delay >= deadline) return outcome;
		isInDoubt ||= !isUndone(error);
		await onRetry?.({
			...event,
			delay,
			error
		});
		await sleep(delay, signal);
	}
}
// src/call.ts
/** Makes the function through which every resource calls. */
function createCall(client) {
	const call = async (method, path, { path: values, query, body }, options) => {
		const headers = new Headers({
			...client.headers,
			...options?.headers
		});
		if (body) headers.set("content-type", "application/json");
		const url = client.baseUrl + fillPath(path, values) + writeQuery(query);
		const { body: answer = {}, facts, error } = await send({
			...client,
			...options && given(options),
			method,
			url,
			headers,
			body: JSON.stringify(body)
		});
		if (error) throw error;
		return withFacts(answer, facts);
	};
	return call;
}
// src/list.ts
/**
* Makes a list of a function that reads a page.
*
* The first page is asked for at once; the first iteration starts with it.
*/
function list(read, first = 1, maxPages = Infinity) {
	const awaited = read(first);
	let unused = awaited;
	async function* pages() {
		for (let number = first; number < first + maxPages; number++) {
			const page = await (unused ?? read(number));
			unused = void 0;
			yield page;
			const { perPage, total } = page.pagination;
			if (!page.data.length || number * perPage >= total) return;
		}
	}
	async function* items() {
		const seen = /* @__PURE__ */ new Set();
		for await (const { data } of pages()) for (const item of data) {
			if (!seen.has(item.id)) yield item;
			seen.add(item.id);
		}
	}
	return Object.assign(awaited, {
		pages,
		[Symbol.asyncIterator]: items
	});
}
// src/feedback.ts
const createFeedback = (call) => ({
	list: (projectId, query, options) => list((page) => call("GET", "/projects/{projectId}/feedback", {
		path: { projectId },
		query: {
			...query,
			page
		}
	}, options), query?.page, options?.maxPages),
	get: (id, options) => call("GET", "/feedback/{id}", { path: { id } }, options),
	create: (projectId, body, options) => call("POST", "/projects/{projectId}/feedback", {
		path: { projectId },
		body
	}, options),
	update: (id, body, options) => call("PATCH", "/feedback/{id}", {
		path: { id },
		body
	}, options),
	markHelpful: (id, options) => call("POST", "/feedback/{id}/helpful", { path: { id } }, options),
	reply: (id, body, options) => call("POST", "/feedback/{id}/reply", {
		path: { id },
		body
	}, options),
	approve: (id, options) => call("POST", "/feedback/{id}/approve", { path: { id } }, options),
	reject: (id, options) => call("POST", "/feedback/{id}/reject", { path: { id } }, options)
});
// src/projects.ts
const createProjects = (call) => ({
	list: (query, options) => list((page) => call("GET", "/projects", { query: {
		...query,
		page
	} }, options), query?.page, options?.maxPages),
	get: (id, options) => call("GET", "/projects/{id}", { path: { id } }, options),
	create: (body, options) => call("POST", "/projects", { body }, options),
	update: (id, body, options) => call("PATCH", "/projects/{id}", {
		path: { id },
		body
	}, options),
	delete: (id, options) => call("DELETE", "/projects/{id}", { path: { id } }, options)
});
// src/client.ts
/**
* Makes a client, with every operation under its resource.
*
* @throws TypeError that names an option which can't be.
* @example
* ```ts
* const client = createClient({ baseUrl: "https://feedback.example.com/v1", apiKey });
* const page = await client.projects.list({ status: "active" });
* ```
*/
function createClient(options) {
	const call = createCall(checkOptions(options));
	return {
		projects: createProjects(call),
		feedback: createFeedback(call)
	};
}
// ../../node_modules/.pnpm/openapi-fetch@0.17.0/node_modules/openapi-fetch/dist/index.mjs
const PATH_PARAM_RE = /\{[^{}]+\}/g;
const supportsRequestInitExt = () => {
	return typeof process === "object" && Number.parseInt(process?.versions?.node?.substring(0, 2)) >= 18 && process.versions.undici;
};
function randomID() {
	return Math.random().toString(36).slice(2, 11);
}
function createClient$1(clientOptions) {
	let { baseUrl = "", Request: CustomRequest = globalThis.Request, fetch: baseFetch = globalThis.fetch, querySerializer: globalQuerySerializer, bodySerializer: globalBodySerializer, pathSerializer: globalPathSerializer, headers: baseHeaders, requestInitExt = void 0, ...baseOptions } = { ...clientOptions };
	requestInitExt = supportsRequestInitExt() ? requestInitExt : void 0;
	baseUrl = removeTrailingSlash(baseUrl);
	const globalMiddlewares = [];
	async function coreFetch(schemaPath, fetchOptions) {
		const { baseUrl: localBaseUrl, fetch = baseFetch, Request = CustomRequest, headers, params = {}, parseAs = "json", querySerializer: requestQuerySerializer, bodySerializer = globalBodySerializer ?? defaultBodySerializer, pathSerializer: requestPathSerializer, body, middleware: requestMiddlewares = [], ...init } = fetchOptions || {};
		let finalBaseUrl = baseUrl;
		if (localBaseUrl) finalBaseUrl = removeTrailingSlash(localBaseUrl) ?? baseUrl;
		let querySerializer = typeof globalQuerySerializer === "function" ? globalQuerySerializer : createQuerySerializer(globalQuerySerializer);
		if (requestQuerySerializer) querySerializer = typeof requestQuerySerializer === "function" ? requestQuerySerializer : createQuerySerializer({
			...typeof globalQuerySerializer === "object" ? globalQuerySerializer : {},
			...requestQuerySerializer
		});
		const pathSerializer = requestPathSerializer || globalPathSerializer || defaultPathSerializer;
		const serializedBody = body === void 0 ? void 0 : bodySerializer(body, mergeHeaders(baseHeaders, headers, params.header));
		const finalHeaders = mergeHeaders(serializedBody === void 0 || serializedBody instanceof FormData ? {} : { "Content-Type": "application/json" }, baseHeaders, headers, params.header);
		const finalMiddlewares = [...globalMiddlewares, ...requestMiddlewares];
		const requestInit = {
			redirect: "follow",
			...baseOptions,
			...init,
			body: serializedBody,
			headers: finalHeaders
		};
		let id;
		let options;
		let request = new Request(createFinalURL(schemaPath, {
			baseUrl: finalBaseUrl,
			params,
			querySerializer,
			pathSerializer
		}), requestInit);
		let response;
		for (const key in init) if (!(key in request)) request[key] = init[key];
		if (finalMiddlewares.length) {
			id = randomID();
			options = Object.freeze({
				baseUrl: finalBaseUrl,
				fetch,
				parseAs,
				querySerializer,
				bodySerializer,
				pathSerializer
			});
			for (const m of finalMiddlewares) if (m && typeof m === "object" && typeof m.onRequest === "function") {
				const result = await m.onRequest({
					request,
					schemaPath,
					params,
					options,
					id
				});
				if (result) {
					if (result instanceof Request) request = result;
					else if (result instanceof Response) {
						response = result;
						break;
					} else throw new Error("onRequest: must return new Request() or Response() when modifying the request");
				}
			}
		}
		if (!response) {
			try {
				response = await fetch(request, requestInitExt);
			} catch (error2) {
				let errorAfterMiddleware = error2;
				if (finalMiddlewares.length) for (let i = finalMiddlewares.length - 1; i >= 0; i--) {
					const m = finalMiddlewares[i];
					if (m && typeof m === "object" && typeof m.onError === "function") {
						const result = await m.onError({
							request,
							error: errorAfterMiddleware,
							schemaPath,
							params,
							options,
							id
						});
						if (result) {
							if (result instanceof Response) {
								errorAfterMiddleware = void 0;
								response = result;
								break;
							}
							if (result instanceof Error) {
								errorAfterMiddleware = result;
								continue;
							}
							throw new Error("onError: must return new Response() or instance of Error");
						}
					}
				}
				if (errorAfterMiddleware) throw errorAfterMiddleware;
			}
			if (finalMiddlewares.length) for (let i = finalMiddlewares.length - 1; i >= 0; i--) {
				const m = finalMiddlewares[i];
				if (m && typeof m === "object" && typeof m.onResponse === "function") {
					const result = await m.onResponse({
						request,
						response,
						schemaPath,
						params,
						options,
						id
					});
					if (result) {
						if (!(result instanceof Response)) throw new Error("onResponse: must return new Response() when modifying the response");
						response = result;
					}
				}
			}
		}
		const contentLength = response.headers.get("Content-Length");
		if (response.status === 204 || request.method === "HEAD" || contentLength === "0" && !response.headers.get("Transfer-Encoding")?.includes("chunked")) return response.ok ? {
			data: void 0,
			response
		} : {
			error: void 0,
			response
		};
		if (response.ok) {
			const getResponseData = async () => {
				if (parseAs === "stream") return response.body;
				if (parseAs === "json" && !contentLength) {
					const raw = await response.text();
					return raw ? JSON.parse(raw) : void 0;
				}
				return await response[parseAs]();
			};
			return {
				data: await getResponseData(),
				response
			};
		}
		let error = await response.text();
		try {
			error = JSON.parse(error);
		} catch {}
		return {
			error,
			response
		};
	}
	return {
		request(method, url, init) {
			return coreFetch(url, {
				...init,
				method: method.toUpperCase()
			});
		},
		/** Call a GET endpoint */
		GET(url, init) {
			return coreFetch(url, {
				...init,
				method: "GET"
			});
		},
		/** Call a PUT endpoint */
		PUT(url, init) {
			return coreFetch(url, {
				...init,
				method: "PUT"
			});
		},
		/** Call a POST endpoint */
		POST(url, init) {
			return coreFetch(url, {
				...init,
				method: "POST"
			});
		},
		/** Call a DELETE endpoint */
		DELETE(url, init) {
			return coreFetch(url, {
				...init,
				method: "DELETE"
			});
		},
		/** Call a OPTIONS endpoint */
		OPTIONS(url, init) {
			return coreFetch(url, {
				...init,
				method: "OPTIONS"
			});
		},
		/** Call a HEAD endpoint */
		HEAD(url, init) {
			return coreFetch(url, {
				...init,
				method: "HEAD"
			});
		},
		/** Call a PATCH endpoint */
		PATCH(url, init) {
			return coreFetch(url, {
				...init,
				method: "PATCH"
			});
		},
		/** Call a TRACE endpoint */
		TRACE(url, init) {
			return coreFetch(url, {
				...init,
				method: "TRACE"
			});
		},
		/** Register middleware */
		use(...middleware) {
			for (const m of middleware) {
				if (!m) continue;
				if (typeof m !== "object" || !("onRequest" in m || "onResponse" in m || "onError" in m)) throw new Error("Middleware must be an object with one of `onRequest()`, `onResponse() or `onError()`");
				globalMiddlewares.push(m);
			}
		},
		/** Unregister middleware */
		eject(...middleware) {
			for (const m of middleware) {
				const i = globalMiddlewares.indexOf(m);
				if (i !== -1) globalMiddlewares.splice(i, 1);
			}
		}
	};
}
function serializePrimitiveParam(name, value, options) {
	if (value === void 0 || value === null) return "";
	if (typeof value === "object") throw new Error("Deeply-nested arrays/objects aren’t supported. Provide your own `querySerializer()` to handle these.");
	return `${name}=${options?.allowReserved === true ? value : encodeURIComponent(value)}`;
}
function serializeObjectParam(name, value, options) {
	if (!value || typeof value !== "object") return "";
	const values = [];
	const joiner = {
		simple: ",",
		label: ".",
		matrix: ";"
	}[options.style] || "&";
	if (options.style !== "deepObject" && options.explode === false) {
		for (const k in value) values.push(k, options.allowReserved === true ? value[k] : encodeURIComponent(value[k]));
		const final2 = values.join(",");
		switch (options.style) {
			case "form": return `${name}=${final2}`;
			case "label": return `.${final2}`;
			case "matrix": return `;${name}=${final2}`;
			default: return final2;
		}
	}
	for (const k in value) {
		const finalName = options.style === "deepObject" ? `${name}[${k}]` : k;
		values.push(serializePrimitiveParam(finalName, value[k], options));
	}
	const final = values.join(joiner);
	return options.style === "label" || options.style === "matrix" ? `${joiner}${final}` : final;
}
function serializeArrayParam(name, value, options) {
	if (!Array.isArray(value)) return "";
	if (options.explode === false) {
		const joiner2 = {
			form: ",",
			spaceDelimited: "%20",
			pipeDelimited: "|"
		}[options.style] || ",";
		const final = (options.allowReserved === true ? value : value.map((v) => encodeURIComponent(v))).join(joiner2);
		switch (options.style) {
			case "simple": return final;
			case "label": return `.${final}`;
			case "matrix": return `;${name}=${final}`;
			default: return `${name}=${final}`;
		}
	}
	const joiner = {
		simple: ",",
		label: ".",
		matrix: ";"
	}[options.style] || "&";
	const values = [];
	for (const v of value) if (options.style === "simple" || options.style === "label") values.push(options.allowReserved === true ? v : encodeURIComponent(v));
	else values.push(serializePrimitiveParam(name, v, options));
	return options.style === "label" || options.style === "matrix" ? `${joiner}${values.join(joiner)}` : values.join(joiner);
}
function createQuerySerializer(options) {
	return function querySerializer(queryParams) {
		const search = [];
		if (queryParams && typeof queryParams === "object") for (const name in queryParams) {
			const value = queryParams[name];
			if (value === void 0 || value === null) continue;
			if (Array.isArray(value)) {
				if (value.length === 0) continue;
				search.push(serializeArrayParam(name, value, {
					style: "form",
					explode: true,
					...options?.array,
					allowReserved: options?.allowReserved || false
				}));
				continue;
			}
			if (typeof value === "object") {
				search.push(serializeObjectParam(name, value, {
					style: "deepObject",
					explode: true,
					...options?.object,
					allowReserved: options?.allowReserved || false
				}));
				continue;
			}
			search.push(serializePrimitiveParam(name, value, options));
		}
		return search.join("&");
	};
}
function defaultPathSerializer(pathname, pathParams) {
	let nextURL = pathname;
	for (const match of pathname.match(PATH_PARAM_RE) ?? []) {
		let name = match.substring(1, match.length - 1);
		let explode = false;
		let style = "simple";
		if (name.endsWith("*")) {
			explode = true;
			name = name.substring(0, name.length - 1);
		}
		if (name.startsWith(".")) {
			style = "label";
			name = name.substring(1);
		} else if (name.startsWith(";")) {
			style = "matrix";
			name = name.substring(1);
		}
		if (!pathParams || pathParams[name] === void 0 || pathParams[name] === null) continue;
		const value = pathParams[name];
		if (Array.isArray(value)) {
			nextURL = nextURL.replace(match, serializeArrayParam(name, value, {
				style,
				explode
			}));
			continue;
		}
		if (typeof value === "object") {
			nextURL = nextURL.replace(match, serializeObjectParam(name, value, {
				style,
				explode
			}));
			continue;
		}
		if (style === "matrix") {
			nextURL = nextURL.replace(match, `;${serializePrimitiveParam(name, value)}`);
			continue;
		}
		nextURL = nextURL.replace(match, style === "label" ? `.${encodeURIComponent(value)}` : encodeURIComponent(value));
	}
	return nextURL;
}
function defaultBodySerializer(body, headers) {
	if (body instanceof FormData) return body;
	if (headers) {
		if ((headers.get instanceof Function ? headers.get("Content-Type") ?? headers.get("content-type") : headers["Content-Type"] ?? headers["content-type"]) === "application/x-www-form-urlencoded") return new URLSearchParams(body).toString();
	}
	return JSON.stringify(body);
}
function createFinalURL(pathname, options) {
	let finalURL = `${options.baseUrl}${pathname}`;
	if (options.params?.path) finalURL = options.pathSerializer(finalURL, options.params.path);
	let search = options.querySerializer(options.params.query ?? {});
	if (search.startsWith("?")) search = search.substring(1);
	if (search) finalURL += `?${search}`;
	return finalURL;
}
function mergeHeaders(...allHeaders) {
	const finalHeaders = new Headers();
	for (const h of allHeaders) {
		if (!h || typeof h !== "object") continue;
		const iterator = h instanceof Headers ? h.entries() : Object.entries(h);
		for (const [k, v] of iterator) if (v === null) finalHeaders.delete(k);
		else if (Array.isArray(v)) for (const v2 of v) finalHeaders.append(k, v2);
		else if (v !== void 0) finalHeaders.set(k, v);
	}
	return finalHeaders;
}
function removeTrailingSlash(url) {
	if (url.endsWith("/")) return url.substring(0, url.length - 1);
	return url;
}
// src/paths.ts
/**
* Makes the bare openapi-fetch client of the contract's paths, over the same retries, timeouts and hooks.
*
* It answers `{ data, error, response }`, and takes the options of a call beside openapi-fetch's own. It throws where
* no answer came, and where a success is not JSON. A program that does not import it does not pay for openapi-fetch.
*
* @throws TypeError that names an option which can't be.
* @example
* ```ts
* const { data, error } = await createPathClient(options).GET("/projects/{id}", { params: { path: { id } } });
* ```
*/
function createPathClient(options) {
	const client = checkOptions(options);
	const paths = createClient$1({
		baseUrl: client.baseUrl,
		headers: client.headers ?? {},
		fetch: async (request) => {
			const { method, url, signal } = request;
			const headers = new Headers(request.headers);
			const own = given(request);
			const { response, text, error } = await send({
				...client,
				...own,
				method,
				url,
				headers,
				signal,
				request
			});
			if (error && !(error.status && error.status > 299)) throw error;
			return new Response(text || null, response);
		}
	});
	paths.use({ onRequest: ({ schemaPath, params }) => void fillPath(schemaPath, params.path) });
	return paths;
}
export { ApiError, BadGatewayError, BadRequestError, ConflictError, ContentTooLargeError, ForbiddenError, GatewayTimeoutError, InternalServerError, MethodNotAllowedError, NetworkError, NotFoundError, ProjectFeedbackError, ServiceUnavailableError, TimeoutError, TooManyRequestsError, UnauthorizedError, UnprocessableContentError, UnsupportedMediaTypeError, createClient, createPathClient, isStatusError, rateLimitOf };
