const stops: (() => Promise<unknown>)[] = []

/** Registers a cleanup for the end of the current test file; cleanups run newest first. */
export const atFileEnd = (stop: () => Promise<unknown>): void => void stops.push(stop)

/**
 * Runs all cleanups. Workers share loaded modules, so the hook that calls this is set for every file (every-file.ts).
 */
export async function endFile(): Promise<void> {
  while (stops.length > 0) await stops.pop()?.()
}
