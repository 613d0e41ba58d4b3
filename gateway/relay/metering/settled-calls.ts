import { refuse } from '../../base/errors.ts'

/** A relayed call of an API token that has been charged; `at` in unix seconds. */
type SettledCall = Readonly<{
  userId: number
  model: string
  /** Prompt and completion together. */
  tokens: number
  quota: number
  requestId: string
  at: number
}>

/** Notifies listeners of an account's next call (docs/reference/design.md#first-five-minutes). */
export interface SettledCalls {
  /** False if there are no listeners: then nothing need be emitted. */
  readonly isAwaited: boolean
  emit(call: SettledCall): void
  /**
   * Calls back once, with the account's next call; returns a function that stops listening. Throws on the eleventh
   * listener of one account.
   */
  next(userId: number, listener: (call: SettledCall) => void): () => void
}

const MAX_WAITING = 10

/** Only consoles that show a waiting card listen; requests check one flag. */
export function createSettledCalls(): SettledCalls {
  const waiting = new Map<number, Set<(call: SettledCall) => void>>()
  return {
    get isAwaited() {
      return waiting.size > 0
    },
    emit(call) {
      const listeners = waiting.get(call.userId)
      waiting.delete(call.userId)
      for (const listener of listeners ?? []) listener(call)
    },
    next(userId, listener) {
      const listeners = waiting.get(userId) ?? new Set()
      if (listeners.size >= MAX_WAITING) throw refuse('limited', 'http.429', {}, { retryAfterSeconds: 60 })
      waiting.set(userId, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && waiting.get(userId) === listeners) waiting.delete(userId)
      }
    },
  }
}
