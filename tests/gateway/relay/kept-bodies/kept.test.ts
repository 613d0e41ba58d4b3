import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatAnswer, chatStream } from '../../../support/chat.ts'
import { dataOf } from '../../../support/client.ts'
import { aCaller } from '../websockets/caller.ts'
import { aKeptFixture, asked, askWith, bodiesOf, idOf, type KeptFixture, keptIn, rowOf } from './kept-fixture.ts'

let fixture: KeptFixture
const ask = (body: unknown, key = fixture.key) => askWith(fixture, key, body)

beforeAll(async () => {
  fixture = await aKeptFixture()
})
beforeEach(() => fixture.world.upstream.reset())

describe('bodies are stored (docs/reference/bodies.md#contents)', () => {
  it('of a token that requires it: both, exactly as sent and received', async () => {
    const body = JSON.stringify(asked('Grüße ✓', { unknown: [1, { a: null }] }), null, 1)
    const answer = await ask(body)
    const kept = dataOf(await bodiesOf(fixture.world.admin, answer))
    expect(kept).toMatchObject({
      request_id: idOf(answer),
      user_id: fixture.alice.id,
      model: 'm',
      path: '/v1/chat/completions',
      is_stream: false,
      status: 200,
      request: { state: 'whole', text: body },
      answer: { state: 'whole', text: answer.text },
      can_replay: true,
    })
    expect(kept.expires_at - kept.created_at).toBe(24 * 3600)
  })

  it('of a stream: as the text that its caller got', async () => {
    fixture.world.upstream.streams(chatStream(['Hel', 'lo ', 'ä']))
    const answer = await ask(asked('stream', { stream: true }))
    const kept = dataOf(await bodiesOf(fixture.world.admin, answer))
    expect(answer.content).toBe('Hello ä')
    expect(kept).toMatchObject({ is_stream: true, answer: { state: 'whole', text: answer.text } })
  })

  it('of a call that failed: with the error that its caller got', async () => {
    fixture.world.upstream.answers({ status: 400, body: { error: { message: 'no such thing', type: 'bad' } } })
    const answer = await ask(asked('fail'))
    const kept = dataOf(await bodiesOf(fixture.world.admin, answer))
    expect([answer.status, kept.status, kept.answer]).toEqual([400, 400, { state: 'whole', text: answer.text }])
    expect((await rowOf(fixture.world.admin, answer)).facts.bodies_kept).toBe(true)
  })

  it('of a stream that breaks off: the received part, and the error sent to the client', async () => {
    fixture.world.upstream.streams(chatStream(['Hel', 'lo']), { cutAfter: 1 })
    const answer = await ask(asked('break', { stream: true }))
    expect(dataOf(await bodiesOf(fixture.world.admin, answer)).answer).toEqual({ state: 'whole', text: answer.text })
  })

  it('of every call over a channel that requires it, by any caller; others leave nothing', async () => {
    const { world, alice } = fixture
    await world.option('ModelRatio', { m: 1, watched: 1 })
    await world.channel({ models: 'watched', setting: JSON.stringify({ keep_bodies: true }) })
    const { key } = await world.token(alice)
    const watched = await ask(asked('hi', { model: 'watched' }), key)
    const plain = await ask(asked('hi'), key)
    expect(dataOf(await bodiesOf(world.admin, watched)).answer.text).toBe(watched.text)
    expect(await bodiesOf(world.admin, plain)).toMatchObject({ success: false })
    const facts = [await rowOf(alice, watched, true), await rowOf(alice, plain, true)].map(
      ({ facts: { bodies_kept } }) => bodies_kept,
    )
    expect(facts, 'whose call it is can tell').toEqual([true, undefined])
  })

  it('of each turn of Responses over a socket', async () => {
    const { world, alice, key } = fixture
    const response = { id: 'resp_1', status: 'completed', output: [], usage: { input_tokens: 7, output_tokens: 3 } }
    const events = ['response.created', 'response.completed'].map((type, sequence_number) =>
      Buffer.from(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, response })}\n\n`),
    )
    world.upstream.streams(events)
    const caller = await aCaller(world, '/v1/responses', alice, { key })
    caller.send({ type: 'response.create', model: 'm', store: false, input: 'over a socket' })
    await caller.gets('response.completed')
    caller.socket.close()
    const [{ other }] = dataOf(await world.admin.get('/api/log')).items
    const kept = dataOf(await world.admin.get(`/api/bodies/${JSON.parse(other).request_id}`))
    expect([kept.path, kept.request.text.includes('over a socket')]).toEqual(['/v1/responses', true])
    expect(kept.answer.text).toContain('event: response.completed')
  })

  it('and a token shows its owner that setting', async () => {
    const { world, alice } = fixture
    const { id, keep_bodies } = await world.token(alice)
    dataOf(await alice.put('/api/token', { id, keep_bodies: true }))
    expect([keep_bodies, dataOf(await alice.get(`/api/token/${id}`)).keep_bodies]).toEqual([false, true])
    dataOf(await alice.put('/api/token', { id, name: 'another' }))
    expect(dataOf(await alice.get(`/api/token/${id}`)).keep_bodies).toBe(true)
  })

  it('with a placeholder for binary content', async () => {
    fixture.world.upstream.answers({
      headers: { 'content-type': 'audio/mpeg' },
      body: Buffer.from([0xff, 0xfb, 0x90, 0xc4]),
    })
    await fixture.world.option('ModelRatio', { m: 1, watched: 1, 'tts-1': 1 })
    await fixture.world.channel({ models: 'tts-1' })
    const spoken = { model: 'tts-1', input: 'hello', voice: 'alloy' }
    const answer = await askWith(fixture, fixture.key, spoken, { path: '/v1/audio/speech' })
    const { request, answer: said } = dataOf(await bodiesOf(fixture.world.admin, answer))
    expect([answer.status, JSON.parse(request.text), said]).toEqual([200, spoken, { state: 'not_text', text: '' }])
  })

  it('without the keys of the caller and the channel, at any position', async () => {
    const { world, key } = fixture
    world.upstream.answers({ body: chatAnswer('your key is upstream-key') })
    const answer = await ask(asked(`my key is sk-${key}`))
    const kept = dataOf(await bodiesOf(world.admin, answer))
    expect(JSON.stringify(kept)).not.toContain(key)
    expect(JSON.stringify(kept)).not.toContain('upstream-key')
    expect(kept.request.text).toContain('my key is sk-***')
  })
})

it('no header and no query of a call is stored, neither of the request nor of the answer (docs/reference/bodies.md#contents)', async () => {
  const { world, key } = fixture
  const canaries = ['asked', 'cookie', 'agent', 'origin', 'query', 'answered', 'set-cookie'].map((of) => `canary-${of}`)
  world.upstream.answers({
    body: chatAnswer('hello'),
    headers: { 'x-vendor': 'canary-answered', 'set-cookie': 'a=canary-set-cookie' },
  })
  const headers = {
    'x-own': 'canary-asked',
    cookie: 'a=canary-cookie',
    'user-agent': 'canary-agent',
    referer: 'https://canary-origin.example/',
  }
  const answer = await askWith(fixture, key, asked('hi'), { path: '/v1/chat/completions?own=canary-query', headers })
  const kept = dataOf(await bodiesOf(world.admin, answer))
  expect([kept.path, kept.answer.text]).toEqual(['/v1/chat/completions', answer.text])
  const { db } = world.gateway.inner
  const row = await db.selectFrom('kept_bodies').selectAll().where('request_id', '=', idOf(answer)).execute()
  expect(row).toHaveLength(1)
  for (const canary of canaries) expect(JSON.stringify([kept, row]), canary).not.toContain(canary)
})

describe('bodies are not stored (docs/reference/bodies.md#contents)', () => {
  it('while the operator does not allow it, which is the default', async () => {
    const { world, alice } = await aKeptFixture({ KeepBodiesEnabled: false })
    const { key } = await world.token(alice, { keep_bodies: true })
    const off = await askWith({ world }, key, asked('hi'))
    expect([await keptIn(world), (await rowOf(world.admin, off)).facts.bodies_kept]).toEqual([0, undefined])
    await world.option('KeepBodiesEnabled', true)
    await askWith({ world }, key, asked('hi'))
    expect(await keptIn(world)).toBe(1)
  })

  it('of calls that leave no row in the log', async () => {
    const { world, key } = fixture
    const before = await keptIn(world)
    await world.option('LogConsumeEnabled', false)
    await ask(asked('unlogged'))
    await world.option('LogConsumeEnabled', true)
    await world.option('ErrorLogEnabled', false)
    world.upstream.answers({ status: 400, body: { error: { message: 'no' } } })
    await ask(asked('unlogged failure'), key)
    await world.option('ErrorLogEnabled', true)
    await bodiesOf(world.admin, await ask('{'))
    expect(await keptIn(world)).toBe(before)
  })

  it('in clear: nothing of them is in any file of the database', async () => {
    const { world } = fixture
    const secret = 'a-very-particular-sentence-of-this-test'
    fixture.world.upstream.answers({ body: chatAnswer(`${secret}-answered`) })
    const answer = await ask(asked(secret))
    expect(dataOf(await bodiesOf(world.admin, answer)).request.text).toContain(secret)
    const row = await world.gateway.inner.db
      .selectFrom('kept_bodies')
      .selectAll()
      .where('request_id', '=', idOf(answer))
      .executeTakeFirstOrThrow()
    for (const sealed of [row.request, row.answer]) {
      expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\./)
      const [, , , body = ''] = sealed.split('.')
      expect(() => gunzipSync(Buffer.from(body, 'base64url'))).toThrow()
    }
    const files = await readdir(world.folder, { recursive: true, withFileTypes: true })
    for (const file of files.filter((entry) => entry.isFile()))
      expect((await readFile(join(file.parentPath, file.name))).includes(secret), file.name).toBe(false)
  })

  it('where the database accepts none: the call continues and is charged as usual', async () => {
    const { world, alice, key } = await aKeptFixture()
    await askWith({ world }, key, asked('first'))
    expect(await keptIn(world)).toBe(1)
    await world.gateway.inner.db.schema.dropTable('kept_bodies').execute()
    const before = await alice.quota()
    const answers = await Promise.all([1, 2, 3].map((n) => askWith({ world }, key, asked(`full ${n}`))))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(before - (await alice.quota())).toBe(45)
  })
})

describe('bodies are bounded (docs/reference/bodies.md#bounds)', () => {
  it('each in its size: a longer one is cut between two characters, and cannot be replayed', async () => {
    const { world, key } = await aKeptFixture({ KeepBodiesLargest: 1 })
    world.upstream.answers({ body: chatAnswer('ä'.repeat(2000)) })
    const body = JSON.stringify(asked('€'.repeat(1000)))
    const answer = await askWith({ world }, key, body)
    const kept = dataOf(await bodiesOf(world.admin, answer))
    expect([kept.request.state, kept.answer.state, kept.can_replay]).toEqual(['cut', 'cut', false])
    expect(body.startsWith(kept.request.text) && answer.text.startsWith(kept.answer.text)).toBe(true)
    for (const { text } of [kept.request, kept.answer]) {
      expect(Buffer.byteLength(text)).toBeGreaterThan(1020)
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024)
    }
    const refused = await world.admin.post(`/api/bodies/${idOf(answer)}/replay`, { channel_id: 1 })
    expect(refused).toMatchObject({
      success: false,
      message: 'The request was not stored completely, so it cannot be replayed',
    })
  })

  it('each within its age: gone for readers at once, and from the database with the job', async () => {
    const { world, key } = await aKeptFixture({ KeepBodiesHours: 2 })
    const old = await askWith({ world }, key, asked('old'))
    world.clock.advance(2 * 3600_000 - 1000)
    const young = await askWith({ world }, key, asked('young'))
    expect((await bodiesOf(world.admin, old)).success).toBe(true)
    world.clock.advance(1000)
    expect((await bodiesOf(world.admin, old)).success).toBe(false)
    expect((await bodiesOf(world.admin, young)).success).toBe(true)
    expect(await keptIn(world)).toBe(2)
    dataOf(await world.admin.post('/api/job/kept-bodies/run'))
    await expect.poll(() => keptIn(world)).toBe(1)
  })

  it('in their total size: the oldest are deleted first, and one larger than the limit is not stored, which is shown', async () => {
    const { world, key } = await aKeptFixture({ KeepBodiesSize: 1, KeepBodiesLargest: 1024 })
    // Random text, which hardly compresses.
    const text = (bytes: number) => randomBytes(bytes / 2).toString('hex')
    const answers = []
    for (let n = 0; n < 4; n += 1) {
      answers.push(await askWith({ world }, key, asked(text(384 * 1024))))
      world.clock.advance(1000)
    }
    const seen = []
    for (const answer of answers) seen.push((await bodiesOf(world.admin, answer)).success)
    expect(seen.at(-1)).toBe(true)
    expect(seen[0]).toBe(false)
    expect(dataOf(await world.admin.get('/api/bodies')).bytes).toBeLessThanOrEqual(1024 * 1024)
    world.upstream.answers({ body: chatAnswer(text(1000 * 1024)) })
    const large = await askWith({ world }, key, asked(text(1000 * 1024)))
    const kept = dataOf(await bodiesOf(world.admin, large))
    expect([kept.request, kept.answer]).toEqual([
      { state: 'too_large', text: '' },
      { state: 'too_large', text: '' },
    ])
    expect(kept.can_replay).toBe(false)
  })

  it('and gone with their rows of the log, their account and by hand', async () => {
    const { world, alice, key } = await aKeptFixture()
    const cleared = await askWith({ world }, key, asked('cleared'))
    await bodiesOf(world.admin, cleared)
    world.clock.advance(10_000)
    const second = await askWith({ world }, key, asked('second'))
    dataOf(await world.admin.delete(`/api/log?target_timestamp=${Math.floor(world.clock.now() / 1000) - 5}`))
    expect([(await bodiesOf(world.admin, cleared)).success, (await bodiesOf(world.admin, second)).success]).toEqual([
      false,
      true,
    ])
    dataOf(await world.admin.delete(`/api/bodies/${idOf(second)}`))
    expect(await keptIn(world)).toBe(0)
    await askWith({ world }, key, asked('third'))
    await askWith({ world }, key, asked('fourth'))
    expect(dataOf(await world.admin.delete('/api/bodies'))).toBe(2)
    expect(await keptIn(world)).toBe(0)
    const last = await askWith({ world }, key, asked('last'))
    await bodiesOf(world.admin, last)
    dataOf(await world.admin.delete(`/api/user/${alice.id}`))
    dataOf(await world.admin.post('/api/job/kept-bodies/run'))
    await expect.poll(() => keptIn(world)).toBe(0)
  })
})
