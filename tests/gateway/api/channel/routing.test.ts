import { gzipSync } from 'node:zlib'
import Koa from 'koa'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { serve, withMessage } from '../../../../gateway/api/serve.ts'
import { createApi } from '../../../../gateway/api/server.ts'
import { silentLogger } from '../../../../gateway/base/log/logger.ts'
import { closed, listen, urlOf } from '../../../../gateway/composition/listen.ts'
import { createHttpRates } from '../../../../gateway/limits/http-rate.ts'
import { ownRates } from '../../../../gateway/shared-state/rates.ts'
import { call } from '../../../../shared/api/call.ts'
import { model } from '../../../../shared/api/model.ts'
import { option } from '../../../../shared/api/option.ts'
import { setup } from '../../../../shared/api/setup.ts'
import { status } from '../../../../shared/api/status.ts'
import { user } from '../../../../shared/api/user.ts'
import { aClock } from '../../../support/clock.ts'
import { aWorld, type World } from '../../../support/world.ts'
import { ask, type RawAsk } from '../raw.ts'

const calls = [model, option, setup, status, user].flatMap((area) => Object.values(area))

describe('routes (docs/reference/api.md#statuses, docs/reference/api.md#paths-and-queries)', () => {
  let world: World
  let headers: Record<string, string>
  beforeAll(async () => {
    world = await aWorld()
    headers = world.admin.identity()
  })
  const at = (path: string, asking: RawAsk = {}) =>
    ask(world.url + path, { ...asking, headers: { ...headers, ...asking.headers } })

  it.each(calls.filter(({ method, path }) => method === 'GET' && !path.endsWith('logout')))(
    'GET $path answers with and without a trailing slash',
    async (call) => {
      const path = call.path.replace(':id', String(world.admin.id))
      const [plain, slashed] = await Promise.all([at(path), at(`${path}/`)])
      expect([slashed.status, slashed.json.success]).toEqual([200, true])
      expect(slashed.json).toEqual(plain.json)
    },
  )

  it('preserve the body of a post with a trailing slash', async () => {
    const body = JSON.stringify({ key: 'TopUpLink', value: 'https://there.example' })
    const put = await at('/api/option/', { method: 'PUT', body, headers: { 'content-type': 'application/json' } })
    expect(put.json).toEqual({ success: true, message: '', data: null })
    expect((await at('/api/status')).json.data.top_up_link).toBe('https://there.example')
  })

  it.each([
    ['GET', '/api'],
    ['GET', '/api/'],
    ['GET', '/api/nothing'],
    ['GET', '/api/user/self/deeper'],
    ['GET', '/api/USER/self'],
    ['GET', '/api//user/self'],
    ['POST', '/api/user/self'],
    ['PATCH', '/api/option'],
    ['OPTIONS', '/api/option'],
    ['DELETE', '/api/setup'],
    ['GET', '/api/%E0%A4%A'],
  ])('%s %s does not exist', async (method, path) => {
    const reply = await at(path, { method })
    expect(reply.status).toBe(404)
    const message = `Invalid URL (${method} ${path})`
    expect(reply.json).toEqual({ error: { message, type: 'invalid_request_error', param: '', code: '' } })
  })

  it('answer a HEAD as a GET without its body', async () => {
    const { status: code, text } = await at('/api/status', { method: 'HEAD' })
    expect([code, text]).toEqual([200, ''])
  })

  it('carry the id of the request and are never stored', async () => {
    const reply = await at('/api/status')
    expect(reply.headers['x-request-id']).toMatch(/^\d{23}\w{8}$/)
    expect(reply.headers['x-oneapi-request-id']).toBe(reply.headers['x-request-id'])
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.headers['x-content-type-options']).toBe('nosniff')
    expect(reply.headers).not.toHaveProperty('access-control-allow-origin')
  })

  it('compress answers of some length for clients that accept it', async () => {
    const squeezed = await at('/api/option', { headers: { 'accept-encoding': 'gzip, br' } })
    expect(squeezed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
    // The body is compressed as a whole before it is sent, not streamed.
    expect(squeezed.headers).toHaveProperty('content-length')
    for (const accepted of ['identity', 'br', 'gzip;q=0']) {
      const plain = await at('/api/option', { headers: { 'accept-encoding': accepted } })
      expect(plain.headers).not.toHaveProperty('content-encoding')
      expect(plain.headers).toHaveProperty('content-length')
    }
    expect((await at('/api/option')).headers).not.toHaveProperty('content-encoding')
    const short = await at('/api/user/self', { headers: { 'accept-encoding': 'gzip' } })
    expect(short.headers).not.toHaveProperty('content-encoding')
  })

  it('use the requested language, and Chinese if none is requested', async () => {
    const message = async (language: Record<string, string>) =>
      (await ask(`${world.url}/api/user/self`, { headers: { 'accept-language': '', ...language } })).json.message
    expect(await message({ 'accept-language': 'en-GB' })).toBe('Not logged in, and no access token was sent')
    const chinese = await message({ 'accept-language': 'zh-CN,en;q=0.5' })
    expect(chinese).toMatch(/[\u4e00-\u9fff]/)
    expect(await message({})).toBe(chinese)
  })
})

describe('bodies (docs/reference/limits.md#bodies)', () => {
  let world: World
  beforeAll(async () => {
    world = await aWorld()
  })
  const put = (body: string | Buffer, headers: Record<string, string> = {}, path = '/api/option') =>
    ask(world.url + path, {
      method: 'PUT',
      body,
      headers: { ...world.admin.identity(), 'content-type': 'application/json', ...headers },
    })
  const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
    ask(`${world.url}/api/user/login`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })
  const refusal = (reason: string) => ({ success: false, message: `Invalid input: ${reason}` })

  it('that are not JSON get 400 on PUT /api/option and a message elsewhere', async () => {
    for (const body of ['', '{', 'key=TopUpLink', Buffer.from([0x22, 0xff, 0x22])]) {
      expect(await put(body)).toMatchObject({ status: 400, json: refusal('JSON') })
      expect(await post(body)).toMatchObject({ status: 200, json: refusal('JSON') })
    }
  })

  it('must declare that they are JSON', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
    ])
      expect((await post('{}', { 'content-type': type })).json).toEqual({
        success: false,
        message: 'Send the body as application/json',
      })
    expect((await post('{}', { 'content-type': 'Application/JSON; charset=utf-8' })).json.message).toBe(
      'Invalid parameters',
    )
  })

  it('are not inflated', async () => {
    const bomb = gzipSync(JSON.stringify({ username: 'x'.repeat(10_000_000), password: 'x' }))
    expect((await post(bomb, { 'content-encoding': 'gzip' })).json).toEqual(refusal('Content-Encoding: identity'))
  })

  it('end at 1 MiB, declared or not', async () => {
    const long = JSON.stringify({ username: 'x'.repeat(1024 * 1024), password: 'x' })
    const message = 'The request body is larger than 1 MiB. Send a smaller one.'
    expect((await post(long, { 'content-length': String(long.length) })).json).toEqual({ success: false, message })
    expect((await post(long, { 'transfer-encoding': 'chunked' })).json).toEqual({ success: false, message })
  })

  it('are at most 64 deep with at most 10,000 keys; text in strings counts for nothing', async () => {
    const deep = (levels: number) => `{"username":${'['.repeat(levels)}${']'.repeat(levels)}}`
    expect((await post(deep(64))).json).toEqual(refusal('JSON depth > 64'))
    expect((await post(deep(500_000))).json).toEqual(refusal('JSON depth > 64'))
    expect((await post(deep(63))).json.message).toMatch(/^Invalid input: username: /)
    const wide = `{${Array.from({ length: 10_001 }, (_, key) => `"${key}":1`).join()}}`
    expect((await post(wide)).json).toEqual(refusal('JSON keys > 10000'))
    const quoted = JSON.stringify({ username: 'a', password: '[{":"'.repeat(39) })
    expect((await post(quoted)).json.message).toBe('Wrong username or password, or the account is banned')
  })

  it('lose fields that are not in the contract, prototypes included', async () => {
    const body =
      '{"username":"nobody","password":"x","__proto__":{"role":100},"constructor":{"prototype":{"role":100}}}'
    expect((await post(body)).json.message).toBe('Wrong username or password, or the account is banned')
    expect(({} as { role?: number }).role).toBeUndefined()
  })

  it('that do not fit are refused with the field, in the language of the caller', async () => {
    expect((await post('{"username":5}')).json.message).toMatch(/^Invalid input: username: must be text$/)
    expect((await post('{"username":5}', { 'accept-language': 'zh' })).json.message).toMatch(
      /username: [\u4e00-\u9fff]/,
    )
    expect((await post('[]')).json.message).toMatch(/^Invalid input: /)
  })
})

describe('the server', () => {
  const start = async (areas: Parameters<typeof createApi>[0]['areas']) => {
    const app = new Koa()
    app.use((ctx, next) => {
      ctx.state.requestId = 'the-id'
      return next()
    })
    const logged: unknown[] = []
    const log = { ...silentLogger, error: (message: string, fields?: object) => logged.push({ message, ...fields }) }
    app.use(createApi({ ...ground, areas, log }))
    const { server, bound } = await listen({ handler: app.callback() }, '127.0.0.1', 0)
    return { url: urlOf(bound), logged, stop: () => closed(server) }
  }
  const nobody = async () => {
    throw new Error('nobody is asked')
  }
  const ground = {
    identity: { require: nobody, visitor: nobody },
    recentLogin: { require: nobody },
    sessions: {
      start: nobody,
      find: nobody,
      end: nobody,
      knows: nobody,
      cleanUp: nobody,
      listOf: nobody,
      endOne: nobody,
      endOthers: nobody,
    },
    rates: createHttpRates({ api: 0, web: 0, critical: 0, rates: ownRates(aClock()) }),
    isTrustedProxy: () => false,
    serverAddress: () => '',
    operatorRole: 10,
    isDemo: () => false,
    log: silentLogger,
    checkAnswers: true,
  }
  const area = {
    fault: call({ method: 'GET', path: '/api/x/fault', summary: 'A call.', access: 'public', answer: z.null() }),
    liar: call({ method: 'GET', path: '/api/x/liar', summary: 'A call.', access: 'public', answer: z.number() }),
    one: call({
      method: 'GET',
      path: '/api/x/:id',
      summary: 'A call.',
      access: 'public',
      params: z.object({ id: z.string() }),
      answer: z.string(),
    }),
    listed: call({
      method: 'GET',
      path: '/api/x/listed',
      summary: 'A call.',
      access: 'public',
      answer: z.array(z.string()),
      extras: z.object({ total: z.number() }),
    }),
    failed: call({
      method: 'GET',
      path: '/api/x/failed',
      summary: 'A call.',
      access: 'public',
      answer: z.null(),
      extras: z.object({ time: z.number() }),
      failureHasFields: true,
    }),
    said: call({
      method: 'GET',
      path: '/api/x/said',
      summary: 'A call.',
      access: 'public',
      query: z.object({ word: z.string() }),
      answer: z.string(),
    }),
  }
  const served = serve(area, {
    fault: () => {
      throw new Error('the password is 12345')
    },
    liar: () => 'no number' as unknown as number,
    one: ({ params }) => params.id,
    listed: () => ({ data: ['a'], extras: { total: 1 } }),
    failed: () => ({ failed: 'upstream says no', extras: { time: 1.5 } }),
    said: ({ query }) => withMessage('op.ok', query.word),
  })

  it('prefers fixed paths to parameters, and puts extra fields next to data, and the messages of handlers in answers', async () => {
    const { url, stop } = await start([served])
    const json = async (path: string) => (await ask(url + path)).json
    expect(await json('/api/x/listed')).toEqual({ success: true, message: '', data: ['a'], total: 1 })
    expect(await json('/api/x/failed')).toEqual({ success: false, message: 'upstream says no', time: 1.5 })
    expect(await json('/api/x/other')).toEqual({ success: true, message: '', data: 'other' })
    const message = 'Operation completed successfully!'
    expect(await json('/api/x/said?word=one&word=two')).toEqual({ success: true, message, data: 'one' })
    await stop()
  })

  it('shows nothing of a fault but its id, and logs the rest', async () => {
    const { url, logged, stop } = await start([served])
    const reply = await ask(`${url}/api/x/fault`)
    expect(reply.status).toBe(500)
    expect(reply.text).toContain('the-id')
    expect(reply.text).not.toContain('12345')
    expect(logged).toMatchObject([
      { requestId: 'the-id', path: '/api/x/fault', error: { message: 'the password is 12345' } },
    ])
    await stop()
  })

  it('checks answers against their contract if configured to', async () => {
    const { url, stop } = await start([served])
    expect((await ask(`${url}/api/x/liar`)).status).toBe(500)
    await stop()
  })

  it('refuses to be built with a call of unknown access or two calls on one route', () => {
    const open = serve({ a: area.fault }, { a: () => null })
    const undeclared = open.map((one) => ({ ...one, call: { ...one.call, access: undefined as unknown as 'public' } }))
    expect(() => createApi({ ...ground, areas: [undeclared] })).toThrow('no access is declared for GET /api/x/fault')
    expect(() => createApi({ ...ground, areas: [open, open] })).toThrow('two calls share the route GET /api/x/fault')
  })
})
