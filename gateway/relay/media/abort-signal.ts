import type { Patience } from '../model/cancellation.ts'

/** Runs what understands signals only: the signal ends with the patience. Nothing else may listen to it meanwhile. */
export async function whilePatient<T>(patience: Patience, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const listener = { abandon: () => controller.abort() }
  if (patience.over) controller.abort()
  patience.listener = listener
  try {
    return await work(controller.signal)
  } finally {
    if (patience.listener === listener) patience.listener = undefined
  }
}
