import { beforeEach, expect, it } from 'vitest'
import type { RowSize } from '../../../../gateway/base/row-steps.ts'
import { type NewTokenRow, tokenStore } from '../../../../gateway/store/accounts/tokens.ts'
import { onEachDatabase } from '../../../support/databases.ts'

const newToken = (name: string, fields: Partial<NewTokenRow> = {}): NewTokenRow => ({
  user_id: 1,
  key_hash: `hash of ${name}`,
  key: 'sealed',
  name,
  created_time: 1_700_000_000,
  ...fields,
})

onEachDatabase('the tokens table', (db) => {
  const store = () => tokenStore(db())
  beforeEach(() => db().deleteFrom('tokens').execute())
  const namesOf = async (sizes: readonly RowSize[]) => {
    const rows = await store().ofUser(1, [0, ...sizes.map(({ id }) => id)])
    return sizes.map(({ id }) => rows.find((row) => row.id === id)?.name)
  }

  it('answers the newest first, page by page, and counts only the owner’s', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await store().insert(newToken(name))
    await store().insert(newToken('of another', { user_id: 2 }))
    const names = async (offset: number) => namesOf(await store().sizes(1, { offset, limit: 2 }))
    expect([await names(0), await names(2), await names(4), await names(6)]).toEqual([
      ['e', 'd'],
      ['c', 'b'],
      ['a'],
      [],
    ])
    expect(await store().count(1)).toBe(5)
  })

  it('finds a part of a name in any case, with the wildcards of LIKE taken literally', async () => {
    for (const name of ['Alpha', 'alphabet', '100%', 'under_score', 'underXscore', 'Ägypten 数'])
      await store().insert(newToken(name))
    const found = async (part: string) => namesOf(await store().namedSizes(1, { part, limit: 10 }))
    expect(await found('ALPHA')).toEqual(['alphabet', 'Alpha'])
    expect(await found('%')).toEqual(['100%'])
    expect(await found('r_s')).toEqual(['under_score'])
    expect(await found('Ägyp')).toEqual(['Ägypten 数'])
    expect(await found('数')).toEqual(['Ägypten 数'])
    expect(await found('')).toHaveLength(6)
    expect(await store().namedSizes(1, { part: '', limit: 2 })).toHaveLength(2)
  })

  it('never returns a token of another user or a deleted one', async () => {
    const id = await store().insert(newToken('mine'))
    expect(await store().one(2, id)).toBeUndefined()
    expect(await store().remove(2, id, 1_700_000_001)).toBe(false)
    expect((await store().byKeyHash('hash of mine'))?.id).toBe(id)

    expect(await store().remove(1, id, 1_700_000_001)).toBe(true)
    expect(await store().remove(1, id, 1_700_000_002)).toBe(false)
    expect(await store().one(1, id)).toBeUndefined()
    expect(await store().byKeyHash('hash of mine')).toBeUndefined()
    expect(await store().count(1)).toBe(0)
    expect(await store().sizes(1, { offset: 0, limit: 10 })).toEqual([])
  })

  it('treats the hash of a deleted key as taken', async () => {
    const id = await store().insert(newToken('gone'))
    await store().remove(1, id, 1)
    await expect(store().insert(newToken('gone'))).rejects.toThrow()
  })

  it('writes zero and empty values like any others, and nothing beyond the patch', async () => {
    const id = await store().insert(newToken('full', { group: 'vip', model_limits: 'gpt-4o', model_limits_enabled: 1 }))
    await store().update(1, id, { group: '', model_limits_enabled: 0 })
    await store().update(1, id, {})
    await store().update(2, id, { name: 'taken over' })
    expect(await store().one(1, id)).toMatchObject({
      name: 'full',
      group: '',
      model_limits: 'gpt-4o',
      model_limits_enabled: 0,
      expired_time: -1,
      remain_quota: 0,
      deleted_at: null,
    })
  })

  it('stores model lists far beyond 1024 characters completely', async () => {
    const models = Array.from({ length: 2000 }, (_, index) => `model-number-${index}`).join(',')
    const id = await store().insert(newToken('long', { model_limits: models }))
    expect((await store().one(1, id))?.model_limits).toBe(models)
  })
})
