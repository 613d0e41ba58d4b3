import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'
import { type ConnectFile, type ConnectPlatform, connectPlatforms } from '../../shared/connect/client.ts'

/** The operating system, the user's home and the environment variables that programs read. */
export type Machine = Readonly<{
  platform: string
  home: string
  variables: Readonly<Record<string, string | undefined>>
}>

/** Describes this machine for the user with these environment variables, which determine the home folder. */
export function thisMachine(variables: Machine['variables']): Machine {
  const { platform } = process
  return { platform, home: (platform === 'win32' ? variables.USERPROFILE : variables.HOME) || homedir(), variables }
}

/** The path of a program's file, or why it has none. */
type FoundLocation = Readonly<{ path: string } | { problem: 'platform' | 'folder'; detail: string }>

/**
 * The path of a program's file: in the first folder whose variable is set, under the first of its names that exists,
 * else under the last. A variable with a relative path depends on the working directory, so it is refused.
 */
export function locationOnDisk(file: ConnectFile, machine: Machine, isThere: (path: string) => boolean): FoundLocation {
  const { platform, home, variables } = machine
  if (!isKnown(platform)) return { problem: 'platform', detail: platform }
  const { isAbsolute, join } = platform === 'win32' ? win32 : posix
  for (const { variable, below } of file.locations[platform]) {
    const root = variable === undefined ? home : variables[variable]?.trim()
    if (!root) continue
    if (!isAbsolute(root)) return { problem: 'folder', detail: `${variable ?? 'HOME'}=${root}` }
    const paths = file.names.map((name) => join(root, below, name))
    return { path: paths.find(isThere) ?? paths.at(-1) ?? root }
  }
  return { problem: 'folder', detail: 'HOME' }
}

const isKnown = (platform: string): platform is ConnectPlatform =>
  (connectPlatforms as readonly string[]).includes(platform)
