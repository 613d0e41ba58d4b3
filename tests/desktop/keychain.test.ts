import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../gateway/config.ts'
import { LEDGER_JOURNAL } from '../../gateway/store/database.ts'
import { type Keychain, openKeychain } from '../../main/keychain.ts'
import { aFolder } from '../process/house.ts'

const SERVICE = 'dev.switchyard.app'

/** A keychain that keeps what it is given, as `entries` shows. */
function aKeychain(entries = new Map<string, string>()) {
  const keychain: Keychain = {
    getPassword: async (service, account) => entries.get(`${service} ${account}`) ?? null,
    setPassword: async (service, account, password) => void entries.set(`${service} ${account}`, password),
  }
  return { entries, load: async () => keychain }
}

const broken = (how: Partial<Keychain>) => async () => ({ ...(await aKeychain().load()), ...how })
const refusing = broken({ setPassword: () => Promise.reject(new Error('no session bus')) })

async function open(load: () => Promise<Keychain>, { sealed = false, mayMakeKey = false, env = {}, folder = '' } = {}) {
  const data = folder || (await aFolder())
  if (sealed) writeFileSync(join(data, LEDGER_JOURNAL), '')
  const secrets = await openKeychain({
    config: readConfig({ DATA_DIR: data, ...env }, []),
    mayMakeKey,
    load,
    answerMs: 50,
  })
  return { kind: secrets.kind, dataKey: secrets.dataKey, folder: data, file: join(data, 'master.key') }
}

describe('the data key of a desktop (docs/reference/security.md#secrets-at-rest)', () => {
  it('is made in the keychain on the first start, without a question, and found there from then on', async () => {
    const { entries, load } = aKeychain()
    const first = await open(load)
    expect(first.kind).toBe('keychain')
    expect(entries.has(`${SERVICE} ${first.folder}`), 'made only when it is asked for').toBe(false)
    const key = await first.dataKey()
    expect(key).toHaveLength(32)
    expect(entries.get(`${SERVICE} ${first.folder}`)).toBe(key.toString('base64'))
    const second = await open(load, { folder: first.folder, sealed: true })
    expect(await second.dataKey()).toEqual(key)
    expect(existsSync(first.file)).toBe(false)
  })

  it.each([
    ['is not there', () => Promise.reject(new Error('cannot open shared object file'))],
    ['refuses', refusing],
    ['never answers', broken({ getPassword: () => new Promise(() => {}) })],
    ['forgets', broken({ getPassword: async () => null })],
  ])('is never put into a file in silence where the keychain %s', async (_, load) => {
    await expect(open(load)).rejects.toMatchObject({ name: 'NoDataKey', trouble: 'silent' })
    await expect(open(load, { sealed: true })).rejects.toMatchObject({ name: 'NoDataKey', trouble: 'locked' })
  })

  it('goes into an owner-only file once the person has agreed, and stays there', async () => {
    const agreed = await open(refusing, { mayMakeKey: true })
    expect(agreed.kind).toBe('file')
    const key = await agreed.dataKey()
    expect(readFileSync(agreed.file, 'utf8')).toBe(`${key.toString('base64')}\n`)
    expect(statSync(agreed.file).mode & 0o777).toBe(0o600)
    const later = await open(aKeychain().load, { folder: agreed.folder })
    expect([later.kind, await later.dataKey()]).toEqual(['file', key])
  })

  it('is not replaced beside sealed data unless the person has agreed', async () => {
    const { entries, load } = aKeychain()
    await expect(open(load, { sealed: true })).rejects.toMatchObject({ name: 'NoDataKey', trouble: 'missing' })
    const { kind, dataKey, folder } = await open(load, { sealed: true, mayMakeKey: true })
    expect(kind).toBe('keychain')
    const key = await dataKey()
    expect(entries.get(`${SERVICE} ${folder}`)).toBe(key.toString('base64'))
  })

  it('comes from the environment before all else', async () => {
    const key = randomBytes(32)
    const env = { SWITCHYARD_MASTER_KEY: key.toString('base64') }
    const { kind, dataKey } = await open(() => Promise.reject(new Error('not asked')), { env })
    expect([kind, await dataKey()]).toEqual(['environment', key])
  })

  it('says so when what is kept is no key', async () => {
    const { entries, load } = aKeychain()
    const { folder, file } = await open(load)
    entries.set(`${SERVICE} ${folder}`, 'c2hvcnQ=')
    const unusable = { name: 'NoDataKey', trouble: 'unusable' }
    await expect((await open(load, { folder })).dataKey()).rejects.toMatchObject(unusable)
    writeFileSync(file, 'short\n', { mode: 0o600 })
    await expect((await open(load, { folder })).dataKey()).rejects.toMatchObject(unusable)
  })
})
