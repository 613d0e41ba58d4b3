import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../gateway/config.ts'
import { LEDGER_JOURNAL } from '../../gateway/store/sqlite/database.ts'
import { readIds as idsIn } from '../../main/installation-id.ts'
import { type Keychain, openKeychain } from '../../main/keychain.ts'
import { diagnose } from '../../main/startup-diagnosis.ts'
import { aFolder } from '../process/house.ts'

const SERVICE = 'dev.switchyard.app'

/** A keychain whose contents are `entries`. */
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
    expect(entries.size, 'made only when it is asked for').toBe(1)
    const key = await first.dataKey()
    expect(key).toHaveLength(32)
    const [id = ''] = idsIn(first.folder)
    expect(entries.get(`${SERVICE} ${id}`)).toBe(key.toString('base64'))
    const moved = `${first.folder}-moved`
    renameSync(first.folder, moved)
    onTestFinished(() => rmSync(moved, { recursive: true }))
    const second = await open(load, { folder: moved, sealed: true })
    expect(await second.dataKey(), 'wherever the data has gone').toEqual(key)
    expect(entries.size).toBe(2)
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

  it('is found under the name of the first release, the folder, and gets one that moves with the data', async () => {
    const { entries, load } = aKeychain()
    const key = randomBytes(32)
    const folder = await aFolder()
    entries.set(`${SERVICE} ${folder}`, key.toString('base64'))
    expect(await (await open(load, { folder, sealed: true })).dataKey()).toEqual(key)
    const [id = ''] = idsIn(folder)
    expect(entries.get(`${SERVICE} ${id}`)).toBe(key.toString('base64'))
    expect(await (await open(load, { folder, sealed: true })).dataKey()).toEqual(key)
    expect(idsIn(folder)).toEqual([id])
  })

  it('is not created again next to sealed data unless the person has agreed, and then in addition to the previous one', async () => {
    const { entries, load } = aKeychain()
    const { folder, dataKey } = await open(load)
    const before = await dataKey()
    const [id = ''] = idsIn(folder)
    entries.delete(`${SERVICE} ${id}`)
    await expect(open(load, { folder, sealed: true })).rejects.toMatchObject({ name: 'NoDataKey', trouble: 'missing' })
    const agreed = await open(load, { folder, sealed: true, mayMakeKey: true })
    expect(agreed.kind).toBe('keychain')
    const key = await agreed.dataKey()
    const [now = '', ...former] = idsIn(folder)
    expect(former).toEqual([id])
    expect(entries.get(`${SERVICE} ${now}`)).toBe(key.toString('base64'))
    entries.set(`${SERVICE} ${id}`, before.toString('base64'))
    expect(await (await open(load, { folder, sealed: true, mayMakeKey: true })).dataKey()).toEqual(key)
    writeFileSync(join(folder, 'installation-id'), `${id}\n`)
    expect(await (await open(load, { folder, sealed: true })).dataKey(), 'the way back').toEqual(before)
  })

  it('is found where it has come back since the person agreed to a new one', async () => {
    const { entries, load } = aKeychain()
    const { folder, dataKey } = await open(load)
    const key = await dataKey()
    const size = entries.size
    expect(await (await open(load, { folder, sealed: true, mayMakeKey: true })).dataKey()).toEqual(key)
    expect(entries.size).toBe(size)
  })

  it('is never created for sealed data while the keychain is locked, even if the person has agreed', async () => {
    await expect(open(refusing, { sealed: true, mayMakeKey: true })).rejects.toMatchObject({ trouble: 'locked' })
  })

  it('is waited for while the keychain prompts a person, who is prompted once', async () => {
    const { load } = aKeychain()
    const unlocked = Promise.withResolvers<void>()
    let prompts = 0
    const locked = broken({
      async getPassword(service, account) {
        prompts += 1
        await unlocked.promise
        return (await load()).getPassword(service, account)
      },
      setPassword: async (service, account, password) => (await load()).setPassword(service, account, password),
    })
    const config = readConfig({ DATA_DIR: await aFolder() }, [])
    const first = await openKeychain({ config, mayMakeKey: false, load: locked, answerMs: 1 }).catch((error) => error)
    expect(first).toMatchObject({ name: 'NoDataKey', trouble: 'silent' })
    const again = { config, mayMakeKey: false, load: locked, pending: first.pending }
    await expect(openKeychain({ ...again, answerMs: 1 })).rejects.toMatchObject({ pending: first.pending })
    expect(prompts).toBe(1)
    unlocked.resolve()
    const { dataKey } = await openKeychain({ ...again, answerMs: 60_000 })
    expect(await dataKey()).toHaveLength(32)
  })

  it('is not looked for under another name where the file of names cannot be read', async () => {
    const folder = await aFolder()
    mkdirSync(join(folder, 'installation-id'))
    await expect(open(aKeychain().load, { folder, sealed: true })).rejects.toMatchObject({ trouble: 'locked' })
  })

  it('is reported as a fault of the folder where the name of a new one cannot be written', async () => {
    const folder = await aFolder()
    // Makes the file unwritable, as on a full disk.
    mkdirSync(join(folder, 'installation-id.part'))
    const { dataKey } = await open(aKeychain().load, { folder })
    const error = await dataKey().catch((cause: unknown) => cause)
    expect(diagnose(error, { config: readConfig({ DATA_DIR: folder }, []), freePort: undefined })).toMatchObject({
      part: 'folder',
    })
  })

  it('comes from the environment before all else', async () => {
    const key = randomBytes(32)
    const env = { SWITCHYARD_MASTER_KEY: key.toString('base64') }
    const { kind, dataKey } = await open(() => Promise.reject(new Error('not asked')), { env })
    expect([kind, await dataKey()]).toEqual(['environment', key])
  })

  it('is reported as invalid when the stored value is not a key', async () => {
    const { entries, load } = aKeychain()
    const { folder, file, dataKey } = await open(load)
    await dataKey()
    entries.set(`${SERVICE} ${idsIn(folder)[0]}`, 'c2hvcnQ=')
    const unusable = { name: 'NoDataKey', trouble: 'unusable' }
    await expect((await open(load, { folder })).dataKey()).rejects.toMatchObject(unusable)
    writeFileSync(file, 'short\n', { mode: 0o600 })
    await expect((await open(load, { folder })).dataKey()).rejects.toMatchObject(unusable)
  })
})
