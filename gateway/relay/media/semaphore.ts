/** Lets a few in at a time, the others wait in the order they came. */
export interface Semaphore {
  /**
   * Resolves, when it is one's turn, with what ends it (to be called once). Rejects with the signal's reason when that
   * ends first, and with `TooManyWaiting` when the queue is full.
   */
  take(signal: AbortSignal): Promise<() => void>
}

/** Thrown to who finds the queue full. */
export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting'
}

/** At most `most` at once and `mostWaiting` in the queue. */
export function createSemaphore(most: number, mostWaiting: number): Semaphore {
  const waiting: (() => void)[] = []
  let busy = 0
  const end = () => {
    const next = waiting.shift()
    if (next) next()
    else busy -= 1
  }
  return {
    async take(signal) {
      signal.throwIfAborted()
      if (busy < most) {
        busy += 1
        return end
      }
      if (waiting.length >= mostWaiting) throw new TooManyWaiting('too many are waiting')
      await inLine(waiting, signal)
      return end
    },
  }
}

function inLine(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      waiting.splice(waiting.indexOf(enter), 1)
      reject(signal.reason)
    }
    const enter = () => {
      signal.removeEventListener('abort', leave)
      resolve()
    }
    signal.addEventListener('abort', leave, { once: true })
    waiting.push(enter)
  })
}
