import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { replaceFile } from '../gateway/base/whole-file.ts'

const choices = z.object({
  /** The port chosen on the startup page; the default port if undefined. */
  port: z.number().int().min(1).max(65_535).optional(),
  window: z
    .object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1), isMaximized: z.boolean() })
    .optional(),
  /** Whether the program keeps running without a window; the system's convention if undefined. */
  staysInTray: z.boolean().optional(),
  isTrayKnown: z.boolean().optional(),
  /** Whether the user was notified that Chromium's sandbox is off. */
  isSandboxTold: z.boolean().optional(),
  /** Whether to check for updates daily, and the last check in unix seconds. */
  checksDaily: z.boolean().optional(),
  lastCheck: z.int().optional(),
  toldOf: z.string().optional(),
  silenced: z.array(z.string()).optional(),
  lastVersion: z.string().optional(),
  /**
   * The last update: its versions, its time, the backup (only if the program itself installed the update), and whether
   * the update was reported as missed.
   */
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
/** The desktop program's own settings, separate from the gateway's data. */
export type DesktopChoices = Readonly<z.output<typeof choices>>

const FILE = 'desktop.json'

/** Reads the settings; empty if the file is missing or invalid. */
export function readChoices(folder: string): DesktopChoices {
  try {
    return choices.catch({}).parse(JSON.parse(readFileSync(join(folder, FILE), 'utf8')))
  } catch {
    // Missing or invalid: starts with defaults.
    return {}
  }
}

/** Changes some settings; the file is replaced atomically. Throws file system errors. */
export function changeChoices(folder: string, changed: DesktopChoices): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  replaceFile(join(folder, FILE), `${JSON.stringify({ ...readChoices(folder), ...changed })}\n`)
}
