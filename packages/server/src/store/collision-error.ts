/** A transaction that collided with others, or waited for them, until its time was up. */
export class CollisionError extends Error {
  override readonly name = "CollisionError";

  constructor(attempts: number) {
    super(`The transaction gave up, after ${attempts} collisions with others or waiting for its turn.`);
  }
}
