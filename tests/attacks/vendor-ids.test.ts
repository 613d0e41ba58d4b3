import { describe, expect, it } from 'vitest'
import { aDrawingFixture, aMusicFixture, GIVEN, tasksIn } from '../gateway/relay/tasks/drawing-fixture.ts'

const clipsOf = (...ids: string[]) => JSON.stringify(ids.map((id) => ({ id })))

/** Creates tasks: clip-1 and clip-2 in one task of Alice's, clip-3 in another; clip-9 is Bob's. */
async function songs() {
  const fixture = await aMusicFixture()
  const bob = await fixture.world.user({ quota: GIVEN })
  const { db } = fixture.world.gateway.inner
  for (const [person, data] of [
    [fixture.alice, clipsOf('clip-1', 'clip-2')],
    [fixture.alice, clipsOf('clip-3')],
    [bob, clipsOf('clip-9')],
  ] as const) {
    const { json } = await person.calls('/suno/submit/music', { prompt: 'a song' })
    await db.updateTable('tasks').set({ data }).where('task_id', '=', json.data).execute()
  }
  const submitted = fixture.world.upstream.requests.length
  const asks = async (body: object) => {
    const { status, json } = await fixture.alice.calls('/suno/submit/music', { prompt: 'more', ...body })
    return [status, json.code]
  }
  return { ...fixture, bob, asks, sent: () => fixture.world.upstream.requests.length - submitted }
}

describe('a clip or task of the vendor’s account (docs/reference/tasks.md#music)', () => {
  it.each([
    ...['cover_clip_id', 'artist_clip_id', 'underpainting_clip_id', 'audio_id', 'Cover_Clip_ID', 'coverClipId'].map(
      (name) => ({ [name]: 'clip-9' }),
    ),
    { playlist_clip_ids: ['clip-1', 'clip-9'] },
    { metadata: { edited_clip_id: 'clip-9' } },
    { history: [{ id: 'clip-9', continue_at: 30 }] },
  ])('that another account has made is refused: %j', async (named) => {
    const { asks, sent } = await songs()
    expect(await asks(named)).toEqual([400, 'task_id_empty'])
    expect(await asks({ ...named, task_id: 'song-1' })).toEqual([400, 'task_not_exist'])
    expect(await asks({ ...named, task_id: 'song-3' })).toEqual([400, 'task_not_exist'])
    expect(sent()).toBe(0)
  })

  it.each([{ task_id: 'song-3' }, { upsample_task_id: 'song-3' }, { metadata: { taskId: 'song-3' } }])(
    'is refused without a clip as well: %j',
    async (named) => {
      const { asks, sent } = await songs()
      expect(await asks(named)).toEqual([400, 'task_not_exist'])
      expect(sent()).toBe(0)
    },
  )

  it.each([{ cover_clip_id: ['clip-1'] }, { artist_clip_id: 7 }, { clip_ids: [['clip-1']] }])(
    'is refused if it is not a text: %j',
    async (named) => {
      const { asks, sent } = await songs()
      expect(await asks({ ...named, task_id: 'song-1' })).toEqual([400, 'invalid_request'])
      expect(sent()).toBe(0)
    },
  )

  it('is accepted if the caller has made it, and goes to its channel', async () => {
    const { world, asks, channel } = await songs()
    await world.channel({ type: 36, models: 'suno_music', priority: 10 })
    for (const named of [
      { cover_clip_id: 'clip-1', artist_clip_id: 'clip-2', task_id: 'song-1' },
      { cover_clip_id: 'clip-1', artist_clip_id: 'clip-3', task_ids: ['song-1', 'song-2'] },
      { cover_clip_id: '', persona_id: null, task_id: 'song-2' },
    ])
      expect(await asks(named)).toEqual([200, 'success'])
    expect(new Set((await tasksIn(world)).map((row) => row.channel_id))).toEqual(new Set([channel]))
  })

  it.each(['persona_id', 'voice_id', 'project_id'])('that no task has made is refused: %s', async (name) => {
    const { world, alice, sent } = await songs()
    const { status, json } = await alice.calls('/suno/submit/music', { prompt: 'x', [name]: 'p', task_id: 'song-1' })
    expect([status, json.code]).toEqual([400, 'id_not_traceable'])
    expect(json.message).toContain(`"${name}"`)
    expect([sent(), (await tasksIn(world)).length]).toEqual([0, 3])
  })
})

it('no submission of a drawing names that of another account (docs/reference/tasks.md#drawings)', async () => {
  const { world, vendor, alice } = await aDrawingFixture()
  const mallory = await world.user({ quota: GIVEN })
  for (const person of [alice, mallory]) await person.calls('/mj/submit/imagine', { prompt: 'a cat' })
  const asked = world.upstream.requests.length
  const base64Array = ['data:image/png;base64,AAAA']
  for (const [path, body] of [
    ['imagine', { prompt: 'x', taskId: 'mj-1' }],
    ['imagine', { prompt: 'x', task_id: 'mj-1' }],
    ['edits', { prompt: 'x', taskId: 'mj-1' }],
    ['blend', { base64Array, taskId: 'mj-1' }],
    ['describe', { base64: base64Array[0], parentId: 'mj-1' }],
    ['simple-change', { content: 'mj-2 U1', taskId: 'mj-1' }],
    ['change', { action: 'UPSCALE', index: 1, taskId: 'mj-2', jobId: 'mj-1' }],
  ] as const) {
    const { status } = await mallory.calls(`/mj/submit/${path}`, body)
    expect([path, body, status]).toEqual([path, body, 400])
  }
  expect(world.upstream.requests).toHaveLength(asked)
  expect((await mallory.calls('/mj/submit/shorten', { prompt: 'x' })).status).toBe(200)
  expect(vendor.askedAt('/mj/submit/shorten')).toHaveLength(1)
})
