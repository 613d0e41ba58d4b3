/**
 * What is known at once, or comes from elsewhere. Who takes it on the relay's path waits for promises alone, since every
 * `await` gives the loop away: `const held = hold(ask); const hold = held instanceof Promise ? await held : held`.
 */
export type MaybePromise<T> = T | Promise<T>

/** What `next` makes of a value: at once where the value is known, which is without a promise. */
export function whenKnown<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
