/** A newer release, as the feed tells of it. `notes` and `releasedAt` are text that somebody wrote: bounded, and never HTML. */
export type FoundUpdate = Readonly<{ version: string; notes: string; releasedAt: string }>

/** What finds, fetches and installs newer releases of this program. Rejects with an `Error` that says in English what went wrong. */
export interface Updater {
  /** The newest release; undefined where that is this one, or an older one. */
  check(): Promise<FoundUpdate | undefined>
  /** Fetches what was found last, and proves that it is what was announced; rejects once `signal` is aborted. */
  download(onPercent: (percent: number) => void, signal: AbortSignal): Promise<void>
  /**
   * Puts it in the place of this program, which ends and starts again by itself, as the version it was where that fails. Only once
   * the gateway has stopped.
   */
  install(): void
}

/** More of what is new is read on the page of the release. */
export const MAX_NOTES_LENGTH = 10_000
const MAX_VERSION_LENGTH = 64

/** What of a feed's answer may be shown; undefined where it names no release. */
export function readFound(told: Readonly<Record<string, unknown>>): FoundUpdate | undefined {
  const version = textOf(told.version)
  if (version.length > MAX_VERSION_LENGTH || !/^\d+\.\d+\.\d[\w.+-]*$/.test(version)) return undefined
  const notes = textOf(told.releaseNotes)
  return {
    version,
    notes: notes.length > MAX_NOTES_LENGTH ? `${notes.slice(0, MAX_NOTES_LENGTH)}…` : notes,
    releasedAt: /^\d{4}-\d\d-\d\d/.exec(textOf(told.releaseDate))?.[0] ?? '',
  }
}

/** Without what could turn lines around or hide them. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.replace(/[\p{Cf}\p{Co}]|(?![\n\t])\p{Cc}/gu, '').trim() : ''
