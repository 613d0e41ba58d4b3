import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sealKey } from '../../gateway/backup/key-file.ts'
import { aWorld } from '../support/world.ts'
import { aChild, aCommand, aProcess } from './child.ts'
import { aFolder } from './house.ts'

const KEY = Buffer.alloc(32, 7)
const OTHER_KEY = Buffer.alloc(32, 8)
const SWITCHYARD_PASSPHRASE = 'correct horse battery'

/** A folder whose data key is elsewhere: in the environment, or in the keychain of a desktop. */
async function aFolderWithoutKey(): Promise<string> {
  const world = await aWorld({ config: { SWITCHYARD_MASTER_KEY: KEY.toString('base64') } })
  await world.channel()
  await world.gateway.stop()
  return world.folder
}

const command = (folder: string, ...args: string[]) => aCommand({ folder, args, config: { SWITCHYARD_PASSPHRASE } })
const start = (folder: string) => aProcess({ folder, config: { SWITCHYARD_PASSPHRASE } }).ended

async function aKeyFile(key: Buffer): Promise<string> {
  const file = join(await aFolder(), 'key.json')
  writeFileSync(file, JSON.stringify(await sealKey(key, SWITCHYARD_PASSPHRASE)))
  return file
}

describe('a data key that is not in the folder (docs/reference/backup.md#the-data-key)', () => {
  it('is made by no command, which could open nothing with it and would leave it to a desktop', async () => {
    const folder = await aFolderWithoutKey()
    const other = join(await aFolder(), 'other.db')
    writeFileSync(other, '')
    for (const words of [['backup'], ['channel', 'list'], ['import', other], ['export', 'logs', join(folder, 'x')]]) {
      const { code, out, err } = await command(folder, ...words)
      expect([code, out, err], words.join(' ')).toEqual([4, '', expect.stringContaining('there is no data key in')])
      expect(existsSync(join(folder, 'master.key'))).toBe(false)
    }
  })

  it('is not created by a gateway of a server either, next to data of a desktop', async () => {
    const folder = await aFolderWithoutKey()
    writeFileSync(join(folder, 'installation-id'), `${crypto.randomUUID()}\n`)
    const { code, err } = await start(folder)
    expect([code, err]).toEqual([4, expect.stringContaining('is in the keychain of a desktop')])
    expect(existsSync(join(folder, 'master.key'))).toBe(false)
  })

  it('is not created by the start of a server next to its own sealed data, which explains the repair', async () => {
    const folder = await aFolderWithoutKey()
    const { code, out, err } = await start(folder)
    expect([code, out]).toEqual([4, ''])
    expect(err).toMatch(
      /is sealed with the data key \w{8}, which is not there; put master\.key back; or run: switchyard key/,
    )
    expect(existsSync(join(folder, 'master.key'))).toBe(false)
    const taken = await command(folder, 'key', 'import', await aKeyFile(KEY))
    expect(taken.code).toBe(0)
    expect((await aChild({ folder })).url).toContain('http')
  })

  it('is created again only where a person confirms that it is lost', async () => {
    const folder = await aFolderWithoutKey()
    writeFileSync(join(folder, 'installation-id'), `${crypto.randomUUID()}\n`)
    expect((await command(folder, 'key', 'new')).err).toContain('in the keychain of a desktop')
    rmSync(join(folder, 'installation-id'))
    const { code, out } = await command(folder, 'key', 'new')
    expect([code, out]).toEqual([0, expect.stringContaining('enter the keys of channels and all secret options again')])
    expect(statSync(join(folder, 'master.key')).mode & 0o777).toBe(0o600)
    const made = readFileSync(join(folder, 'master.key'), 'utf8')
    expect((await command(folder, 'key', 'new')).err).toContain('has a data key already')
    expect((await command(folder, 'doctor')).out).toMatch(/is sealed with another data key/)
    expect((await aChild({ folder })).url).toContain('http')
    expect(readFileSync(join(folder, 'master.key'), 'utf8')).toBe(made)
    expect((await command(await aFolder(), 'key', 'new')).err).toContain('is sealed; the first start makes a data key')
  })

  it('is brought by a key file where it is the one that the data is sealed with, and by no other', async () => {
    const folder = await aFolderWithoutKey()
    const refused = await command(folder, 'key', 'import', await aKeyFile(OTHER_KEY))
    expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/is sealed with another key \(\w{8}\)/)])
    expect(existsSync(join(folder, 'master.key'))).toBe(false)
    const taken = await command(folder, 'key', 'import', await aKeyFile(KEY))
    expect([taken.code, taken.err]).toEqual([0, ''])
    expect((await command(folder, 'channel', 'list')).code).toBe(0)
    rmSync(join(folder, 'switchyard.db'))
    const emptied = await command(folder, 'key', 'import', await aKeyFile(OTHER_KEY))
    expect([emptied.code, emptied.err]).toEqual([0, ''])
    const [kept = ''] = readdirSync(folder).filter((name) => name.startsWith('master.key-'))
    expect(readFileSync(join(folder, kept), 'utf8').trim()).toBe(KEY.toString('base64'))
    expect(emptied.out).toContain(kept)
  })
})
