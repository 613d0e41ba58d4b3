import { describe, expect, it } from 'vitest'
import { dataOf } from '../../support/client.ts'
import { reconcile } from '../../support/reconcile.ts'
import { siblingDatabase } from '../../support/sibling-database.ts'
import { aWorld, type World } from '../../support/world.ts'
import { importing } from './importing.ts'

const users = Array.from({ length: 3000 }, (_, index) => ({
  id: index + 1,
  username: `old${index}`,
  password: '',
  quota: index,
  used_quota: index,
  aff_code: `c${index}`,
}))
const counted = async ({ gateway }: World) => (await gateway.inner.db.selectFrom('users').select('id').execute()).length

describe('an import while requests are relayed', () => {
  it('lets requests be answered and charged meanwhile, and the books agree', async () => {
    const world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 } } })
    await world.channel()
    const alice = await world.user({ quota: 1_000_000 })
    await alice.asks('gpt-4o', 'hi')
    const { checked, over, state } = importing(world)
    const { report } = await checked(await siblingDatabase('new-api', { users }))
    dataOf(await world.admin.post('/api/import/confirm', { report: report?.id }))
    let answered = 1
    let busy = 0
    do {
      busy += Number((await state()).stage === 'writing')
      expect((await alice.asks('gpt-4o', 'hi')).status).toBe(200)
      answered += 1
    } while ((await state()).stage === 'writing')
    expect(busy, 'it was under way').toBeGreaterThan(0)
    expect((await over()).stage).toBe('done')
    await world.gateway.inner.ledger.flush()
    const { request_count } = await world.gateway.inner.db
      .selectFrom('users')
      .select('request_count')
      .where('id', '=', alice.id)
      .executeTakeFirstOrThrow()
    expect(request_count).toBe(answered)
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
  })

  it('is undone as a whole where it is cancelled, and another one is refused meanwhile', async () => {
    const world = await aWorld()
    const { checked, state, upload } = importing(world)
    const bytes = await siblingDatabase('new-api', { users })
    const { report } = await checked(bytes)
    dataOf(await world.admin.post('/api/import/confirm', { report: report?.id }))
    expect((await upload(bytes)).body.message).toMatch(/already in progress/)
    expect((await world.admin.post('/api/import/check', {})).message).toMatch(/already in progress/)
    dataOf(await world.admin.delete('/api/import'))
    expect(await state()).toMatchObject({ stage: 'empty', file: null, report: null })
    // A cancellation after the last row comes too late: then everything has been imported.
    expect([1, users.length + 1]).toContain(await counted(world))
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
  })
})
