import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { setDataFolder } from '../../main/data-folder.ts'
import { aFolder } from '../process/house.ts'

/** Folders after the program has set them, on a system whose default folder is `usual`. */
function placed(
  usual: string,
  platform: NodeJS.Platform,
  environment: Record<string, string> = {},
  args: string[] = [],
) {
  const paths: Record<string, string> = { userData: usual }
  const setPath = (name: string, path: string) => {
    paths[name] = path
  }
  const places = { getPath: () => usual, setPath }
  return { folder: setDataFolder(places, platform, environment, args), paths }
}

describe("the program's folder", () => {
  it.each(['linux', 'darwin'] as const)('is the default one of %s, with the browser in a separate one', (platform) => {
    const { folder, paths } = placed('/usual', platform, { LOCALAPPDATA: '/local' })
    expect(folder).toBe('/usual')
    expect(paths).toEqual({ userData: '/usual', sessionData: join('/usual', 'Browser') })
  })

  it('does not travel with a profile on Windows', () => {
    const local = join('/local', 'Switchyard')
    const { folder, paths } = placed('/roaming', 'win32', { LOCALAPPDATA: '/local' })
    expect(folder).toBe(local)
    expect(paths).toEqual({ userData: local, sessionData: join(local, 'Browser') })
    expect(placed('/roaming', 'win32').folder).toBe('/roaming')
  })

  it('is the one that a start names, also on Windows', () => {
    expect(placed('/chosen', 'win32', { LOCALAPPDATA: '/local' }, ['--user-data-dir=/chosen']).folder).toBe('/chosen')
  })

  it('stays where a database is already', async () => {
    const usual = join(await aFolder(), 'usual')
    mkdirSync(usual)
    writeFileSync(join(usual, 'switchyard.db'), '')
    expect(placed(usual, 'win32', { LOCALAPPDATA: '/local' }).folder).toBe(usual)
  })
})
