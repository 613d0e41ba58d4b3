import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { replaceFile } from '../gateway/base/whole-file.ts'

/** The argument of a start that nobody has asked for just now: without a window. */
export const HIDDEN = '--hidden'

/** Whether the program starts when its owner logs in to the computer. */
export interface LoginItem {
  isOn(): boolean
  /** Throws what the system says. */
  set(isOn: boolean): void
  /** Leads a start at login that is on to where the program is now: an AppImage may have been moved. Throws what the disk says. */
  follow(): void
}

/** What of Electron's `app` decides it on Windows and macOS. */
type LoginSettings = Readonly<{
  getLoginItemSettings(asked: { args: string[] }): Readonly<{ openAtLogin: boolean }>
  setLoginItemSettings(wanted: { openAtLogin: boolean; args: string[] }): void
}>

/**
 * The system's own list; on Linux, where there is none, a file of the desktop's autostart folder (freedesktop.org, Desktop
 * Application Autostart). `program` is what is started.
 */
export function createLoginItem(
  settings: LoginSettings,
  platform: NodeJS.Platform,
  program: string,
  environment: Readonly<Record<string, string | undefined>>,
): LoginItem {
  const args = [HIDDEN]
  if (platform !== 'linux')
    return {
      isOn: () => settings.getLoginItemSettings({ args }).openAtLogin,
      set: (openAtLogin) => settings.setLoginItemSettings({ openAtLogin, args }),
      follow() {},
    }
  const folder = join(environment.XDG_CONFIG_HOME || join(homedir(), '.config'), 'autostart')
  const file = join(folder, 'switchyard.desktop')
  return {
    isOn: () => existsSync(file),
    set(isOn) {
      if (!isOn) return rmSync(file, { force: true })
      mkdirSync(folder, { recursive: true })
      replaceFile(file, autostartEntry(program))
    },
    follow() {
      if (!existsSync(file)) return
      const entry = readFileSync(file, 'utf8')
      const start = startOf(program)
      const next = entry.replace(/^Exec=.*$/m, (line) => (line.startsWith(start) ? line : `${start} ${HIDDEN}`))
      if (next !== entry) replaceFile(file, next)
    },
  }
}

/** A desktop entry that starts a program hidden; its path is quoted as the specification of entries asks. */
export const autostartEntry = (program: string): string =>
  ['[Desktop Entry]', 'Type=Application', 'Name=Switchyard', `${startOf(program)} ${HIDDEN}`, ''].join('\n')

function startOf(program: string): string {
  const quoted = program
    .replace(/[\\"`$]/g, '\\$&')
    .replace(/\\/g, '\\\\')
    .replace(/%/g, '%%')
  return `Exec="${quoted}"`
}
