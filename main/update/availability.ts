import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { isReplaceable } from './app-image.ts'
import { readFeed } from './electron-engine.ts'

/**
 * Why a program cannot update itself: it was not packed, belongs to a package manager, names no feed, nobody
 * has signed it, or its folder takes no new file.
 */
export type Unavailable = 'development' | 'package' | 'snap' | 'noFeed' | 'unsigned' | 'closedFolder'

export type ProgramFacts = Readonly<{
  isPackaged: boolean
  platform: NodeJS.Platform
  environment: Readonly<Record<string, string | undefined>>
  /** The AppImage that it runs from. */
  appImage: string | undefined
  feedFile: string
  /** Answers who has signed this program, on macOS; empty for nobody. */
  signer: () => Promise<string>
}>

/**
 * Why this program cannot update itself; undefined where it can. On macOS and Windows only what is signed may, since each
 * next release must have the signature of this one (docs/reference/updates.md#where-it-can).
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

/** Who has signed a program of macOS, by its team; empty for nobody, and for the signature that a build gives itself. */
export async function macSigner(program: string): Promise<string> {
  const bundle = dirname(dirname(dirname(program)))
  try {
    const { stderr } = await promisify(execFile)('/usr/bin/codesign', ['--display', '--verbose=2', bundle])
    return teamIn(stderr)
  } catch {
    // Not signed at all, or not to be read: then the system would refuse the next release as well.
    return ''
  }
}

/** The team that `codesign` names. */
export function teamIn(said: string): string {
  const team = /^TeamIdentifier=(.+)$/m.exec(said)?.[1]?.trim() ?? ''
  return team === 'not set' ? '' : team
}
