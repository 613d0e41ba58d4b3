import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Run } from '../../../../shared/api/channel-runs.ts'
import { chatAnswer } from '../../../support/chat.ts'
import { dataOf } from '../../../support/client.ts'
import type { Recorded, Script } from '../../../support/upstream.ts'
import { aWorld, type World } from '../../../support/world.ts'
import { runOf, runOver, runsOf, until } from './run-watch.ts'

let world: World
beforeAll(async () => {
  world = await aWorld({ options: { AutomaticDisableChannelEnabled: true, ChannelDisableThreshold: 0 } })
})
beforeEach(async () => {
  for (const kind of ['test', 'balance'])
    await until(async () => (await runs()).find((run) => run.kind === kind)?.ended_at !== 0)
  world.upstream.reset()
  await world.gateway.inner.db.deleteFrom('channels').execute()
  await world.gateway.inner.registry.reload()
})

const runs = () => runsOf(world)
const run = (kind: Run['kind']) => runOf(world, kind)
const over = (kind: Run['kind']) => runOver(world, kind)
const statusOf = async (id: number) => dataOf(await world.admin.get(`/api/channel/${id}`)).status

/** A vendor that responds only when it is released, and counts waiting requests. */
function aGate(answer: (asked: Recorded) => Script) {
  const waiting: (() => void)[] = []
  let isOpen = false
  let max = 0
  return {
    answering: async (asked: Recorded): Promise<Script> => {
      if (!isOpen) {
        const let_through = new Promise<void>((resolve) => waiting.push(resolve))
        max = Math.max(max, waiting.length)
        await let_through
      }
      return answer(asked)
    },
    /** Releases the request that has waited longest. */
    one: () => waiting.shift()?.(),
    open() {
      isOpen = true
      for (const go of waiting.splice(0)) go()
    },
    max: () => max,
  }
}

const good = (): Script => ({ body: chatAnswer('Hello') })
const manyChannels = async (count: number, fields: object = {}) => {
  const ids = []
  for (let n = 1; n <= count; n += 1) ids.push(await world.channel({ name: `channel ${n}`, ...fields }))
  return ids
}

describe('a test of all channels', () => {
  it('tests four at once, reports its progress, and can be stopped', async () => {
    const gate = aGate(good)
    world.upstream.answers(gate.answering)
    await manyChannels(10)
    dataOf(await world.admin.get('/api/channel/test'))
    await until(() => world.upstream.requests.length === 4)
    expect(await run('test')).toMatchObject({ state: 'running', total: 10, items: [], ended_at: 0 })

    gate.one()
    await until(() => world.upstream.requests.length === 5)
    const [item] = (await run('test')).items
    expect(item).toMatchObject({ name: expect.stringMatching(/^channel \d$/), ok: true, message: '', switched: '' })

    dataOf(await world.admin.delete('/api/channel/runs/test'))
    expect(await run('test')).toMatchObject({ state: 'cancelling', total: 10, ended_at: 0 })
    gate.open()
    const ended = await over('test')
    expect(ended).toMatchObject({ state: 'cancelled', total: 10 })
    expect([ended.items.length, world.upstream.requests.length, gate.max()]).toEqual([5, 5, 4])
  })

  it('is refused while another is running, in the language of the caller', async () => {
    const gate = aGate(good)
    world.upstream.answers(gate.answering)
    await manyChannels(1)
    dataOf(await world.admin.get('/api/channel/test'))
    const second = await world.admin.get('/api/channel/test')
    expect([second.success, second.message]).toEqual([false, 'A channel test is already running'])
    const headers = { ...world.admin.identity(), 'accept-language': 'zh-CN' }
    const chinese = await fetch(`${world.url}/api/channel/test`, { headers })
    expect(await chinese.json()).toMatchObject({ success: false, message: '测试任务正在进行' })
    gate.open()
    expect(await over('test')).toMatchObject({ state: 'done', total: 1 })
    dataOf(await world.admin.get('/api/channel/test'))
    expect((await over('test')).state).toBe('done')
  })

  it('disables dead channels, and enables those that the system had disabled and that work again', async () => {
    await world.option('AutomaticEnableChannelEnabled', true)
    const dead = { status: 401, body: { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } } }
    world.upstream.answers(({ headers }) => (headers.authorization === 'Bearer dead' ? dead : good()))
    const [works, fails, kept, back, byHand] = [
      await world.channel({ name: 'works' }),
      await world.channel({ name: 'fails', key: 'dead' }),
      await world.channel({ name: 'kept', key: 'dead', auto_ban: 0 }),
      await world.channel({ name: 'back' }),
      await world.channel({ name: 'by hand' }),
    ]
    await world.admin.put('/api/channel', { id: byHand, status: 2 })
    await world.gateway.inner.db.updateTable('channels').set({ status: 3 }).where('id', '=', back).execute()
    await world.gateway.inner.registry.reload()
    dataOf(await world.admin.get('/api/channel/test/'))
    const { items, total } = await over('test')
    expect(total).toBe(4)
    const told = Object.fromEntries(items.map(({ name, ok, message, switched }) => [name, [ok, message, switched]]))
    const refused = 'status code 401: Incorrect API key provided'
    expect(told).toEqual({
      works: [true, '', ''],
      fails: [false, refused, 'off'],
      kept: [false, refused, ''],
      back: [true, '', 'on'],
    })
    const ids = [works, fails, kept, back, byHand]
    expect(await Promise.all(ids.map(statusOf))).toEqual([1, 3, 1, 1, 2])
    await world.option('AutomaticEnableChannelEnabled', false)
  })

  it('of several keys switches off the one that fails, and not the channel', async () => {
    const dead = { status: 401, body: { error: { message: 'wrong key', code: 'invalid_api_key' } } }
    world.upstream.answers(({ headers }) => (headers.authorization === 'Bearer dead' ? dead : good()))
    const id = await world.channel({ key: 'dead\nalive', key_mode: 'pool' })
    dataOf(await world.admin.get('/api/channel/test'))
    expect((await over('test')).items).toMatchObject([{ channel_id: id, ok: false, switched: '' }])
    dataOf(await world.admin.get('/api/channel/test'))
    expect((await over('test')).items).toMatchObject([{ channel_id: id, ok: true, switched: '' }])
  })

  it('waits POLLING_INTERVAL between two channels, unless it is stopped', async () => {
    const patient = await aWorld({ config: { POLLING_INTERVAL: '3600' } })
    for (const name of ['first', 'second']) await patient.channel({ name })
    dataOf(await patient.admin.get('/api/channel/test'))
    await until(async () => (await runOf(patient, 'test')).items.length === 1)
    expect(await runOf(patient, 'test')).toMatchObject({ state: 'running', total: 2 })
    dataOf(await patient.admin.delete('/api/channel/runs/test'))
    expect(await runOver(patient, 'test')).toMatchObject({ state: 'cancelled', total: 2 })
    expect(patient.upstream.requests).toHaveLength(1)
  })

  it('can be seen and stopped only by administrators', async () => {
    const person = await world.user()
    expect((await person.get('/api/channel/runs')).success).toBe(false)
    expect((await person.delete('/api/channel/runs/test')).success).toBe(false)
  })

  it('cannot be stopped where none is running', async () => {
    const before = await runs()
    expect(await world.admin.delete('/api/channel/runs/test')).toMatchObject({ success: true, data: null })
    expect((await world.admin.delete('/api/channel/runs/nonsense')).success).toBe(false)
    expect(await runs()).toEqual(before)
  })
})

describe('an update of all balances', () => {
  const credits = (left: number) => ({ body: { data: { total_credits: left, total_usage: 0 } } })
  const byKey = ({ headers }: Recorded): Script => {
    const left = Number(headers.authorization?.replace('Bearer left-', ''))
    return Number.isNaN(left) ? { status: 500, body: { error: 'no' } } : credits(left)
  }

  it('reports what remains, what failed, and what it disabled', async () => {
    world.upstream.answers(byKey)
    const rich = await world.channel({ type: 20, name: 'rich', key: 'left-12.5' })
    const empty = await world.channel({ type: 20, name: 'empty', key: 'left-0' })
    const kept = await world.channel({ type: 20, name: 'kept', key: 'left-0', auto_ban: 0 })
    await world.channel({ type: 20, name: 'broken', key: 'other' })
    await world.channel({ type: 14, name: 'knows none' })
    const off = await world.channel({ type: 20, name: 'off', key: 'left-3' })
    await world.admin.put('/api/channel', { id: off, status: 2 })
    dataOf(await world.admin.get('/api/channel/update_balance'))
    const { state, total, items } = await over('balance')
    expect([state, total]).toEqual(['done', 4])
    expect(items.map(({ name, ok, balance, switched }) => [name, ok, balance, switched])).toEqual([
      ['rich', true, 12.5, ''],
      ['empty', true, 0, 'off'],
      ['kept', true, 0, ''],
      ['broken', false, null, ''],
    ])
    expect(items[3]?.message).toBe('The upstream service responded with status 500.')
    expect(await Promise.all([rich, empty, kept].map(statusOf))).toEqual([1, 3, 1])
    const { other_info, balance } = dataOf(await world.admin.get(`/api/channel/${empty}`))
    expect([JSON.parse(other_info).status_reason, balance]).toEqual(['Balance exhausted: 0.00 USD left', 0])
  })

  it('switches nothing off while the option is off', async () => {
    world.upstream.answers(byKey)
    const empty = await world.channel({ type: 20, name: 'empty', key: 'left-0' })
    await world.option('AutomaticDisableChannelEnabled', false)
    dataOf(await world.admin.get('/api/channel/update_balance'))
    expect((await over('balance')).items).toMatchObject([{ balance: 0, switched: '' }])
    expect(await statusOf(empty)).toBe(1)
    await world.option('AutomaticDisableChannelEnabled', true)
  })

  it('tests one channel at a time during a test, can be stopped, and refuses a second', async () => {
    const gate = aGate(({ path }) => (path === '/v1/credits' ? credits(1) : good()))
    world.upstream.answers(gate.answering)
    await manyChannels(3, { type: 20, key: 'left-1' })
    dataOf(await world.admin.get('/api/channel/update_balance'))
    await until(() => world.upstream.requests.length === 1)
    const second = await world.admin.get('/api/channel/update_balance')
    expect([second.success, second.message]).toEqual([false, 'A balance update is already running'])
    dataOf(await world.admin.delete('/api/channel/runs/balance'))
    dataOf(await world.admin.get('/api/channel/test'))
    expect((await runs()).map(({ kind }) => kind)).toEqual(['test', 'balance'])
    gate.open()
    expect(await over('balance')).toMatchObject({ state: 'cancelled', total: 3, items: [{ ok: true, balance: 1 }] })
    expect(await over('test')).toMatchObject({ state: 'done', total: 3 })
  })
})
