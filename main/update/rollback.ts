import type { DesktopChoices } from '../desktop-file.ts'
import type { InstalledAs } from './installed-as.ts'
import type { FoundUpdate } from './updater.ts'

/** An update: its versions, and the backup made just before it if the program itself installed it. */
export type Rollback = Readonly<{ from: string; to: string; backup?: string | undefined; atSeconds: number }>

/** What the program derives at startup from the settings stored by the last run. */
type StartedAs = Readonly<{
  /** The version replaced by this one; reported once. */
  updatedFrom?: string
  /** The version that should have been installed, but was not. */
  missed?: string
  choices: DesktopChoices
}>

/**
 * Compares this version with that of the last run. The version is stored at startup, so that manual installations are
 * noticed as well.
 */
export function startedAs(version: string, before: DesktopChoices, nowSeconds: number): StartedAs {
  const { lastVersion, way: lastUpdate } = before
  if (lastVersion === version) {
    // No update is missing, or its absence was reported already; retrying is the user's choice.
    if (!lastUpdate || lastUpdate.to === version || lastUpdate.isMissed) return { choices: {} }
    return { missed: lastUpdate.to, choices: { way: { ...lastUpdate, isMissed: true } } }
  }
  const isUp = lastVersion !== undefined && compareVersions(version, lastVersion) > 0
  if (!isUp) return { choices: { lastVersion: version, way: undefined } }
  const isOurs = lastUpdate?.to === version && lastUpdate.from === lastVersion
  return {
    updatedFrom: lastVersion,
    choices: {
      lastVersion: version,
      way: isOurs ? { ...lastUpdate, isMissed: undefined } : { from: lastVersion, to: version, atSeconds: nowSeconds },
    },
  }
}

/** The settings to store before an update is installed. */
export const choicesForUpdate = (
  version: string,
  update: FoundUpdate,
  backup: string,
  nowSeconds: number,
): DesktopChoices => ({
  way: { from: version, to: update.version, backup, atSeconds: nowSeconds },
})

/**
 * How to restore the version before the current one; undefined if the current version did not replace an older one
 * here.
 */
export const rollbackOf = (version: string, { way: lastUpdate }: DesktopChoices): Rollback | undefined =>
  lastUpdate?.to === version ? lastUpdate : undefined

/**
 * Compares versions by their three numbers; prereleases (after a hyphen) precede the release. Positive if `one` is
 * newer.
 */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [numbersOf(one), numbersOf(other)]
  for (const [index, part] of first.entries()) {
    const distance = part - (second[index] ?? 0)
    if (distance !== 0) return distance
  }
  return Number(!one.includes('-')) - Number(!other.includes('-'))
}

const numbersOf = (version: string): number[] =>
  (version.split(/[-+]/)[0] ?? '').split('.').map((part) => Number(part) || 0)

/** The installer file of a release, as named by electron-builder.yml; README has a table of all. */
export function installerName(version: string, arch: string, installedAs: InstalledAs): string {
  const file = {
    win: `win-${arch}.exe`,
    mac: `mac-${arch}.dmg`,
    appImage: `linux-${arch === 'x64' ? 'x86_64' : arch}.AppImage`,
    deb: `linux-${arch === 'x64' ? 'amd64' : arch}.deb`,
    rpm: `linux-${arch === 'x64' ? 'x86_64' : 'aarch64'}.rpm`,
  }[installedAs]
  return `switchyard-${version}-${file}`
}
