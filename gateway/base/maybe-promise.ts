/**
 * A value that may be available synchronously. On the relay's path await only promises, because every `await` yields to
 * the event loop: `const found = find(id); const row = found instanceof Promise ? await found : found`.
 */
export type MaybePromise<T> = T | Promise<T>

/** Applies `next` to a value; synchronously if the value is not a promise. */
export function whenKnown<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
