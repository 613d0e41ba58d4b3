import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { silentLogger } from '../../../gateway/base/log/logger.ts'
import type { NewLog } from '../../../gateway/store/schema/schema.ts'
import { dataOf } from '../../support/client.ts'
import { aClock } from '../../support/clock.ts'
import { aWorld, type World } from '../../support/world.ts'

const NOW = 1_750_000_000
let world: World
const faults: string[] = []
beforeAll(async () => {
  world = await aWorld({
    clock: aClock(NOW * 1000),
    log: { ...silentLogger, error: (message) => void faults.push(message) },
  })
})
beforeEach(async () => {
  await world.gateway.inner.ledger.flush()
  await world.gateway.inner.db.deleteFrom('logs').execute()
})

describe('a long log', () => {
  it('counts to 10,000 and reports that there are more; the last page has the exact count', async () => {
    await fill(10_001)
    const page = async (query: string) => dataOf(await world.admin.get(`/api/log?${query}`))
    expect(await page('p=1')).toMatchObject({ total: 10_000, has_more: true })
    expect(await page('p=2&page_size=100')).toMatchObject({ total: 10_000, has_more: true })
    expect(await page('p=1000&page_size=10')).toMatchObject({ total: 10_000, has_more: true })
    expect(await page('p=1001&page_size=10')).toMatchObject({ total: 10_001, has_more: false, items: [{}] })
    expect(await page('p=9000&page_size=10')).toMatchObject({ total: 10_000, has_more: true, items: [] })
    expect(await page('p=1&type=5')).toMatchObject({ total: 0, has_more: false })
  })

  it('continues where the previous page ended, no matter what arrives meanwhile', async () => {
    for (const n of [1, 2, 3, 4, 5]) note({ content: `row ${n}` })
    const page = async (p: number, query = '') =>
      contentsOf(dataOf(await world.admin.get(`/api/log?page_size=2&p=${p}${query}`)))
    expect(await page(1)).toEqual(['row 5', 'row 4'])
    note({ content: 'row 6' })
    expect(await page(2)).toEqual(['row 3', 'row 2'])
    expect(await page(3)).toEqual(['row 1'])
    expect(await page(2)).toEqual(['row 3', 'row 2'])
    expect(await page(2, '&type=2')).toEqual(['row 4', 'row 3'])
    expect(await page(1)).toEqual(['row 6', 'row 5'])
    expect(await page(2)).toEqual(['row 4', 'row 3'])
    world.clock.advance(120_001)
    note({ content: 'row 7' })
    expect(await page(2)).toEqual(['row 5', 'row 4'])
  })

  it('is not read for a client that has hung up, which is not a fault', async () => {
    const { ledger } = world.gateway.inner
    const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const flush = vi.spyOn(ledger, 'flush').mockImplementationOnce(() => {
      reached.resolve()
      return gate.promise
    })
    const hungUp = new AbortController()
    const call = { headers: world.admin.identity(), signal: hungUp.signal }
    const asked = fetch(`${world.url}/api/log`, call).catch(() => 'gone')
    await reached.promise
    hungUp.abort()
    expect(await asked).toBe('gone')
    for (const _ of [1, 2, 3]) dataOf(await world.admin.get('/api/log'))
    gate.resolve()
    for (const _ of [1, 2, 3]) dataOf(await world.admin.get('/api/log'))
    expect(flush).toHaveBeenCalledTimes(7)
    expect(faults).toEqual([])
  })
})

const contentsOf = ({ items }: { items: { content: string }[] }) => items.map(({ content }) => content)

/** Inserts rows directly, many at once. */
async function fill(count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, at) => ({ user_id: 99, created_at: NOW, type: 2, content: `${at}` }))
  for (let from = 0; from < count; from += 1000)
    await world.gateway.inner.db
      .insertInto('logs')
      .values(rows.slice(from, from + 1000))
      .execute()
}

const note = (fields: Partial<NewLog>) =>
  world.gateway.inner.auditLog.record({ user_id: 99, created_at: NOW, type: 2, ...fields })
