import { request as ask } from 'node:http'
import { describe, expect, it } from 'vitest'
import { chatAnswer, chatStream } from '../../../support/chat.ts'
import { dataOf } from '../../../support/client.ts'
import { geminiAnswer, geminiStream } from '../../../support/gemini.ts'
import { anUpstream, type Script } from '../../../support/upstream.ts'
import type { Person } from '../../../support/world.ts'
import { aKeptFixture, asked, askWith, bodiesOf, idOf, type KeptFixture, rowOf } from './kept-fixture.ts'

/** A fixture with a second channel, which has its own vendor. */
async function twoChannels(options = {}) {
  const fixture = await aKeptFixture(options)
  const other = await anUpstream()
  const otherId = await fixture.world.channel({
    models: 'm,gemini-m',
    base_url: other.url,
    key: 'other-key',
    priority: -1,
  })
  return { ...fixture, other, otherId }
}

const replay = (who: Pick<Person, 'post'>, id: string, channel_id: number) =>
  who.post(`/api/bodies/${id}/replay`, { channel_id })

const rowsIn = async ({ world }: Pick<KeptFixture, 'world'>): Promise<number> => {
  await world.gateway.inner.ledger.flush()
  const { n } = await world.gateway.inner.db
    .selectFrom('logs')
    .where('type', '=', 2)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

describe('a replay (docs/reference/bodies.md#replay)', () => {
  it('is the exact request over the chosen channel, charged once, to the user who starts it', async () => {
    const { world, alice, key, other, otherId } = await twoChannels()
    other.answers({ body: chatAnswer('another answer', { prompt: 20, completion: 3 }) })
    const body = JSON.stringify(asked('compare', { temperature: 0.5, unknown: { kept: true } }))
    const first = await askWith({ world }, key, body)
    const boss = await world.user({ role: 10, quota: 100_000_000 })
    const [hers, bosses] = [await alice.quota(), await boss.quota()]
    const done = dataOf(await replay(boss, idOf(first), otherId))
    expect(done).toMatchObject({ channel_id: otherId, status: 200, prompt_tokens: 20, completion_tokens: 3, quota: 23 })
    expect(JSON.parse(done.answer.text).choices[0].message.content).toBe('another answer')
    expect([world.upstream.requests.length, other.requests.length, other.last().text]).toEqual([1, 1, body])
    expect(other.last().headers.authorization).toBe('Bearer other-key')
    expect([hers - (await alice.quota()), bosses - (await boss.quota())]).toEqual([0, 23])
    expect(await rowsIn({ world })).toBe(2)
    const { items } = dataOf(await world.admin.get(`/api/log?request_id=${done.request_id}`))
    expect(items[0]).toMatchObject({ user_id: boss.id, token_id: 0, token_name: 'replay-default', quota: 23 })
  })

  it('of a stream is a stream, as the text that its caller would get', async () => {
    const { world, key, other, otherId } = await twoChannels()
    other.streams(chatStream(['an', 'other']))
    const first = await askWith({ world }, key, asked('compare', { stream: true }))
    await world.gateway.inner.ledger.move({ kind: 'grant', userId: 1, amount: 1000, refType: 'test', refId: 'replay' })
    const done = dataOf(await replay(world.admin, idOf(first), otherId))
    expect(done.answer.state).toBe('whole')
    expect(done.answer.text).toContain('data: ')
    expect(done.answer.text).toContain('[DONE]')
  })

  it('preserves the path that names the model, and no key in its query', async () => {
    const { world, key } = await twoChannels()
    await world.option('ModelRatio', { m: 1, 'gemini-m': 1 })
    const channelId = await world.channel({ models: 'gemini-m', type: 24, priority: 9 })
    world.upstream.answers({ events: geminiStream({ texts: ['one'] }) }, { body: geminiAnswer({ texts: ['two'] }) })
    const path = `/v1beta/models/gemini-m:streamGenerateContent?alt=sse&key=${key}`
    const body = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }
    const first = await askWith({ world }, key, body, { path })
    const kept = dataOf(await bodiesOf(world.admin, first))
    expect(kept.path).toBe('/v1beta/models/gemini-m:streamGenerateContent?alt=sse')
    world.upstream.reset()
    world.upstream.streams(geminiStream({ texts: ['again'] }))
    const done = dataOf(await replay(world.admin, idOf(first), channelId))
    expect([done.status, done.answer.text.includes('again')]).toEqual([200, true])
  })

  it('reports a refusal of the relay or a failure of the vendor, charged nothing', async () => {
    const { world, key, other, otherId } = await twoChannels()
    const first = await askWith({ world }, key, asked('compare'))
    const poor = await world.user({ role: 10 })
    expect(dataOf(await replay(poor, idOf(first), otherId))).toMatchObject({ status: 403, quota: 0 })
    const boss = await world.user({ role: 10, quota: 1000 })
    other.answers({ status: 500, body: { error: { message: 'broken' } } })
    const failed = dataOf(await replay(boss, idOf(first), otherId))
    expect([failed.status >= 500, failed.quota, failed.answer.text.includes('error')]).toEqual([true, 0, true])
    expect([await boss.quota(), await rowsIn({ world })]).toEqual([1000, 1])
  })

  it('refuses a channel that is off, that does not exist or that does not offer the model, before any request', async () => {
    const { world, key, other, otherId } = await twoChannels()
    const first = await askWith({ world }, key, asked('compare'))
    const foreign = await world.channel({ models: 'n', base_url: other.url })
    dataOf(await world.admin.put('/api/channel', { id: otherId, status: 2 }))
    const said = []
    for (const id of [otherId, 9999, foreign]) said.push((await replay(world.admin, idOf(first), id)).message)
    expect(said).toEqual([
      expect.stringContaining('disabled'),
      expect.stringContaining('channel'),
      'Channel upstream does not offer m',
    ])
    expect(other.requests).toHaveLength(0)
    expect(await rowsIn({ world })).toBe(1)
  })

  it('is for administrators who may look and have signed in', async () => {
    const { world, alice, key, otherId } = await twoChannels({ KeepBodiesViewers: 'owner' })
    const first = await askWith({ world }, key, asked('mine'))
    expect(dataOf(await bodiesOf(alice, first)).can_replay).toBe(false)
    expect((await replay(alice, idOf(first), otherId)).success).toBe(false)
    await world.option('KeepBodiesViewers', 'root')
    const boss = await world.user({ role: 10, quota: 1000 })
    expect((await replay(boss, idOf(first), otherId)).message).toBe(
      'You do not have permission to view stored requests and responses',
    )
    const { data: token } = await world.admin.get('/api/user/token')
    const headers = { authorization: token, 'new-api-user': '1', 'content-type': 'application/json' }
    const url = `${world.url}/api/bodies/${idOf(first)}/replay`
    const program = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ channel_id: otherId }) })
    expect(await program.json()).toMatchObject({ success: false })
    expect(world.upstream.requests).toHaveLength(1)
  })

  it('is paid for by an administrator who leaves, like any call', async () => {
    const { world, key, other, otherId } = await twoChannels()
    const first = await askWith({ world }, key, asked('compare'))
    const { promise, resolve } = Promise.withResolvers<Script>()
    other.answers(() => promise)
    const boss = await world.user({ role: 10, quota: 1000 })
    const sent = ask(`${world.url}/api/bodies/${idOf(first)}/replay`, {
      method: 'POST',
      headers: { ...boss.identity(), 'content-type': 'application/json' },
    })
    sent.on('error', () => {})
    sent.end(JSON.stringify({ channel_id: otherId }))
    await expect.poll(() => other.requests.length).toBe(1)
    sent.destroy()
    resolve({ body: chatAnswer('Hello', { prompt: 70, completion: 30 }) })
    await expect.poll(() => boss.quota()).toBeLessThan(1000)
    expect(await other.last().aborted).toBe(false)
  })

  it('has its bodies stored where its channel requires that', async () => {
    const { world, key, other } = await twoChannels()
    const first = await askWith({ world }, key, asked('compare'))
    const watching = await world.channel({
      models: 'm',
      base_url: other.url,
      setting: JSON.stringify({ keep_bodies: true }),
    })
    const boss = await world.user({ role: 10, quota: 1000 })
    const { request_id, answer } = dataOf(await replay(boss, idOf(first), watching))
    const kept = dataOf(await world.admin.get(`/api/bodies/${request_id}`))
    expect([kept.user_id, kept.answer]).toEqual([boss.id, answer])
    expect((await rowOf(world.admin, first)).facts.bodies_kept).toBe(true)
  })
})
