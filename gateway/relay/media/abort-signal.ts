import type { Cancellation } from '../model/cancellation.ts'

/** Runs what understands signals only: the signal ends with the patience. Nothing else may listen to it meanwhile. */
export async function withAbortSignal<T>(
  cancellation: Cancellation,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const listener = { abandon: () => controller.abort() }
  if (cancellation.over) controller.abort()
  cancellation.listener = listener
  try {
    return await work(controller.signal)
  } finally {
    if (cancellation.listener === listener) cancellation.listener = undefined
  }
}
