/**
 * An order of a list: by one field, ties by the time of creation, then by id; all in one direction, so that an index
 * serves both directions (C-LIST-2, C-LIST-4).
 */
export interface ListOrder<Field extends string = string> {
  /** Undefined for the time of creation. */
  readonly field: Field | undefined;
  readonly descending: boolean;
}

/** The value of an order's field in a record. */
export type OrderValue = string | number | Date;

/** Where a record stands in an order. */
export interface Position {
  /** Undefined in the order of creation. */
  readonly value: OrderValue | undefined;
  readonly createdAt: Date;
  readonly id: string;
}

/** Which part of a list is read: by number, or beside a position (C-LIST-3). */
export type Slice =
  | { readonly skip: number; readonly limit: number }
  | { readonly beside: Position; readonly backward: boolean; readonly limit: number };
