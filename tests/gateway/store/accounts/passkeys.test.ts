import { beforeEach, expect, it } from 'vitest'
import { passkeyStore } from '../../../../gateway/store/accounts/passkeys.ts'
import { onEachDatabase } from '../../../support/databases.ts'

onEachDatabase('the table of passkeys (docs/reference/accounts.md#passkeys)', (db) => {
  const keys = () => passkeyStore(db())
  const add = (credential_id: string, user_id = 1, rp_id = 'gateway.example') =>
    keys().add({
      credential_id,
      user_id,
      user_handle: 'handle',
      name: 'Phone',
      public_key: 'key',
      counter: 0,
      transports: 'internal',
      rp_id,
      backed_up: 0,
      created_at: 1_700_000_000,
      last_used_at: null,
    })
  const use = (id: number, counter: number) => keys().use(id, { counter, backed_up: 1, last_used_at: 1_700_000_001 })
  beforeEach(async () => void (await db().deleteFrom('passkeys').execute()))

  it('stores each credential once, and finds it only at its host name', async () => {
    const id = await add('one')
    expect(await add('one', 2)).toBeUndefined()
    expect(await keys().byCredential('one', 'gateway.example')).toMatchObject({ id, user_id: 1, counter: 0 })
    expect(await keys().byCredential('one', 'other.example')).toBeUndefined()
    expect(await keys().countOf(2)).toBe(0)
  })

  it('accepts a counter above the last one, and 0 from a device that does not count', async () => {
    const id = (await add('one')) ?? 0
    expect(await use(id, 0)).toBe(true)
    expect(await use(id, 0)).toBe(true)
    expect(await use(id, 4_294_967_295)).toBe(true)
    for (const counter of [4_294_967_295, 5, 0]) expect(await use(id, counter), String(counter)).toBe(false)
    expect(await keys().one(1, id)).toMatchObject({ backed_up: 1, last_used_at: 1_700_000_001 })
  })

  it('renames only the account’s own, and removes all of an account', async () => {
    const id = (await add('one')) ?? 0
    await add('two')
    await add('three', 2)
    expect(await keys().rename(2, id, 'Mine')).toBe(false)
    expect(await keys().rename(1, id, 'Old phone')).toBe(true)
    expect((await keys().listOf(1)).map(({ name }) => name)).toEqual(['Old phone', 'Phone'])
    expect(await keys().removeOf(1)).toBe(2)
    expect([await keys().countOf(1), await keys().countOf(2)]).toEqual([0, 1])
  })
})
