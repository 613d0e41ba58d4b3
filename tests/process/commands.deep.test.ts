import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../gateway/store/sqlite/database.ts'
import { withAuthenticator } from '../support/authenticator.ts'
import { aClient, dataOf, signedIn } from '../support/client.ts'
import { aClock } from '../support/clock.ts'
import { retries } from '../support/retries.ts'
import { aWorld, PASSWORD, type World } from '../support/world.ts'
import { aChild, aProcess } from './child.ts'

const SWITCHYARD_MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

/** A stopped world whose root is locked out by its settings. */
async function aLockedWorld(): Promise<World> {
  const world = await aWorld({ config: { SWITCHYARD_MASTER_KEY } })
  for (const [key, value] of [
    ['TurnstileCheckEnabled', 'true'],
    ['PasswordLoginEnabled', 'false'],
    ['RetryTimes', '7'],
  ])
    await world.gateway.inner.db
      .insertInto('options')
      .values({ key: key ?? '', value: value ?? '', updated_at: 1 })
      .execute()
  await world.gateway.stop()
  return world
}

const command = ({ folder }: { folder: string }, ...words: string[]) => aProcess({ folder, args: words }).ended
const again = ({ folder }: World) => aChild({ folder, config: { SWITCHYARD_MASTER_KEY } })

async function auditOf({ folder }: World) {
  const database = await openDatabase(folder, 1)
  try {
    return await database.db.selectFrom('logs').select(['content', 'other', 'type']).execute()
  } finally {
    await database.close()
  }
}

describe('its options (docs/operations.md#import)', () => {
  it('are listed by --help, and the release by --version, in any position', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'switchyard-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    for (const words of [['--help'], ['-h']]) {
      const { code, out, err } = await command({ folder }, ...words)
      expect([code, err]).toEqual([0, ''])
      for (const told of ['--data-dir <value>', 'reset-password', 'doctor', 'serve', 'token'])
        expect(out).toContain(told)
    }
    const { code, out } = await command({ folder }, 'import', '--help')
    expect(code).toBe(0)
    for (const told of ['switchyard import <file> [--dry-run]', '--history', '--json']) expect(out).toContain(told)
    expect((await command({ folder }, '--version')).out).toMatch(/^Switchyard \d+\.\d+\.\d+\n$/)
  })
})

describe('the recovery commands of the shell (docs/operations.md#locked-out)', () => {
  it('reset-login lets root sign in by password again and leaves the other options', async () => {
    const world = await aLockedWorld()
    const ended = await command(world, 'reset-login')
    expect([ended.code, ended.out, ended.err]).toEqual([
      0,
      'PasswordLoginEnabled was reset to its default.\nTurnstileCheckEnabled was reset to its default.\nPassword login is on, and human verification is off.\n',
      '',
    ])
    expect(await auditOf(world)).toMatchObject(
      ['PasswordLoginEnabled', 'TurnstileCheckEnabled'].map((key) => ({
        type: 3,
        content: expect.stringContaining(`(${key}) to its default`),
        other: expect.stringContaining(`"option":"${key}"`),
      })),
    )
    const { url } = await again(world)
    const root = await signedIn(url, 'root', PASSWORD)
    const { data } = await root.get('/api/option')
    expect(data).toContainEqual({ key: 'RetryTimes', value: '7' })
    expect((await command(world, 'reset-login')).code, 'while a gateway runs').toBe(0)
  })

  it('run through a running gateway, which applies them at once', async () => {
    const world = await aLockedWorld()
    const { url } = await again(world)
    await expect(signedIn(url, 'root', PASSWORD)).rejects.toThrow()
    expect((await command(world, 'reset-login')).out).toContain('PasswordLoginEnabled was reset to its default.\n')
    const root = await signedIn(url, 'root', PASSWORD)
    const retries = async () =>
      dataOf(await root.get('/api/option')).find(({ key }: { key: string }) => key === 'RetryTimes')
    expect((await retries()).value).toBe('7')
    expect((await command(world, 'reset-options', 'RetryTimes')).code).toBe(0)
    expect((await retries()).value).not.toBe('7')
    expect(await command(world, 'reset-options', 'RetryTimes', 'NoSuch')).toMatchObject({
      code: 1,
      err: 'unknown option NoSuch\n',
    })
    const clock = aClock(Date.now())
    await withAuthenticator(root, PASSWORD, clock)
    expect((await command(world, 'reset-2fa')).out).toBe('root can log in without a second factor.\n')
    await signedIn(url, 'root', PASSWORD)
    const told = await command(world, 'reset-password', '--json')
    const { username, password } = JSON.parse(told.out)
    expect([told.code, username]).toEqual([0, 'root'])
    expect((await root.get('/api/user/self')).status).toBe(401)
    await expect(signedIn(url, 'root', PASSWORD)).rejects.toThrow()
    const back = await signedIn(url, 'root', password)
    expect((await command(world, 'reset-password', 'nobody')).err).toBe('unknown user nobody\n')
    // The port has no such call for anyone.
    expect(await back.post('/control/way-back', { way: 'factors' })).not.toMatchObject({ success: true })
  })

  it('reset-password prints a password that works, ends sessions and enables the account', async () => {
    const world = await aWorld({ config: { SWITCHYARD_MASTER_KEY } })
    const { db } = world.gateway.inner
    await db.updateTable('users').set({ status: 2, access_token_hash: 'a-hash' }).execute()
    await world.gateway.stop()
    const ended = await command(world, 'reset-password')
    expect([ended.code, ended.err]).toEqual([0, ''])
    const [, password = ''] = /^New password for root: (\w{16})$/m.exec(ended.out) ?? []
    const rows = await auditOf(world)
    expect(rows).toMatchObject([{ type: 3, content: expect.stringContaining('set a new password for root') }])
    expect(JSON.stringify(rows)).not.toContain(password)
    const { url } = await again(world)
    expect((await aClient(url, world.admin.identity()).get('/api/user/self')).status).toBe(401)
    await expect(signedIn(url, 'root', PASSWORD)).rejects.toThrow('cannot sign in')
    expect((await (await signedIn(url, 'root', password)).get('/api/user/self')).data.username).toBe('root')
  })

  it('reset-2fa lets a user log in who has lost the second factor', async () => {
    const world = await aWorld({ config: { SWITCHYARD_MASTER_KEY } })
    const { db } = world.gateway.inner
    const lost = { user_id: world.admin.id, secret: 'v1.sealed', created_at: 1, confirmed_at: 1 }
    await db.insertInto('authenticators').values(lost).execute()
    const phone = { credential_id: 'c', user_handle: 'h', name: 'Phone', public_key: 'k', rp_id: 'localhost' }
    await db
      .insertInto('passkeys')
      .values({ ...phone, user_id: world.admin.id, created_at: 1, last_used_at: null })
      .execute()
    await world.gateway.stop()
    const out = 'Passkeys of root that were removed: 1\nroot can log in without a second factor.\n'
    expect(await command(world, 'reset-2fa')).toMatchObject({ code: 0, err: '', out })
    expect(await auditOf(world)).toMatchObject([
      { type: 3, content: expect.stringContaining('second factors of “root”') },
    ])
    expect(await command(world, 'reset-2fa', 'root')).toMatchObject({ code: 0, out: 'root has no second factor.\n' })
    const { url } = await again(world)
    expect(await signedIn(url, 'root', PASSWORD)).toMatchObject({ id: world.admin.id })
  })

  it('reset-options accepts any option by its name', async () => {
    const world = await aWorld({ config: { SWITCHYARD_MASTER_KEY }, options: { RetryTimes: 7 } })
    await world.gateway.stop()
    expect(await command(world, 'reset-options', 'RetryTimes', 'Notice')).toMatchObject({
      code: 0,
      out: 'RetryTimes was reset to its default.\nNotice already has its default value.\n',
    })
    const { inner } = (await world.restart()).gateway
    expect(inner.settings.get('RetryTimes')).toBe(retries.usual)
  })

  it('refuse unknown words, and a folder without data, and change nothing', async () => {
    const world = await aLockedWorld()
    for (const [words, code, said] of [
      [
        ['reset-everything'],
        2,
        /^unknown command reset-everything; available commands: doctor, backup, .*reset-options\n$/,
      ],
      [['reset-options', 'RetryTimes', 'NoSuchOption'], 1, /^unknown option NoSuchOption\n$/],
      [['reset-options'], 2, /^usage: reset-options <option> \.\.\.\n$/],
      [['import'], 2, /^usage: import <file> \[--dry-run\]\n$/],
      [['reset-login', 'now'], 2, /^usage: reset-login\n$/],
      [['reset-login', '--no-such-flag', 'x'], 2, /no-such-flag/],
      [['reset-password', 'nobody-of-this-name'], 1, /^unknown user nobody-of-this-name\n$/],
    ] as const) {
      const ended = await command(world, ...words)
      expect([ended.code, ended.out]).toEqual([code, ''])
      expect(ended.err).toMatch(said)
    }
    expect(await auditOf(world)).toEqual([])
    const folder = await mkdtemp(join(tmpdir(), 'switchyard-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const ended = await command(world, 'reset-login', '--data-dir', folder)
    expect(ended).toMatchObject({ code: 4, err: `no Switchyard database was found in ${folder}\n` })
  })
})
