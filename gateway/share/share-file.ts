import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parsed } from '../../shared/json.ts'
import { defaultShareSettings, type ShareSettings, shareSettings } from '../../shared/share/share-settings.ts'
import type { Logger } from '../base/log/logger.ts'
import { replaceFile } from '../base/whole-file.ts'

const contents = z.object({
  settings: shareSettings.partial().catch({}).default({}),
  chosen: z.object({ address: z.string(), interface: z.string(), kind: z.string() }).optional().catch(undefined),
  /** The CA of the certificates; its key is encrypted. */
  ca: z.object({ certificate: z.string(), key: z.string() }).optional().catch(undefined),
  /** Hashes of stored passwords that are known to be long enough. */
  proven: z.array(z.string()).max(20).catch([]).default([]),
})
type Contents = z.output<typeof contents>

/** Sharing state of this machine: in a file next to the database, and not in its backups. */
export interface ShareFile {
  settings(): ShareSettings
  chosen(): Contents['chosen']
  ca(): Contents['ca']
  proven(): readonly string[]
  /**
   * Changes parts of the file, atomically. Throws the disk's errors; even then, sharing that was turned off stays off
   * until the next start.
   */
  keep(
    changed: Readonly<{ settings?: ShareSettings; chosen?: Contents['chosen']; ca?: NonNullable<Contents['ca']> }>,
  ): void
  /** Stores which passwords are long enough, if the disk allows. */
  note(proven: readonly string[]): void
}

const FILE = 'share.json'

/** Opens the file of a data folder; an unreadable one counts as empty, so nothing is shared. */
export function openShareFile(folder: string, log: Pick<Logger, 'warn'>): ShareFile {
  const file = join(folder, FILE)
  let now = read(file, log)
  const write = (changed: object) => {
    const next = contents.parse({ ...now, ...changed })
    if (next.settings.on === false) now = next
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    replaceFile(file, `${JSON.stringify(next)}\n`)
    now = next
  }
  return {
    settings: () => ({ ...defaultShareSettings, ...defined(now.settings) }),
    chosen: () => now.chosen,
    ca: () => now.ca,
    proven: () => now.proven,
    keep: write,
    note(proven) {
      if (proven.every((mark) => now.proven.includes(mark))) return
      try {
        write({ proven })
      } catch (error) {
        log.warn('that a password is long enough could not be stored', { error })
      }
    },
  }
}

/** The known members of the settings; later releases may have more. */
const defined = (stored: Contents['settings']): Partial<ShareSettings> =>
  Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== undefined))

function read(file: string, log: Pick<Logger, 'warn'>): Contents {
  const empty = contents.parse({})
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    // Never shared.
    return empty
  }
  const found = contents.safeParse(parsed(text))
  if (!found.success) log.warn('the settings of sharing cannot be read; the gateway is not shared', { file })
  return found.success ? found.data : empty
}
