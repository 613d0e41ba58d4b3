/** A newer release as described by the feed. `notes` and `releasedAt` are untrusted text: bounded, and never HTML. */
export type FoundUpdate = Readonly<{ version: string; notes: string; releasedAt: string }>

/** Finds, downloads and installs newer releases. Rejects with an `Error` whose message is in English. */
export interface Updater {
  /** The newest release; undefined if it is not newer than this one. */
  check(): Promise<FoundUpdate | undefined>
  /** Downloads the last found release and verifies it; rejects if `signal` is aborted. */
  download(onPercent: (percent: number) => void, signal: AbortSignal): Promise<void>
  /**
   * Replaces this program, then exits and restarts it; if replacing fails, the old version restarts. Call only after
   * the gateway has stopped.
   */
  install(): void
}

/** Maximum characters of release notes; longer ones are truncated, and the release page has all of them. */
export const MAX_NOTES_LENGTH = 10_000
const MAX_VERSION_LENGTH = 64

/** Sanitizes a feed's response; undefined if it has no valid version. */
export function readFound(response: Readonly<Record<string, unknown>>): FoundUpdate | undefined {
  const version = textOf(response.version)
  if (version.length > MAX_VERSION_LENGTH || !/^\d+\.\d+\.\d[\w.+-]*$/.test(version)) return undefined
  const notes = textOf(response.releaseNotes)
  return {
    version,
    notes: notes.length > MAX_NOTES_LENGTH ? `${notes.slice(0, MAX_NOTES_LENGTH)}…` : notes,
    releasedAt: /^\d{4}-\d\d-\d\d/.exec(textOf(response.releaseDate))?.[0] ?? '',
  }
}

/** A trimmed text without characters that could reorder or hide text; empty if the value is not a text. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.replace(/[\p{Cf}\p{Co}]|(?![\n\t])\p{Cc}/gu, '').trim() : ''
