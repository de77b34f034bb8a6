// The input and output of an operation, from the types that are generated of a contract.

/** The type that openapi-typescript makes of an operation. */
interface DescribedOperation {
  readonly parameters: { readonly path?: unknown; readonly query?: unknown };
  readonly requestBody?: unknown;
  readonly responses: object;
}

export type ParametersOf<Described extends DescribedOperation, Place extends "path" | "query"> = NonNullable<
  Described["parameters"][Place]
>;

export type JsonOf<Holder> = Holder extends { content: { "application/json": infer Body } } ? Body : undefined;

/** The body of a request; undefined where there is none, or none was sent. */
export type BodyOf<Described extends DescribedOperation> = [NonNullable<Described["requestBody"]>] extends [never]
  ? undefined
  : JsonOf<NonNullable<Described["requestBody"]>> | (undefined extends Described["requestBody"] ? undefined : never);

/** The statuses of an operation that are no errors. */
export type SuccessOf<Described extends DescribedOperation> = Extract<keyof Described["responses"], 200 | 201 | 303>;
