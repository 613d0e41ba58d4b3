import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { aClock } from '../../../support/clock.ts'
import { PNG } from '../../../support/task-vendors.ts'
import { aFileServer } from '../media/file-server.ts'
import { aDrawingFixture, drawingsIn, type Fixture, gets, notices } from './drawing-fixture.ts'

const pathOf = (url: string) => new URL(url).pathname + new URL(url).search

/**
 * Finishes an image task whose image is at this path of the vendor, or at any address; returns the address that the
 * account receives.
 */
async function drawnAt({ world, vendor, alice }: Fixture, path: string): Promise<string> {
  await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })
  const imageUrl = path.startsWith('/') ? world.upstream.url + path : path
  const { id } = await world.gateway.inner.db
    .selectFrom('midjourneys')
    .select('mj_id as id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  vendor.tells(id, { status: 'SUCCESS', progress: '100%', imageUrl })
  await notices(world, { id })
  return (await gets(world, alice, `/mj/task/${id}/fetch`)).json.imageUrl
}

const aFixture = (config = {}) => aDrawingFixture({ options: { MjNotifyEnabled: true }, config })

it('an image is returned as a signed link of this gateway, which gives the picture, without its address, to anyone who has it', async () => {
  const fixture = await aFixture()
  const { world } = fixture
  const url = await drawnAt(fixture, '/pictures/one.png')
  expect(url).toMatch(/\/mj\/image\/mj-1\?until=\d+&sig=[\w-]{43}$/)
  const response = await fetch(world.url + pathOf(url))
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG)
  expect(response.headers.get('content-security-policy')).toContain('sandbox')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  const [asked] = fixture.vendor.askedAt('/pictures/one.png')
  expect([asked?.headers['mj-api-secret'], asked?.headers.authorization]).toEqual([undefined, undefined])
  expect((await fetch(`${world.url}/relax${pathOf(url)}`)).status).toBe(200)
})

it('no link, another one, and one of another drawing give nothing, whether there is an image or not', async () => {
  const fixture = await aFixture()
  const { world } = fixture
  const one = await drawnAt(fixture, '/pictures/one.png')
  const other = await drawnAt(fixture, '/pictures/one.png')
  const signature = new URL(other).searchParams.get('sig')
  const paths = ['/mj/image/mj-1', '/mj/image/mj-1?sig=x', `/mj/image/mj-1?sig=${signature}`, '/mj/image/mj-9?sig=x']
  const answers = await Promise.all(paths.map(async (path) => (await fetch(world.url + path)).status))
  expect(answers).toEqual([403, 403, 403, 403])
  await world.option('MjForwardUrlEnabled', false)
  expect((await fetch(world.url + pathOf(one))).status).toBe(403)
  expect(fixture.vendor.askedAt('/pictures/one.png')).toEqual([])
})

it('a link expires within two hours, not before one, and a user who may see the drawing gets a fresh one', async () => {
  const fixture = await aDrawingFixture({ options: { MjNotifyEnabled: true }, clock: aClock(1_795_231_800_000) })
  const { world, alice } = fixture
  const old = await drawnAt(fixture, '/pictures/one.png')
  const statusOf = async (url: string) => (await fetch(world.url + pathOf(url))).status
  const first = await fetch(world.url + pathOf(old))
  // The time is half past an hour.
  expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'private, max-age=5400'])
  world.clock.advanceSeconds(5399)
  expect(await statusOf(old)).toBe(200)
  world.clock.advanceSeconds(1)
  expect(await statusOf(old)).toBe(403)
  const later = new URL(old)
  later.searchParams.set('until', String(Number(later.searchParams.get('until')) + 7200))
  expect(await statusOf(String(later))).toBe(403)
  for (const until of ['', 'NaN', '1e99', '-1']) {
    later.searchParams.set('until', until)
    expect(await statusOf(String(later))).toBe(403)
  }
  // The log and the vendor's path return a fresh link, which stays the same for an hour.
  const [row] = (await alice.get('/api/mj/self')).data
  const fresh = (await gets(world, alice, '/mj/task/mj-1/fetch')).json.imageUrl
  expect(row.image_url).toBe(fresh)
  expect(await statusOf(fresh)).toBe(200)
  world.clock.advanceSeconds(3599)
  expect((await alice.get('/api/mj/self')).data[0].image_url).toBe(fresh)
})

it.each([
  ['a page', '/pictures/page.html'],
  ['a drawing with words in it', '/pictures/page.svg'],
  ['a redirect', '/pictures/away.png'],
  ['what is too large', '/pictures/huge.png'],
  ['what is not there', '/pictures/none.png'],
  ['an address of the own network', 'http://127.0.0.1:9/one.png'],
  ['an address of the metadata of clouds', 'http://169.254.169.254/one.png'],
  ['no address', 'file:///etc/passwd'],
])('%s is not forwarded, and its address is not revealed', async (_, place) => {
  const fixture = await aFixture({ MAX_FILE_DOWNLOAD_MB: '1' })
  const response = await fetch(fixture.world.url + pathOf(await drawnAt(fixture, place)))
  const { description, code, type } = await response.json()
  expect([response.status, code, type]).toEqual([502, 4, 'switchyard_error'])
  expect(description).not.toMatch(/127\.0\.0\.1|169\.254|passwd/)
})

it('images are returned as the vendor sends them where forwarding is off, and a change of that applies at once', async () => {
  const fixture = await aFixture()
  await fixture.world.option('MjForwardUrlEnabled', false)
  expect(await drawnAt(fixture, '/pictures/one.png')).toBe(`${fixture.world.upstream.url}/pictures/one.png`)
  await fixture.world.option('MjForwardUrlEnabled', true)
  await fixture.world.option('ServerAddress', 'https://gate.test')
  const { json } = await gets(fixture.world, fixture.alice, '/mj/task/mj-1/fetch')
  expect(json.imageUrl).toMatch(/^https:\/\/gate\.test\/mj\/image\/mj-1\?until=\d+&sig=/)
})

it('while it is drawn, a link changes with its picture', async () => {
  const fixture = await aFixture()
  const { world, vendor, alice } = fixture
  await alice.calls('/mj/submit/imagine', { prompt: 'a cat' })
  vendor.tells('mj-1', { status: 'IN_PROGRESS', progress: '30%', imageUrl: `${world.upstream.url}/pictures/one.png` })
  await notices(world, { id: 'mj-1' })
  const { imageUrl } = (await gets(world, alice, '/mj/task/mj-1/fetch')).json
  expect(imageUrl).toContain('&rand=30%25')
  const response = await fetch(world.url + pathOf(imageUrl))
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
})

it('a video is made from a picture, priced by its name, and returned as a separate signed link', async () => {
  const fixture = await aFixture()
  const { world, vendor, alice } = fixture
  const bob = await world.user({ quota: 100_000_000 })
  const edited = {
    prompt: 'a hat',
    base64Array: ['data:image/png;base64,AA=='],
    maskBase64: 'data:image/png;base64,AA==',
  }
  expect((await alice.calls('/mj/submit/edits', edited)).status).toBe(200)
  expect(vendor.askedAt('/mj/submit/edits')[0]?.json).toEqual(edited)
  expect((await alice.calls('/mj/submit/edits', {})).json).toMatchObject({ code: 4 })
  expect((await alice.calls('/mj/submit/video', { motion: 'high', image: 'https://a.test/1.png' })).status).toBe(200)
  expect((await bob.calls('/mj/submit/video', { motion: 'high', taskId: 'mj-1' })).status).toBe(400)
  const [edit, video] = await drawingsIn(world)
  expect([edit?.action, edit?.quota, video?.action, video?.quota]).toEqual(['EDITS', 50_000, 'VIDEO', 400_000])
  const own = `${world.upstream.url}/pictures/one.mp4`
  vendor.tells('mj-2', {
    status: 'SUCCESS',
    progress: '100%',
    videoUrl: own,
    videoUrls: [{ url: own }, { url: 'https://cdn.test/2.mp4' }],
  })
  await notices(world, { id: 'mj-2' })
  const { json } = await gets(world, alice, '/mj/task/mj-2/fetch')
  expect(json.videoUrls).toHaveLength(2)
  expect([json.videoUrl, json.imageUrl]).toEqual([json.videoUrls[0].url, ''])
  expect(JSON.stringify(json)).not.toContain('cdn.test')
  const response = await fetch(world.url + pathOf(json.videoUrl))
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    200,
    'video/mp4',
    'a video',
  ])
  // A link gives access to one image only.
  for (const [from, to] of [
    ['video=0', 'video=1'],
    ['video=0', 'video=00'],
    ['video=0&', ''],
  ] as const)
    expect((await fetch(world.url + pathOf(json.videoUrl.replace(from, to)))).status).toBe(403)
  const [row] = (await alice.get('/api/mj/self')).data
  expect([row.action, row.video_urls]).toEqual(['VIDEO', json.videoUrls.map(({ url }: { url: string }) => url)])
  await world.option('MjForwardUrlEnabled', false)
  expect((await gets(world, alice, '/mj/task/mj-2/fetch')).json.videoUrl).toBe(own)
})

it('an image that its reader does not take counts as a body of the drawing’s account until the reader is gone', async () => {
  const large = Buffer.concat([PNG, Buffer.alloc(10 * 1024 * 1024)])
  const files = await aFileServer((_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(large))
  const fixture = await aFixture({ FETCH_ALLOWED_ADDRESSES: '127.0.0.1', MAX_BODY_MEMORY_MB: '16' })
  const { world } = fixture
  const url = pathOf(await drawnAt(fixture, `${files.url}/large.png`))
  const slow = connect(Number(new URL(world.url).port), '127.0.0.1')
  slow.write(`GET ${url} HTTP/1.1\r\nhost: ${new URL(world.url).host}\r\n\r\n`)
  await once(slow, 'readable')
  const statusNow = async () => {
    const response = await fetch(world.url + url)
    await response.arrayBuffer()
    return response.status
  }
  expect(await statusNow()).toBe(503)
  slow.destroy()
  await expect.poll(statusNow).toBe(200)
})
