import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { version } from '../../../gateway/installation.ts'
import { HARMLESS_PAGE } from '../../../gateway/relay/media/worker-check.ts'
import { settingTools } from '../../../shared/api/setting-tools.ts'
import { aWorld } from '../../support/world.ts'
import { aFileServer } from '../relay/media/file-server.ts'

const answering =
  (body: unknown, status = 200) =>
  (_: IncomingMessage, response: ServerResponse) =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body))

const document = {
  issuer: 'https://id.example',
  authorization_endpoint: 'https://id.example/authorize',
  token_endpoint: 'https://id.example/token',
  userinfo_endpoint: 'https://id.example/userinfo',
}

describe('OIDC discovery (docs/reference/options.md#testing-settings)', () => {
  const failed = 'Failed to fetch OIDC configuration, check network and Well-Known URL'

  it('reads the three endpoints through the gateway and saves nothing', async () => {
    const world = await aWorld()
    const provider = await aFileServer(answering(document))
    const well_known = `${provider.url}/.well-known/openid-configuration`
    const { data } = await world.admin.post('/api/option/oidc_discovery', { well_known: ` ${well_known} ` })
    expect(data).toEqual({
      authorization_endpoint: 'https://id.example/authorize',
      token_endpoint: 'https://id.example/token',
      user_info_endpoint: 'https://id.example/userinfo',
    })
    expect(provider.asked).toMatchObject([{ method: 'GET', url: '/.well-known/openid-configuration' }])
    expect(world.gateway.inner.settings.get('oidc.token_endpoint')).toBe('')
  })

  it('takes a provider without a user info endpoint', async () => {
    const world = await aWorld()
    const { userinfo_endpoint: _, ...rest } = document
    const provider = await aFileServer(answering(rest))
    const reply = await world.admin.post('/api/option/oidc_discovery', { well_known: provider.url })
    expect(reply.data).toMatchObject({ token_endpoint: 'https://id.example/token', user_info_endpoint: '' })
  })

  it('is requested only from http and https addresses', async () => {
    const { admin } = await aWorld()
    for (const well_known of ['', 'id.example', 'ftp://id.example', 'file:///etc/passwd', 'javascript:alert(1)'])
      expect((await admin.post('/api/option/oidc_discovery', { well_known })).message, well_known).toBe(
        'Well-Known URL must start with http:// or https://',
      )
  })

  it.each([
    ['another status', answering(document, 404)],
    ['no JSON', answering('<html>')],
    ['no endpoints', answering({ issuer: 'https://id.example' })],
    ['an endpoint that is no web address', answering({ ...document, token_endpoint: 'javascript:alert(1)' })],
    ['more than 256 KiB', answering({ ...document, more: 'x'.repeat(256 * 1024) })],
    [
      'a redirect, which is not followed',
      (_: IncomingMessage, response: ServerResponse) => void response.writeHead(302, { location: '/other' }).end(),
    ],
  ])('fails on %s', async (_, handler) => {
    const world = await aWorld()
    const provider = await aFileServer(handler)
    const reply = await world.admin.post('/api/option/oidc_discovery', { well_known: provider.url })
    expect(reply).toMatchObject({ success: false, message: failed })
    expect(provider.asked).toHaveLength(1)
  })

  it('never requests a metadata service', async () => {
    const { admin } = await aWorld()
    for (const host of ['169.254.169.254', '[::ffff:169.254.169.254]', 'metadata.google.internal'])
      expect((await admin.post('/api/option/oidc_discovery', { well_known: `http://${host}/` })).message).toBe(failed)
  })
})

describe('the test of the proxy worker (docs/reference/options.md#testing-settings)', () => {
  it('fetches one harmless page through the stored worker, as files are', async () => {
    const told: unknown[] = []
    const worker = await aFileServer(async (request, response) => {
      told.push(await json(request))
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
    })
    const options = { WorkerUrl: `${worker.url}/fetch`, WorkerValidKey: 'its-key' }
    const { admin } = await aWorld({ options })
    const { data } = await admin.post('/api/option/test_worker')
    expect(data).toEqual({ url: HARMLESS_PAGE, bytes: 6, duration_ms: expect.any(Number) })
    expect(worker.asked).toMatchObject([{ method: 'POST', url: '/fetch/' }])
    expect(told).toEqual([{ url: HARMLESS_PAGE, key: 'its-key' }])
    await admin.post('/api/option/test_worker')
    expect(told, 'nothing is kept').toHaveLength(2)
  })

  it('reports the fault', async () => {
    const { admin, option } = await aWorld()
    const message = async () => (await admin.post('/api/option/test_worker')).message
    expect(await message()).toBe('Enter and save the worker address first')
    const worker = await aFileServer(answering({}, 403))
    await option('WorkerUrl', worker.url)
    expect(await message()).toBe('The worker responded with status 403. Check its address and key.')
    const empty = await aFileServer((_, response) => void response.end())
    await option('WorkerUrl', empty.url)
    expect(await message()).toBe('Cannot fetch through the worker: the body is empty')
  })
})

describe('the check for updates (docs/reference/options.md#testing-settings)', () => {
  const failed = 'Failed to check for updates, try again later'
  const page = 'https://github.example/releases/1'

  it('sends no request until an address is set', async () => {
    const { admin } = await aWorld()
    expect((await admin.get('/api/option/latest_release')).message).toBe('Enter and save the release address first')
  })

  it.each([
    [`v${version}`, true],
    [version, true],
    ['v99.0.0', false],
  ])('reads tag and notes in the shape of GitHub: %s', async (tag, isLatest) => {
    const feed = await aFileServer(
      answering({ tag_name: tag, body: '# New\n<script>1</script>', html_url: page, assets: [] }),
    )
    const { admin } = await aWorld({ options: { UpdateCheckUrl: `${feed.url}/releases/latest` } })
    expect((await admin.get('/api/option/latest_release')).data).toEqual({
      tag,
      notes: '# New\n<script>1</script>',
      url: page,
      version,
      is_latest: isLatest,
    })
    expect(feed.asked).toMatchObject([{ url: '/releases/latest', headers: { 'user-agent': `Switchyard/${version}` } }])
  })

  it('returns no address except of the web', async () => {
    const feed = await aFileServer(answering({ tag_name: 'v2.0.0', body: null, html_url: 'javascript:alert(1)' }))
    const { admin } = await aWorld({ options: { UpdateCheckUrl: feed.url } })
    expect((await admin.get('/api/option/latest_release')).data).toMatchObject({ notes: '', url: '' })
  })

  it.each([
    ['another status', answering({ tag_name: 'v2' }, 403)],
    ['another shape', answering([{ tag_name: 'v2' }])],
    ['no JSON', answering('v2')],
  ])('fails on %s', async (_, handler) => {
    const feed = await aFileServer(handler)
    const { admin } = await aWorld({ options: { UpdateCheckUrl: feed.url } })
    expect((await admin.get('/api/option/latest_release')).message).toBe(failed)
  })
})

it('the tools that prove settings are for operators', async () => {
  const world = await aWorld({ config: { OPTION_MIN_ROLE: '100' } })
  const people = [await world.user(), await world.user({ role: 10 })]
  const bodies: Record<string, object> = {
    [settingTools.discoverOidc.path]: { well_known: 'x' },
    [settingTools.sendTestMail.path]: { to: 'x' },
  }
  for (const { method, path } of Object.values(settingTools)) {
    expect((await world.visitor.send(method, path, bodies[path])).status, path).toBe(401)
    for (const person of people)
      expect((await person.send(method, path, bodies[path])).message, path).toBe(
        'You do not have permission to do this',
      )
  }
})
