import { beforeAll, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../support/world.ts'

let world: World
let alice: Person
let bob: Person

const START = 1_790_000_000

beforeAll(async () => {
  world = await aWorld()
  alice = await world.user()
  bob = await world.user()
  const { db } = world.gateway.inner
  const drawing = (number: number, user_id: number, rest: object = {}) => ({
    user_id,
    code: 1,
    action: 'IMAGINE',
    mj_id: `mj-${number}`,
    prompt: 'a cat',
    submit_time: (START + number) * 1000,
    status: 'SUCCESS',
    progress: '100%',
    channel_id: 7,
    quota: 5,
    request_id: 'secret-request',
    key_id: 'secret-key',
    ...rest,
  })
  const rows = Array.from({ length: 12 }, (_, index) => drawing(index + 1, alice.id))
  await db.insertInto('midjourneys').values(rows).execute()
  const image = { image_url: 'https://cdn.test/a.png', channel_id: 8 }
  await db
    .insertInto('midjourneys')
    .values(drawing(13, bob.id, image))
    .execute()
  const song = (number: number, user_id: number, rest: object = {}) => ({
    created_at: START,
    updated_at: START,
    user_id,
    task_id: `song-${number}`,
    platform: 'suno',
    action: 'MUSIC',
    status: 'SUCCESS',
    submit_time: START + number,
    progress: '100%',
    channel_id: 7,
    properties: '{"input":"a song"}',
    data: '[{"id":"clip"}]',
    ...rest,
  })
  const songs = [
    song(1, alice.id),
    song(2, alice.id, { action: 'LYRICS', data: '', status: 'FAILURE' }),
    song(3, bob.id),
  ]
  await db.insertInto('tasks').values(songs).execute()
})

const ids = (reply: { data: readonly { mj_id?: string; task_id?: string }[] }) =>
  reply.data.map((row) => row.mj_id ?? row.task_id)

it("drawings are an account's own, newest first, page by page from 0, without channel, request and key", async () => {
  const first = await alice.get('/api/mj/self/?p=0')
  expect([first.data.length, first.data[0].mj_id]).toEqual([10, 'mj-12'])
  expect(first.body).toMatchObject({ total: 12, has_more: false, page: 0, page_size: 10 })
  expect(ids(await alice.get('/api/mj/self?p=1'))).toEqual(['mj-2', 'mj-1'])
  expect(first.data[0]).toMatchObject({ channel_id: 0, created_at: START + 12, submit_time: (START + 12) * 1000 })
  expect(JSON.stringify(first.data)).not.toMatch(/secret-/)
  expect(ids(await alice.get('/api/mj/self?mj_id=mj-13'))).toEqual([])
  // Filters that are for administrators only do not affect the result.
  expect((await alice.get('/api/mj/self?channel_id=8')).body.total).toBe(12)
})

it('drawings of all accounts are for administrators, with filters by channel, id and time in milliseconds', async () => {
  expect((await alice.get('/api/mj')).success).toBe(false)
  expect((await world.visitor.get('/api/mj')).status).toBe(401)
  const { admin } = world
  expect((await admin.get('/api/mj/')).body.total).toBe(13)
  expect(ids(await admin.get('/api/mj?channel_id=8'))).toEqual(['mj-13'])
  expect(ids(await admin.get('/api/mj?mj_id=mj-4'))).toEqual(['mj-4'])
  const [from, to] = [(START + 4) * 1000, (START + 5) * 1000]
  expect(ids(await admin.get(`/api/mj?start_timestamp=${from}&end_timestamp=${to}`))).toEqual(['mj-5', 'mj-4'])
  expect((await admin.get('/api/mj?end_timestamp=NaN')).body.total).toBe(13)
  const [row] = (await admin.get('/api/mj?channel_id=8')).data
  expect(row).toMatchObject({ channel_id: 8, user_id: bob.id })
})

it('images are returned as signed links where they are forwarded', async () => {
  const url = async () => (await bob.get('/api/mj/self')).data[0].image_url
  expect(await url()).toMatch(/\/mj\/image\/mj-13\?until=\d+&sig=[\w-]+$/)
  expect((await alice.get('/api/mj/self')).data[0].image_url).toBe('')
  await world.option('MjForwardUrlEnabled', false)
  expect(await url()).toBe('https://cdn.test/a.png')
})

it('tasks are returned likewise, in seconds, with their data as JSON', async () => {
  const own = await alice.get('/api/task/self/')
  expect(ids(own)).toEqual(['song-2', 'song-1'])
  expect(own.data[1]).toMatchObject({ properties: { input: 'a song' }, data: [{ id: 'clip' }], submit_time: START + 1 })
  expect([own.data[0].data, 'channel_id' in own.data[0]]).toEqual([null, false])
  const { admin } = world
  expect((await alice.get('/api/task')).success).toBe(false)
  expect((await admin.get('/api/task')).data[0]).toMatchObject({ task_id: 'song-3', channel_id: 7 })
  for (const [query, found] of [
    ['task_id=song-1', ['song-1']],
    ['channel_id=9', []],
    ['action=LYRICS', ['song-2']],
    ['status=FAILURE', ['song-2']],
    ['platform=other', []],
    [`start_timestamp=${START + 2}&end_timestamp=${START + 2}`, ['song-2']],
    ['end_timestamp=NaN', ['song-3', 'song-2', 'song-1']],
  ] as const)
    expect([query, ids(await admin.get(`/api/task?${query}`))]).toEqual([query, found])
})
