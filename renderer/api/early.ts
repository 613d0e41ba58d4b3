declare global {
  /** By address, what renderer/public/early.js has asked for; absent where that has not run. */
  var early: Record<string, Promise<Response | undefined>> | undefined
}

/**
 * The answer to a reading call that was asked for before the console's code had come, for whoever asks it first. Nothing where it
 * was not, or where it went wrong: then it is asked for again.
 */
export async function takeEarly(address: string): Promise<Response | undefined> {
  const asked = globalThis.early?.[address]
  if (!asked) return undefined
  delete globalThis.early?.[address]
  const answer = await asked
  return answer?.ok ? answer : undefined
}

/** What nobody has asked for by now is old. */
export function dropEarly(): void {
  globalThis.early = undefined
}
