import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Ledger } from '../../../../gateway/billing/ledger.ts'
import { ownState, type SharedState } from '../../../../gateway/shared-state/shared-state.ts'
import type { Store } from '../../../../gateway/store/store.ts'
import { aClock, type MovableClock } from '../../../support/clock.ts'
import { onTheWire } from '../delivery/wire.ts'
import {
  aDrawingFixture,
  aMusicFixture,
  booksOf,
  drawingsIn,
  GIVEN,
  gets,
  IMAGINE,
  notices,
  tasksIn,
} from './drawing-fixture.ts'

const NOTICES = { MjNotifyEnabled: true } as const
const FAILED = { status: 'FAILURE', progress: '40%', failReason: 'Banned prompt' }
/** Options with which the gateway polls when a test advances the job timers by a second. */
const POLLS = { UPDATE_TASK: 'true', TASK_POLLING_INTERVAL: '1' }
const poll = () => vi.advanceTimersByTimeAsync(1000)
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
})

/** Makes the gateway poll until the check passes. */
const polled = (look: () => void | Promise<void>) =>
  vi.waitFor(
    async () => {
      await poll()
      await look()
    },
    { timeout: 60_000, interval: 20 },
  )

/** The ledger of an account that was charged and refunded once; the amounts add up to the grant. */
const BACK = {
  rows: [
    ['grant', GIVEN],
    ['consume', -IMAGINE],
    ['refund', IMAGINE],
  ],
  quota: GIVEN,
  used_quota: 0,
  differences: [],
}

describe('a task that cannot be written', () => {
  it('delays no other task', async () => {
    const { world, vendor, alice } = await aDrawingFixture({ config: POLLS })
    const bob = await world.user({ quota: GIVEN })
    for (const person of [alice, bob]) await person.calls('/mj/submit/imagine', { prompt: 'a cat' })
    const { db } = world.gateway.inner
    // The balance is at its maximum, so the refund does not fit.
    await world.gateway.inner.ledger.flush()
    await db.updateTable('users').set({ quota: 1_000_000_000_000_000 }).where('id', '=', alice.id).execute()
    for (const id of ['mj-1', 'mj-2']) vendor.tells(id, FAILED)
    await polled(async () => expect((await booksOf(world, bob.id)).rows).toHaveLength(3))
    expect(await booksOf(world, bob.id)).toMatchObject({ rows: BACK.rows, quota: GIVEN, used_quota: 0 })
    // Once the refund fits again, it is written.
    await db
      .updateTable('users')
      .set({ quota: GIVEN - IMAGINE })
      .where('id', '=', alice.id)
      .execute()
    await polled(async () => expect((await booksOf(world, alice.id)).rows).toHaveLength(3))
    expect(await booksOf(world, alice.id)).toEqual(BACK)
  })
})

describe('a drawing that fails (docs/reference/tasks.md#refunds)', () => {
  it('returns its charge, to account, token and channel, with a row in the log', async () => {
    const { world, vendor, alice, channel } = await aDrawingFixture({ options: NOTICES })
    const limited = await world.token(alice, { unlimited_quota: false, remain_quota: IMAGINE })
    await alice.calls('/mj/submit/imagine', { prompt: 'a cat' }, { key: limited.key })
    const { db } = world.gateway.inner
    const tokenRow = () =>
      db
        .selectFrom('tokens')
        .select(['remain_quota', 'used_quota', 'status'])
        .where('id', '=', limited.id)
        .executeTakeFirstOrThrow()
    await world.gateway.inner.ledger.flush()
    expect(await tokenRow()).toMatchObject({ remain_quota: 0, used_quota: IMAGINE })
    const again = await alice.calls('/mj/submit/imagine', { prompt: 'a dog' }, { key: limited.key })
    expect(again.status).toBe(403)
    vendor.tells('mj-1', FAILED)
    await notices(world, { id: 'mj-1' })
    expect(await booksOf(world, alice.id)).toEqual(BACK)
    expect(await tokenRow()).toEqual({ remain_quota: IMAGINE, used_quota: 0, status: 1 })
    const { used_quota } = await db
      .selectFrom('channels')
      .select('used_quota')
      .where('id', '=', channel)
      .executeTakeFirstOrThrow()
    expect(used_quota).toBe(0)
    expect(await drawingsIn(world)).toMatchObject([
      { status: 'FAILURE', progress: '100%', fail_reason: 'Banned prompt', quota: IMAGINE },
    ])
    const { items } = (await alice.get('/api/log/self?type=4')).data
    expect(items.map(({ content }: { content: string }) => content)).toEqual([
      'The task mj-1 failed; $0.100000 was returned',
    ])
    const inChinese = { headers: { ...alice.identity(), 'accept-language': 'zh' } }
    const chinese = await (await fetch(`${world.url}/api/log/self?type=4`, inChinese)).json()
    expect(chinese.data.items[0].content).toBe('任务 mj-1 失败，已退还 $0.100000')
    // Hourly usage still counts the call, but not its cost; the same for the day.
    const hours = (await alice.get('/api/data/self')).data
    expect(hours).toMatchObject([{ model_name: 'mj_imagine', username: alice.username, count: 1, quota: 0 }])
    expect((await world.admin.get('/api/data/')).data).toMatchObject([{ model_name: 'mj_imagine', count: 1, quota: 0 }])
    const { today, dearest } = (await alice.get('/api/data/self/summary')).data
    expect([today.quota, today.count, dearest.models[0].quota, dearest.tokens[0].quota]).toEqual([0, 1, 0, 0])
    // The refund can be spent, immediately and after a restart.
    expect((await alice.calls('/mj/submit/imagine', { prompt: 'a dog' })).status).toBe(200)
    const next = await world.restart()
    expect((await booksOf(next, alice.id)).quota).toBe(GIVEN - IMAGINE)
    const { checks, differences } = (await next.admin.get('/api/ledger')).data
    expect([checks[0].differences, differences]).toEqual([0, []])
  })

  it('returns it once, no matter what detects it: polls, notices by the dozen, another node and a restart', async () => {
    const { world, vendor, alice } = await aDrawingFixture({ options: NOTICES, config: POLLS })
    await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })
    vendor.tells('mj-1', FAILED)
    const noticed = Array.from({ length: 12 }, () => notices(world, { id: 'mj-1', status: 'FAILURE' }))
    await Promise.all([poll(), ...noticed])
    await polled(async () => expect(await drawingsIn(world)).toMatchObject([{ progress: '100%' }]))
    const next = await world.restart()
    await notices(next, { id: 'mj-1', ...FAILED })
    const asked = vendor.askedAt('/mj/task/list-by-condition').length
    expect((await gets(next, alice, '/mj/task/mj-1/fetch')).json.status).toBe('FAILURE')
    expect(await booksOf(next, alice.id)).toEqual(BACK)
    expect(vendor.askedAt('/mj/task/list-by-condition').length).toBe(asked)
  })

  it('returns it once where two readers of the same row reach the ledger together', async () => {
    const waiting: (() => void)[] = []
    let holds = true
    // Delays refunds until two readers have read the unfinished row and received the failure.
    const before = {
      store: (store: Store) => store,
      ledger: (ledger: Ledger): Ledger => ({
        ...ledger,
        async refund(refund) {
          if (holds) await new Promise<void>((resolve) => void waiting.push(resolve))
          return ledger.refund(refund)
        },
      }),
    }
    const { world, vendor, alice } = await aDrawingFixture({ options: NOTICES, config: POLLS, between: { before } })
    await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })
    vendor.tells('mj-1', FAILED)
    const noticed = notices(world, { id: 'mj-1' })
    await polled(() => expect(waiting.length).toBeGreaterThanOrEqual(2))
    holds = false
    for (const go of waiting) go()
    await noticed
    await polled(async () => expect(await drawingsIn(world)).toMatchObject([{ progress: '100%' }]))
    expect(await booksOf(world, alice.id)).toEqual(BACK)
  })

  it('returns nothing for a task without a charge, nor where the charge was never written', async () => {
    const { world, vendor, alice } = await aDrawingFixture({ options: { ...NOTICES, ModelPrice: { mj_imagine: 0 } } })
    await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })
    const { db } = world.gateway.inner
    await alice.calls('/mj/submit/imagine', { prompt: 'a dog' })
    // The state after a crash between writing the row and charging for it.
    await db
      .updateTable('midjourneys')
      .set({ quota: IMAGINE, request_id: 'never-charged' })
      .where('mj_id', '=', 'mj-2')
      .execute()
    for (const id of ['mj-1', 'mj-2']) {
      vendor.tells(id, FAILED)
      await notices(world, { id })
    }
    expect(await drawingsIn(world)).toMatchObject([{ status: 'FAILURE' }, { status: 'FAILURE' }])
    const { rows, quota, differences } = await booksOf(world, alice.id)
    expect([quota, differences]).toEqual([GIVEN, []])
    expect(rows.filter(([kind]) => kind === 'refund')).toEqual([])
  })

  it('does not fail any more once it has succeeded, and does not succeed once it has failed', async () => {
    const { world, vendor, alice } = await aDrawingFixture({ options: NOTICES })
    await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })
    await alice.calls('/mj/submit/imagine', { prompt: 'a dog' })
    vendor.tells('mj-1', { status: 'SUCCESS', progress: '100%' })
    vendor.tells('mj-2', FAILED)
    for (const id of ['mj-1', 'mj-2']) await notices(world, { id })
    for (const late of [FAILED, { status: 'CLOSED', progress: '0%', failReason: 'closed' }]) {
      world.clock.advanceSeconds(10)
      vendor.tells('mj-1', late)
      vendor.tells('mj-2', { ...late, status: late.status === 'CLOSED' ? 'CLOSED' : 'SUCCESS' })
      for (const id of ['mj-1', 'mj-2']) await notices(world, { id })
    }
    expect(await drawingsIn(world)).toMatchObject([{ status: 'SUCCESS' }, { status: 'FAILURE' }])
    expect(await booksOf(world, alice.id)).toMatchObject({
      quota: GIVEN - IMAGINE,
      used_quota: IMAGINE,
      differences: [],
    })
  })
})

describe('an order (docs/reference/tasks.md#submitting)', () => {
  it('has 32 MiB at most', async () => {
    const { world, alice } = await aDrawingFixture()
    const headers = { 'content-type': 'application/json', 'content-length': '33554433', expect: '100-continue' }
    const key = await alice.key()
    for (const path of ['/mj/submit/imagine', '/suno/submit/music'])
      expect((await onTheWire(world, path, { key, headers })).status).toBe(413)
  })
})

describe('a notice from outside (docs/reference/tasks.md#notices)', () => {
  it('changes nothing directly: the vendor is queried, and only its response counts', async () => {
    const { world, vendor, alice } = await aDrawingFixture({ options: NOTICES })
    await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })
    vendor.tells('mj-1', { status: 'IN_PROGRESS', progress: '30%', imageUrl: 'https://cdn.test/a.png' })
    const forged = {
      id: 'mj-1',
      status: 'FAILURE',
      progress: '100%',
      failReason: 'forged',
      imageUrl: 'http://10.0.0.1/',
    }
    const answer = await notices(world, forged)
    expect([answer.status, await answer.json()]).toEqual([200, { code: 1, description: 'ok' }])
    expect(await drawingsIn(world)).toMatchObject([
      { status: 'IN_PROGRESS', progress: '30%', fail_reason: '', image_url: 'https://cdn.test/a.png' },
    ])
    expect(await booksOf(world, alice.id)).toMatchObject({ used_quota: IMAGINE, differences: [] })
  })

  it('causes no query about an unknown or finished task, nor repeated ones, and gets the same answer each time', async () => {
    const { world, vendor, alice } = await aDrawingFixture({ options: NOTICES })
    await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })
    const answers = []
    for (const id of ['mj-9', '', 'mj-1', 'mj-1', 'mj-1']) answers.push(await (await notices(world, { id })).json())
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(vendor.askedAt('/mj/task/list-by-condition')).toHaveLength(1)
  })

  it('is refused while callbacks are off, and where it is not JSON or too long', async () => {
    const { world } = await aDrawingFixture()
    expect((await notices(world, { id: 'mj-1' })).status).toBe(403)
    await world.option('MjNotifyEnabled', true)
    expect((await fetch(`${world.url}/mj/notify`, { method: 'POST', body: 'x' })).status).toBe(400)
    expect((await notices(world, { id: 'mj-1', text: 'x'.repeat(60 * 1024) })).status).toBe(200)
    expect((await notices(world, { id: 'mj-1', text: 'x'.repeat(64 * 1024) })).status).toBe(413)
    const packed = gzipSync(JSON.stringify({ id: 'mj-1', text: 'x'.repeat(1_000_000) }))
    const headers = { 'content-encoding': 'gzip' }
    expect((await fetch(`${world.url}/mj/notify`, { method: 'POST', body: packed, headers })).status).toBe(413)
  })

  it('is limited per address like calls of the console (docs/reference/limits.md#console-rates)', async () => {
    const { world } = await aDrawingFixture({
      options: NOTICES,
      config: { TRUSTED_PROXIES: '127.0.0.1', GLOBAL_API_RATE_LIMIT: '40' },
    })
    const tells = async (path: string, ip: string) => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': ip }
      return (await fetch(world.url + path, { method: 'POST', headers, body: '{"id":"mj-1"}' })).status
    }
    for (let time = 0; time < 20; time += 1) {
      expect(await tells('/mj/notify', '203.0.113.9')).toBe(200)
      expect(await tells('/mj-fast/mj/notify', '203.0.113.9')).toBe(200)
    }
    expect(await tells('/mj/notify/', '203.0.113.9')).toBe(429)
    expect(await tells('/mj/notify', '203.0.113.10')).toBe(200)
  })
})

describe('the polls (docs/reference/tasks.md#polling)', () => {
  it('follow drawings to their end, of disabled channels as well, with the key that submitted each', async () => {
    const { world, vendor, alice, channel } = await aDrawingFixture({ config: POLLS })
    await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })
    await world.admin.put('/api/channel', { id: channel, status: 2 })
    vendor.tells('mj-1', {
      status: 'SUCCESS',
      progress: '100%',
      promptEn: 'a cat, in English',
      imageUrl: 'https://cdn.test/a.png',
      startTime: 1_800_000_000_000,
      finishTime: 1_800_000_060_000,
      buttons: [{ customId: 'MJ::JOB::upsample::1::x', label: 'U1' }],
      properties: { finalPrompt: 'a cat', discordInstanceId: '4711', imageHost: 'https://cdn.test' },
    })
    await polled(async () => expect(await drawingsIn(world)).toMatchObject([{ progress: '100%' }]))
    const [row] = await drawingsIn(world)
    expect(row).toMatchObject({ status: 'SUCCESS', prompt_en: 'a cat, in English', finish_time: 1_800_000_060_000 })
    const [asked] = vendor.askedAt('/mj/task/list-by-condition')
    expect([asked?.json, asked?.headers['mj-api-secret']]).toEqual([{ ids: ['mj-1'] }, 'the-secret-key'])
    const { json } = await gets(world, alice, '/mj/task/mj-1/fetch')
    expect(json).toMatchObject({ buttons: [{ label: 'U1' }], properties: { finalPrompt: 'a cat' } })
    expect(json.properties).toEqual({ finalPrompt: 'a cat' })
  })

  it('use the key of the channel that a drawing was submitted with, where it has several', async () => {
    const { world, vendor, alice, channel } = await aDrawingFixture({ config: POLLS })
    await world.admin.put('/api/channel', { id: channel, key: 'key-one\nkey-two', key_mode: 'pool' })
    for (let turn = 0; turn < 8; turn += 1) await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })
    const secretsOf = new Map<string, unknown>(
      vendor.askedAt('/mj/submit/imagine').map(({ headers }, index) => [`mj-${index + 1}`, headers['mj-api-secret']]),
    )
    const questions = () => vendor.askedAt('/mj/task/list-by-condition')
    await polled(() => expect(questions().flatMap(({ json }) => json.ids).length).toBeGreaterThanOrEqual(8))
    for (const { json, headers } of questions())
      for (const id of json.ids) expect([id, secretsOf.get(id)]).toEqual([id, headers['mj-api-secret']])
    expect([...secretsOf.values()].every((secret) => secret === 'key-one' || secret === 'key-two')).toBe(true)
  })

  it('abandon tasks that take longer than an hour, and those that have lost their channel, and refund them', async () => {
    const { world, vendor, alice, channel } = await aDrawingFixture({ config: POLLS })
    await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })
    vendor.tells('mj-1', { status: 'IN_PROGRESS', progress: '30%' })
    await polled(async () => expect(await drawingsIn(world)).toMatchObject([{ progress: '30%' }]))
    // A vendor that fails blocks the others only for a limited time.
    vendor.breaks({ status: 500, body: 'oops' })
    world.clock.advanceSeconds(3601)
    const before = vendor.askedAt('/mj/task/list-by-condition').length
    await polled(() => expect(vendor.askedAt('/mj/task/list-by-condition').length).toBeGreaterThan(before + 1))
    world.clock.advanceSeconds(3600)
    await polled(async () => expect(await drawingsIn(world)).toMatchObject([{ status: 'FAILURE' }]))
    expect(await drawingsIn(world)).toMatchObject([{ fail_reason: 'The upstream did not finish in time' }])
    expect(await booksOf(world, alice.id)).toEqual(BACK)
    await alice.calls('/mj/submit/imagine', { prompt: 'a dog' })
    await world.admin.delete(`/api/channel/${channel}`)
    await polled(async () => expect((await drawingsIn(world))[1]).toMatchObject({ status: 'FAILURE' }))
    const { quota, used_quota, differences } = await booksOf(world, alice.id)
    expect([quota, used_quota, differences]).toEqual([GIVEN, 0, []])
  })

  it.each([
    ['jumps by an hour', (clock: MovableClock) => clock.setSeconds(3700)],
    ['has slept for one', (clock: MovableClock) => clock.advanceSeconds(3700)],
  ])('give nothing back because the machine %s', async (_, move) => {
    const { world, vendor, alice } = await aDrawingFixture({ config: POLLS })
    await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })
    vendor.tells('mj-1', { status: 'IN_PROGRESS', progress: '30%' })
    await polled(async () => expect(await drawingsIn(world)).toMatchObject([{ progress: '30%' }]))
    vendor.breaks({ status: 503, body: 'no network yet' })
    move(world.clock)
    const questions = () => vendor.askedAt('/mj/task/list-by-condition').length
    const before = questions()
    await polled(() => expect(questions()).toBeGreaterThan(before + 2))
    vendor.breaks(undefined)
    vendor.tells('mj-1', { status: 'SUCCESS', progress: '100%', imageUrl: 'https://cdn.example/x.png' })
    await polled(async () => expect(await drawingsIn(world)).toMatchObject([{ status: 'SUCCESS' }]))
    expect((await booksOf(world, alice.id)).differences).toEqual([])
  })

  it('belong to one node at a time', async () => {
    const clock = aClock()
    const taken: string[] = []
    const elsewhere: SharedState = {
      ...ownState(clock),
      locks: {
        take(job) {
          taken.push(job)
          return !job.startsWith('follow-')
        },
        leave: () => {},
      },
    }
    const { vendor, alice } = await aDrawingFixture({ config: POLLS, clock, between: { shared: elsewhere } })
    await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })
    await polled(() => expect(taken.filter((job) => job === 'follow-drawings').length).toBeGreaterThan(1))
    expect(vendor.askedAt('/mj/task/list-by-condition')).toEqual([])
  })
})

describe('music (docs/reference/tasks.md#music)', () => {
  const SONG = 50_000

  it('is submitted as MUSIC or LYRICS, charged by its price, visible to its account, and followed to its end', async () => {
    const { world, vendor, alice } = await aMusicFixture({ config: POLLS })
    const bob = await world.user({ quota: GIVEN })
    const { status, json } = await alice.calls('/suno/submit/music', { gpt_description_prompt: 'a song', extra: 1 })
    expect([status, json]).toEqual([200, { code: 'success', message: '', data: 'song-1' }])
    const lyrics = await alice.calls('/suno/submit/lyrics', { prompt: 'about cats' })
    expect(lyrics.json.data).toBe('song-2')
    const [song] = vendor.askedAt('/suno/submit/MUSIC')
    expect(song?.json).toEqual({ gpt_description_prompt: 'a song', extra: 1, mv: 'chirp-v3-0' })
    expect(song?.headers.authorization).toBe('Bearer the-secret-key')
    expect(vendor.askedAt('/suno/submit/LYRICS')[0]?.json).toEqual({ prompt: 'about cats' })
    expect(await tasksIn(world)).toMatchObject([
      { platform: 'suno', action: 'MUSIC', task_id: 'song-1', quota: SONG, properties: '{"input":"a song"}' },
      { platform: 'suno', action: 'LYRICS', task_id: 'song-2', quota: 5000 },
    ])
    expect((await booksOf(world, alice.id)).used_quota).toBe(SONG + 5000)
    vendor.tells('song-1', {
      status: 'SUCCESS',
      progress: '100%',
      data: [{ id: 'clip-1', audio_url: `${world.upstream.url}/1.mp3`, note: 'by the-secret-key' }],
      start_time: 5,
      finish_time: 9,
    })
    await polled(async () => expect((await tasksIn(world))[0]).toMatchObject({ progress: '100%' }))
    const found = await gets(world, alice, '/suno/fetch/song-1')
    expect(found.json).toMatchObject({ code: 'success', message: '' })
    expect(found.json.data).toEqual({
      task_id: 'song-1',
      action: 'MUSIC',
      status: 'SUCCESS',
      fail_reason: '',
      submit_time: expect.any(Number),
      start_time: 5,
      finish_time: 9,
      progress: '100%',
      data: [{ id: 'clip-1', audio_url: `${world.upstream.url}/1.mp3`, note: 'by ***' }],
    })
    const several = await alice.calls('/suno/fetch', { ids: ['song-1', 'song-2', 'song-3'] })
    expect(several.json.data.map(({ task_id }: { task_id: string }) => task_id)).toEqual(['song-2', 'song-1'])
    expect((await gets(world, bob, '/suno/fetch/song-1')).json).toMatchObject({ code: 'task_not_exist', data: null })
    expect((await bob.calls('/suno/fetch', { ids: ['song-1'] })).json.data).toEqual([])
  })

  it('does not store long responses of a vendor, so that a page of tasks stays short', async () => {
    const { world, vendor, alice } = await aMusicFixture({ config: POLLS })
    await alice.calls('/suno/submit/music', { prompt: 'a song' })
    await alice.calls('/suno/submit/music', { prompt: 'a song' })
    const clip = { id: 'clip', note: 'x'.repeat(300) }
    vendor.tells('song-1', { status: 'SUCCESS', progress: '100%', data: Array.from({ length: 90 }, () => clip) })
    vendor.tells('song-2', { status: 'SUCCESS', progress: '100%', data: Array.from({ length: 110 }, () => clip) })
    await polled(async () => expect(await tasksIn(world)).toMatchObject([{ status: 'SUCCESS' }, { status: 'SUCCESS' }]))
    expect((await gets(world, alice, '/suno/fetch/song-1')).json.data.data).toHaveLength(90)
    expect((await gets(world, alice, '/suno/fetch/song-2')).json.data.data ?? []).toEqual([])
  })

  it('returns its charge where it fails, and where it takes longer than a day', async () => {
    const { world, vendor, alice } = await aMusicFixture({ config: POLLS })
    await alice.calls('/suno/submit/music', { prompt: 'a song' })
    await alice.calls('/suno/submit/music', { prompt: 'a song' })
    vendor.tells('song-1', { status: 'IN_PROGRESS', progress: '10%', fail_reason: 'too sad' })
    await polled(async () => expect((await tasksIn(world))[0]).toMatchObject({ progress: '100%' }))
    expect((await tasksIn(world))[0]).toMatchObject({ status: 'FAILURE', fail_reason: 'too sad' })
    expect(await booksOf(world, alice.id)).toMatchObject({ quota: GIVEN - SONG, used_quota: SONG, differences: [] })
    world.clock.advanceSeconds(86_401)
    const before = vendor.askedAt('/suno/fetch').length
    await polled(() => expect(vendor.askedAt('/suno/fetch').length).toBeGreaterThan(before + 1))
    world.clock.advanceSeconds(600)
    await polled(async () => expect((await tasksIn(world))[1]).toMatchObject({ status: 'FAILURE' }))
    const { rows, quota, used_quota, differences } = await booksOf(world, alice.id)
    expect([quota, used_quota, differences]).toEqual([GIVEN, 0, []])
    expect(rows.filter(([kind]) => kind === 'refund')).toEqual([
      ['refund', SONG],
      ['refund', SONG],
    ])
  })

  it('cannot fail any more once it has succeeded, no matter what is reported later', async () => {
    const { world, vendor, alice } = await aMusicFixture({ config: POLLS })
    const isDone = async (place: number) =>
      polled(async () => expect((await tasksIn(world))[place]).toMatchObject({ status: 'SUCCESS' }))
    await alice.calls('/suno/submit/music', { prompt: 'a song' })
    vendor.tells('song-1', { status: 'SUCCESS', progress: '100%' })
    await isDone(0)
    vendor.tells('song-1', { status: 'CLOSED', progress: '0%', fail_reason: 'closed' })
    // The poll that receives the second task's end could have received the first's too.
    await alice.calls('/suno/submit/music', { prompt: 'another' })
    vendor.tells('song-2', { status: 'SUCCESS', progress: '100%' })
    await isDone(1)
    expect(await tasksIn(world)).toMatchObject([{ status: 'SUCCESS', progress: '100%', fail_reason: '' }, {}])
    const { rows, quota, used_quota, differences } = await booksOf(world, alice.id)
    expect([quota, used_quota, differences]).toEqual([GIVEN - 2 * SONG, 2 * SONG, []])
    expect(rows.filter(([kind]) => kind === 'refund')).toEqual([])
  })

  it('is refused in the shape of Suno, with nothing charged', async () => {
    const { world, vendor, alice } = await aMusicFixture({ options: { SensitiveWords: 'forbidden' } })
    const asks = async (path: string, body: object, key?: string) => {
      const { status, json } = await alice.calls(path, body, key ? { key } : {})
      expect(Object.keys(json).sort()).toEqual(['code', 'data', 'message'])
      return [status, json.code, json.data]
    }
    expect(await asks('/suno/submit/music', {}, 'nobodys')).toEqual([401, expect.any(String), null])
    expect(await asks('/suno/submit/dance', {})).toEqual([400, 'invalid_action', null])
    expect(await asks('/suno/submit/lyrics', {})).toEqual([400, 'prompt_empty', null])
    expect(await asks('/suno/submit/music', { tags: 'Forbidden' })).toEqual([400, 'sensitive_words_detected', null])
    expect(await asks('/suno/submit/music', { prompt: 'x', metadata: { negative_tags: 'forbidden' } })).toEqual([
      400,
      'sensitive_words_detected',
      null,
    ])
    expect(await asks('/suno/submit/music', { continue_clip_id: 'c' })).toEqual([400, 'task_id_empty', null])
    expect(await asks('/suno/submit/music', { continue_clip_id: 'c', task_id: 'x' })).toEqual([
      400,
      'task_not_exist',
      null,
    ])
    expect(await asks('/suno/fetch', { ids: 'x' })).toEqual([400, 'invalid_request', null])
    expect(await asks('/suno/dance', {})).toEqual([404, expect.any(String), null])
    expect(world.upstream.requests).toEqual([])
    vendor.submits({ body: { code: 'quota_empty', message: 'no credits at the vendor', data: null } })
    expect(await asks('/suno/submit/music', { prompt: 'a song' })).toEqual([500, 'quota_empty', null])
    expect((await booksOf(world, alice.id)).used_quota).toBe(0)
    expect(await tasksIn(world)).toEqual([])
  })

  it('continues a clip over the channel that made it', async () => {
    const { world, alice, channel } = await aMusicFixture()
    await alice.calls('/suno/submit/music', { prompt: 'a song' })
    await world.channel({ type: 36, models: 'suno_music', priority: 10 })
    const goesOn = async (clip: string) => {
      const body = { prompt: 'more', continue_clip_id: clip, task_id: 'song-1', continue_at: 30 }
      const { status, json } = await alice.calls('/suno/submit/music', body)
      return [status, json.code]
    }
    expect(await goesOn('clip-1')).toEqual([400, 'task_not_exist'])
    const data = JSON.stringify([{ id: 'clip-0' }, { id: 'clip-1', title: 'clip-of-another' }])
    await world.gateway.inner.db.updateTable('tasks').set({ data }).execute()
    expect(await goesOn('clip-of-another')).toEqual([400, 'task_not_exist'])
    expect(await goesOn('clip-1')).toEqual([200, 'success'])
    expect(await tasksIn(world)).toMatchObject([{ channel_id: channel }, { channel_id: channel }])
  })
})
