import { beforeAll, describe, expect, it } from 'vitest'
import { aDrawingFixture, drawingsIn, type Fixture } from '../gateway/relay/tasks/drawing-fixture.ts'
import type { Person, World } from '../support/world.ts'

/** Longer than any id, but allowed in a body. */
const LONG = 'x'.repeat(1024 * 1024)
/** In the form of the gateway's own ids. */
const OWN_ITEM = `msg_${'1'.repeat(23)}abcdefgh_${'1'.repeat(1024 * 1024)}`
/** Maximum bytes of a refusal. */
const SHORT = 2000

let fixture: Fixture
let world: World
let alice: Person
beforeAll(async () => {
  fixture = await aDrawingFixture({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
  world = fixture.world
  alice = fixture.alice
  await world.channel({ models: 'gpt-4o,wan' })
  await world.channel({ type: 36, models: 'suno_music' })
})

describe('an id of a million characters (docs/reference/security.md#input)', () => {
  it.each<[string, string, object]>([
    ['a drawing', '/mj/submit/change', { taskId: LONG, action: 'UPSCALE', index: 1 }],
    ['a drawing in words', '/mj/submit/simple-change', { content: `${LONG} U1` }],
    ['blanks', '/mj/submit/simple-change', { content: `x${' '.repeat(LONG.length)}x` }],
    ['a button', '/mj/submit/action', { taskId: '1', customId: ':'.repeat(LONG.length) }],
    ['a video', '/mj/submit/video', { taskId: LONG }],
    ['a clip', '/suno/submit/music', { prompt: 'x', continue_clip_id: LONG, task_id: '1' }],
    ['the task of a clip', '/suno/submit/music', { prompt: 'x', continue_clip_id: '1', task_id: LONG }],
    ['a response', '/v1/responses', { model: 'gpt-4o', input: 'hi', previous_response_id: LONG }],
    ['an item', '/v1/responses', { model: 'gpt-4o', input: [{ type: 'item_reference', id: OWN_ITEM }] }],
    ['a size', '/v1/images/generations', { model: 'wan', prompt: 'x', size: LONG }],
    ['a quality', '/v1/images/generations', { model: 'wan', prompt: 'x', quality: LONG }],
  ])('of %s is refused, and not sent back', async (_, path, body) => {
    const before = world.upstream.requests.length
    const { status, text } = await alice.calls(path, body)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(text.length).toBeLessThan(SHORT)
    expect(world.upstream.requests).toHaveLength(before)
  })
})

describe('a number of more than 4,096 characters (docs/reference/limits.md#bodies)', () => {
  const number = '9'.repeat(4097)
  it.each([
    ['a schema', `{"model":"gpt-4o","messages":[],"tools":[{"parameters":{"minimum":${number}}}]}`],
    ['a fraction', `{"model":"gpt-4o","messages":[],"x":0.${number}}`],
    ['an exponent', `{"model":"gpt-4o","messages":[],"x":1e-${number}}`],
    ['a list', `{"model":"gpt-4o","messages":[],"x":[${'1,'.repeat(50_000)}${number}]}`],
  ])('in %s is refused', async (_, body) => {
    const { status, json } = await alice.calls('/v1/chat/completions', body)
    expect(status).toBe(400)
    expect(json.error.message).toContain('a number has more than 4096 characters')
  })

  it('is refused by the console', async () => {
    const reply = await fetch(`${world.url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"username":${number}}`,
    })
    expect(await reply.json()).toMatchObject({ success: false, message: expect.stringContaining('JSON number > 4096') })
  })
})

describe('the stored data of tasks (docs/reference/tasks.md#drawings)', () => {
  it('is short for an order that was refused, which is not paid for', async () => {
    const before = (await drawingsIn(world)).length
    fixture.vendor.submits({ body: { code: 24, description: 'a banned word' } })
    await alice.calls('/mj/submit/imagine', { prompt: LONG })
    fixture.vendor.submits(undefined)
    const [row] = (await drawingsIn(world)).slice(before)
    expect([row?.status, row?.prompt.length]).toEqual(['FAILURE', 1000])
  })

  it('is requested only by non-empty ids, and in responses of at most 4 MiB', async () => {
    const { db } = world.gateway.inner
    const made = { user_id: alice.id, submit_time: 1, prompt: 'y'.repeat(20_000), progress: '100%' }
    const of = (mj_id: string) => ({ ...made, mj_id, code: 1, channel_id: fixture.channel })
    const many = Array.from({ length: 210 }, (_, index) => `many-${index}`)
    for (const id of ['one', ...many]) await db.insertInto('midjourneys').values(of(id)).execute()
    const listed = (ids: unknown[]) => alice.calls('/mj/task/list-by-condition', { ids })
    expect((await listed([''])).status).toBe(400)
    expect(await listed(['one', ...many])).toMatchObject({
      status: 413,
      text: expect.stringContaining('Request fewer IDs.'),
    })
    const { status, text } = await listed(['one', 'none'])
    expect([status, JSON.parse(text).length]).toEqual([200, 1])
    const data = JSON.stringify('z'.repeat(500_000))
    const song = {
      created_at: 1,
      updated_at: 1,
      platform: 'suno',
      user_id: alice.id,
      channel_id: fixture.channel,
      data,
    }
    const songs = Array.from({ length: 9 }, (_, index) => ({ ...song, task_id: `song-${index}`, submit_time: 1 }))
    await db.insertInto('tasks').values(songs).execute()
    const fetched = (count: number) =>
      alice.calls('/suno/fetch', { ids: songs.slice(0, count).map(({ task_id }) => task_id) })
    expect((await fetched(9)).status).toBe(413)
    expect((await fetched(2)).json.data).toHaveLength(2)
  })
})
