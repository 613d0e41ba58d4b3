const stops: (() => Promise<unknown>)[] = []

/** Has something stopped when the test file that runs now has ended; the newest first. */
export const atFileEnd = (stop: () => Promise<unknown>): void => void stops.push(stop)

/** Stops all of it. Workers share what they have loaded, so the hook that calls this is set for every file (every-file.ts). */
export async function endFile(): Promise<void> {
  while (stops.length > 0) await stops.pop()?.()
}
