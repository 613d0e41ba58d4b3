import type { DesktopChoices } from '../desktop-file.ts'
import type { InstalledAs } from './installed-as.ts'
import type { FoundUpdate } from './updater.ts'

/** What was before this version: where it came from, and the backup that was made just before, where the program made it. */
export type WayBack = Readonly<{ from: string; to: string; backup?: string | undefined; atSeconds: number }>

/** What a start finds out by what the last one has left. */
type StartedAs = Readonly<{
  /** The version that this one has taken the place of, once. */
  updatedFrom?: string
  /** The version that was to be installed, and was not. */
  missed?: string
  /** What is to be remembered from now on. */
  choices: DesktopChoices
}>

/** The version the program was is kept with each start, so that one which a person installed is noticed as well. */
export function startedAs(version: string, before: DesktopChoices, nowSeconds: number): StartedAs {
  const { lastVersion, way } = before
  if (lastVersion === version) {
    // It was said once; whether it is tried again is the person's choice.
    if (!way || way.to === version || way.isMissed) return { choices: {} }
    return { missed: way.to, choices: { way: { ...way, isMissed: true } } }
  }
  const isUp = lastVersion !== undefined && compareVersions(version, lastVersion) > 0
  if (!isUp) return { choices: { lastVersion: version, way: undefined } }
  const isOurs = way?.to === version && way.from === lastVersion
  return {
    updatedFrom: lastVersion,
    choices: {
      lastVersion: version,
      way: isOurs ? { ...way, isMissed: undefined } : { from: lastVersion, to: version, atSeconds: nowSeconds },
    },
  }
}

/** What is remembered before an update is applied. */
export const wayFrom = (version: string, update: FoundUpdate, backup: string, nowSeconds: number): DesktopChoices => ({
  way: { from: version, to: update.version, backup, atSeconds: nowSeconds },
})

/** The way back from the version that runs; undefined where it is the first one here. */
export const wayBackOf = (version: string, { way }: DesktopChoices): WayBack | undefined =>
  way?.to === version ? way : undefined

/** Which of two versions is later, by their three numbers; what stands behind a hyphen comes before the release itself. */
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

/** The file of a release that a person installs by hand, as electron-builder.yml names it; README's table has them all. */
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
