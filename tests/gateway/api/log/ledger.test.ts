import { beforeAll, describe, expect, it } from 'vitest'
import type { Notice } from '../../../../gateway/notify/notice.ts'
import { dataOf } from '../../../support/client.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'

describe('the ledger check over HTTP', () => {
  let world: World
  let alice: Person
  const notices: string[] = []
  beforeAll(async () => {
    const onNotice = ({ username }: Readonly<{ username: string }>, { type }: Notice) =>
      notices.push(`${type} to ${username}`)
    world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 } }, onNotice })
    await world.channel()
    alice = await world.user({ quota: 1_000_000, username: 'alice' })
    for (let turn = 0; turn < 5; turn += 1) expect((await alice.asks('gpt-4o', 'hi')).status).toBe(200)
    await world.gateway.inner.ledger.flush()
  })

  const state = async () => dataOf(await world.admin.get('/api/ledger'))
  const isBusy = ({ running, is_cleaning }: Awaited<ReturnType<typeof state>>) => running !== null || is_cleaning
  const over = async () => {
    await expect.poll(async () => isBusy(await state())).toBe(false)
    return state()
  }
  const verified = async (scope: 'new' | 'all') => {
    dataOf(await world.admin.post('/api/ledger/check', { scope }))
    return over()
  }

  it('reports what was compared, when and for whom', async () => {
    expect((await state()).checks).toMatchObject([{ scope: 'new', started_by: 'start', differences: 0 }])
    const { checks, differences } = await verified('all')
    expect(checks[0]).toMatchObject({ scope: 'all', started_by: 'user', username: 'root', state: 'done' })
    // Accounts: users root and alice, a token and a channel. Rows: two grants and five requests.
    expect(checks[0]).toMatchObject({ ledger_rows: 7, accounts: 4, differences: 0 })
    expect(differences).toEqual([])
  })

  it('reports a difference to root with both figures, shows it until it is acknowledged, and changes nothing', async () => {
    const { db } = world.gateway.inner
    const before = await alice.quota()
    await db
      .updateTable('users')
      .set({ quota: before + 11 })
      .where('id', '=', alice.id)
      .execute()
    const { differences, checks } = await verified('new')
    expect(checks[0]).toMatchObject({ differences: 1 })
    expect(differences).toMatchObject([
      {
        account: 'user',
        account_id: alice.id,
        name: 'alice',
        column: 'quota',
        recorded: `${before + 11}`,
        summed: `${before}`,
      },
    ])
    expect(dataOf(await world.admin.get('/api/log?type=4')).items[0].content).toContain(`user #${alice.id}, quota`)
    expect(notices).toEqual(['ledger_differences to root'])
    const path = `/api/ledger/difference/${differences[0].id}`
    expect(await world.admin.post(path, {})).toMatchObject({ body: { success: true } })
    expect((await world.admin.post(path, {})).body.success).toBe(false)
    expect((await state()).differences).toEqual([])
    expect(await alice.quota()).toBe(before + 11)
    expect(dataOf(await world.admin.get('/api/log?type=3')).items[0].content).toContain('quota')
    await db.updateTable('users').set({ quota: before }).where('id', '=', alice.id).execute()
  })

  it('removes rows past their retention, and the ledger still adds up', async () => {
    const { db } = world.gateway.inner
    const longAgo = { created_at: 1_600_000_000 }
    await db.updateTable('ledger').set(longAgo).where('kind', '=', 'consume').execute()
    await db.updateTable('logs').set(longAgo).where('type', '=', 2).execute()
    await alice.asks('gpt-4o', 'hi')
    await world.gateway.inner.ledger.flush()
    await verified('new')
    dataOf(await world.admin.post('/api/ledger/cleanup', {}))
    const { cleanup } = await over()
    expect(cleanup).toMatchObject({ ledger: 5 })
    expect(cleanup.logs).toBeGreaterThanOrEqual(5)
    expect((await verified('all')).checks[0]).toMatchObject({ ledger_rows: 3, differences: 0 })
  })

  it('is for administrators', async () => {
    const bob = await world.user()
    for (const answer of [
      await bob.get('/api/ledger'),
      await bob.post('/api/ledger/check', { scope: 'new' }),
      await bob.post('/api/ledger/cleanup', {}),
    ])
      expect(answer.body.success).toBe(false)
    expect((await world.visitor.get('/api/ledger')).status).toBe(401)
  })
})
