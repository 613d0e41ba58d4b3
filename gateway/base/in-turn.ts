import { setTimeout as pause } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { MaybePromise } from './maybe-promise.ts'

/** Runs work after all earlier work is done; rejects with the signal's reason if it is aborted while it waits. */
export type InTurn = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/** Locks that all nodes share; `take` returns whether this node has the lock now. */
type Locks = Readonly<{ take(name: string): MaybePromise<boolean>; leave(name: string): MaybePromise<void> }>

const RETRY_MS = 500

/** Serializes work on all nodes, under the lock `name`. */
export function createInTurn(locks: Locks, name: string): InTurn {
  const limit = pLimit(1)
  return (work, signal) =>
    limit(async () => {
      while (!(await locks.take(name))) await pause(RETRY_MS, undefined, { signal })
      try {
        return await work()
      } finally {
        await locks.leave(name)
      }
    })
}
