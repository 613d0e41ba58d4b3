import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { isReplaceable } from './app-image.ts'
import { readFeed } from './electron-engine.ts'

/**
 * Why the program cannot update itself: not packaged, managed by a package manager, without a feed, unsigned, or in a
 * read-only folder.
 */
export type Unavailable = 'development' | 'package' | 'snap' | 'noFeed' | 'unsigned' | 'closedFolder'

export type ProgramFacts = Readonly<{
  isPackaged: boolean
  platform: NodeJS.Platform
  environment: Readonly<Record<string, string | undefined>>
  /** The AppImage of this program. */
  appImage: string | undefined
  feedFile: string
  /** Returns who signed this program, on macOS; empty if unsigned. */
  signer: () => Promise<string>
}>

/**
 * Why this program cannot update itself; undefined if it can. On macOS and Windows it must be signed, because the
 * next release must have the same signature (docs/reference/updates.md#supported-packages).
 */
export async function whyUnavailable(facts: ProgramFacts): Promise<Unavailable | undefined> {
  const { isPackaged, platform, environment, appImage, feedFile, signer } = facts
  if (!isPackaged) return 'development'
  if (platform === 'linux' && environment.SNAP) return 'snap'
  if (platform === 'linux' && appImage === undefined) return 'package'
  if (platform === 'linux' && appImage !== undefined && !isReplaceable(appImage)) return 'closedFolder'
  const feed = await readFeed(feedFile)
  if (!feed) return 'noFeed'
  if (platform === 'win32' && feed.publisher === '') return 'unsigned'
  if (platform === 'darwin' && (await signer()) === '') return 'unsigned'
  return undefined
}

/** The team that signed a macOS program; empty if unsigned or ad-hoc signed. */
export async function macSigner(program: string): Promise<string> {
  const bundle = dirname(dirname(dirname(program)))
  try {
    const { stderr } = await promisify(execFile)('/usr/bin/codesign', ['--display', '--verbose=2', bundle])
    return teamIn(stderr)
  } catch {
    // Unsigned or unreadable: the system would also reject the next release.
    return ''
  }
}

/** The team reported by `codesign`. */
export function teamIn(output: string): string {
  const team = /^TeamIdentifier=(.+)$/m.exec(output)?.[1]?.trim() ?? ''
  return team === 'not set' ? '' : team
}
