import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { replaceFile } from '../gateway/base/whole-file.ts'

const choices = z.object({
  /** The port chosen on the startup page; without it the usual one is used. */
  port: z.number().int().min(1).max(65_535).optional(),
})
/** What the desktop program remembers beside the gateway's own data. */
export type DesktopChoices = Readonly<z.output<typeof choices>>

const FILE = 'desktop.json'

/** What was chosen; nothing when there is no file or it does not hold choices. */
export function readChoices(folder: string): DesktopChoices {
  try {
    return choices.catch({}).parse(JSON.parse(readFileSync(join(folder, FILE), 'utf8')))
  } catch {
    // No file yet, or one that is no JSON: the program starts as on its first day.
    return {}
  }
}

/** Replaces what was chosen; the file is whole at every moment. */
export function writeChoices(folder: string, chosen: DesktopChoices): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  replaceFile(join(folder, FILE), `${JSON.stringify(chosen)}\n`)
}
