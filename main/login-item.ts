import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { replaceFile } from '../gateway/base/whole-file.ts'

/** The argument of an automatic start, which opens no window. */
export const HIDDEN = '--hidden'

/** Whether the program starts when the user logs in to the computer. */
export interface LoginItem {
  isOn(): boolean
  /** Throws system errors. */
  set(isOn: boolean): void
  /**
   * Updates an enabled autostart to the program's current path, because an AppImage may have been moved. Throws file
   * system errors.
   */
  follow(): void
}

/** The functions of Electron's `app` for Windows and macOS. */
type LoginSettings = Readonly<{
  getLoginItemSettings(options: { args: string[] }): Readonly<{ openAtLogin: boolean }>
  setLoginItemSettings(wanted: { openAtLogin: boolean; args: string[] }): void
}>

/**
 * Uses the system's list of login items; on Linux, a file in the desktop's autostart folder (freedesktop.org, Desktop
 * Application Autostart). `program` is the path to start.
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

/** A desktop entry that starts a program hidden; the path is quoted as the Desktop Entry Specification requires. */
export const autostartEntry = (program: string): string =>
  ['[Desktop Entry]', 'Type=Application', 'Name=Switchyard', `${startOf(program)} ${HIDDEN}`, ''].join('\n')

function startOf(program: string): string {
  const quoted = program
    .replace(/[\\"`$]/g, '\\$&')
    .replace(/\\/g, '\\\\')
    .replace(/%/g, '%%')
  return `Exec="${quoted}"`
}
