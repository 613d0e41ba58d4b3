import { expect, it } from 'vitest'
import { createSetup } from '../../../../gateway/accounts/login/setup.ts'
import { silentLogger } from '../../../../gateway/base/log/logger.ts'
import { createVault } from '../../../../gateway/base/secrets/ciphers.ts'
import { createPasswords } from '../../../../gateway/base/secrets/passwords.ts'
import { openPostgresState } from '../../../../gateway/shared-state/postgres/postgres-state.ts'
import { setupCodeRow } from '../../../../gateway/shared-state/postgres/setup-code-row.ts'
import { openPostgresStore } from '../../../../gateway/store/postgres/postgres-store.ts'
import { aClock } from '../../../support/clock.ts'
import { quickArgon2 } from '../../../support/quick-argon2.ts'
import { aDatabase, twoNodes } from './two-nodes.ts'

const vault = createVault(Buffer.alloc(32, 7))
const rightFields = {
  ...{ username: 'root', password: 'a-long-password', confirmPassword: 'a-long-password' },
  ...{ SelfUseModeEnabled: false, DemoSiteEnabled: false, ip: '127.0.0.1' },
}

/** The setup of a node that has the database and no ledger. */
async function aSetup(url: string) {
  const clock = aClock()
  const { store, connections } = await openPostgresStore(url, 1_700_000_000, silentLogger)
  const shared = await openPostgresState({ connections, livingNodes: () => 2, vault, clock, log: silentLogger })
  const { db } = store
  const setup = await createSetup({
    db,
    shared,
    clock,
    log: silentLogger,
    version: '1',
    passwords: createPasswords(quickArgon2),
    settings: { set: async () => {} },
    wrongCodes: () => 0,
    ledger: {
      move: ({ together }) => db.transaction().execute(async (transaction) => void (await together?.(transaction))),
    },
  })
  const close = async () => {
    await shared.close()
    await store.close()
  }
  return { setup, db, close }
}

it('the link of one node is valid on the other, and setup is soon done on both', async () => {
  const url = await aDatabase()
  const [one, other] = [await aSetup(url), await aSetup(url)]
  const code = one.setup.code()
  expect(code).toHaveLength(32)
  expect(other.setup.code()).toBe(code)
  const done: string[] = []
  one.setup.onDone(() => void done.push('one'))
  other.setup.onDone(() => void done.push('other'))
  await expect(other.setup.submit({ ...rightFields, code: 'guess' })).rejects.toMatchObject({ key: 'setup.code' })
  await other.setup.submit({ ...rightFields, code })
  await expect.poll(() => done.toSorted()).toEqual(['one', 'other'])
  expect([one.setup.isDone(), other.setup.isDone()]).toEqual([true, true])
  expect([one.setup.hasRoot(), one.setup.code(), other.setup.code()]).toEqual([true, undefined, undefined])
  await expect(one.setup.submit({ ...rightFields, code })).rejects.toMatchObject({ key: 'setup.done' })
  const next = await aSetup(url)
  expect(next.setup.code()).toBeUndefined()
  for (const { close } of [one, other, next]) await close()
})

it('nodes that start together print one code, which cannot be read in the table', async () => {
  const [one, other] = await twoNodes()
  const codes = [one, other].map(({ run }) => setupCodeRow({ run, vault }))
  const read = await Promise.all([...codes, ...codes].map((code) => code.read()))
  expect(new Set(read).size).toBe(1)
  expect(JSON.stringify(await one.run('select * from ephemeral'))).not.toContain(read[0])
  const newKey = setupCodeRow({ run: other.run, vault: createVault(Buffer.alloc(32, 8)) })
  expect(await newKey.read()).toBe(await newKey.read())
  await newKey.forget()
  expect(await one.run('select * from ephemeral')).toEqual([])
})
