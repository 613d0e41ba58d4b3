import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { replaceFile } from '../gateway/base/whole-file.ts'

const choices = z.object({
  /** The port chosen on the startup page; without it the usual one is used. */
  port: z.number().int().min(1).max(65_535).optional(),
  /** Where the window was, and whether it filled the screen. */
  window: z
    .object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1), isMaximized: z.boolean() })
    .optional(),
  /** Whether the program goes on when its window is closed; without it, as is usual on this system. */
  staysInTray: z.boolean().optional(),
  /** Whether somebody was told that it does. */
  isTrayKnown: z.boolean().optional(),
  /** Whether somebody was told that Chromium's sandbox is off. */
  isSandboxTold: z.boolean().optional(),
  /** Whether a newer release is looked for each day, and when it was last, in unix seconds. */
  checksDaily: z.boolean().optional(),
  lastCheck: z.int().optional(),
  /** The version that somebody was told of. */
  toldOf: z.string().optional(),
  /** What is not shown in a corner of the screen. */
  silenced: z.array(z.string()).optional(),
  /** The version of the last start. */
  lastVersion: z.string().optional(),
  /** How that came here, and the backup from before. */
  way: z
    .object({
      from: z.string(),
      to: z.string(),
      backup: z.string().optional(),
      atSeconds: z.int(),
      isMissed: z.boolean().optional(),
    })
    .optional(),
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

/** Changes some of what was chosen; the file is whole at every moment. Throws what the disk throws. */
export function changeChoices(folder: string, changed: DesktopChoices): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  replaceFile(join(folder, FILE), `${JSON.stringify({ ...readChoices(folder), ...changed })}\n`)
}
