import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { aCaller } from '../gateway/relay/websockets/caller.ts'
import { aSocketVendor } from '../gateway/relay/websockets/socket-vendor.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1, 'claude-sonnet-4': 1, 'text-embedding-3-small': 1 } } })
  await world.channel({ models: 'gpt-4o,text-embedding-3-small' })
  await world.channel({ type: 14, models: 'claude-sonnet-4', base_url: world.upstream.url })
  alice = await world.user({ quota: 1_000_000_000 })
})
afterEach(() => world.upstream.reset())

const list = (count: number, item: string): string => `[${Array.from({ length: count }, () => item).join(',')}]`
const different = (count: number): string => `{${Array.from({ length: count }, (_, at) => `"name${at}":1`).join(',')}}`
const inEveryDialect = [
  ['/v1/chat/completions', '"model":"gpt-4o","messages"'],
  ['/v1/messages', '"model":"gpt-4o","max_tokens":9,"messages"'],
  ['/v1/responses', '"model":"gpt-4o","input"'],
  ['/v1beta/models/gpt-4o:generateContent', '"contents"'],
  ['/v1/embeddings', '"model":"text-embedding-3-small","input"'],
  ['/v1/messages/count_tokens', '"model":"gpt-4o","messages"'],
] as const

/** Runs the work and returns the longest text that the gateway passed to JSON.parse during it. */
async function longestParsed(work: () => Promise<void>): Promise<number> {
  const parse = JSON.parse
  let longest = 0
  const spy = vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    if (text.length > longest && new Error('here').stack?.includes('/gateway/')) longest = text.length
    return parse(text, reviver)
  })
  await work()
  spy.mockRestore()
  return longest
}

describe('a body with too much in it is refused before it is parsed', () => {
  it.each(inEveryDialect)('%s', async (path, beginning) => {
    const longest = await longestParsed(async () => {
      const values = await alice.calls(path, `{${beginning}:${list(500_000, '{}')}}`)
      expect(values.status).toBe(413)
      expect(values.json.error.message).toContain('contains more than 400000 values')
      const names = await alice.calls(path, `{${beginning}:[${different(50_000)}]}`)
      expect(names.status).toBe(413)
      expect(names.json.error.message).toContain('more than 20000 different field names')
      const deep = await alice.calls(path, `{${beginning}:${'['.repeat(100_000)}${']'.repeat(100_000)}}`)
      expect(deep.status).toBe(400)
      expect(deep.json.error.message).toContain('too deeply nested')
    })
    expect(longest).toBeLessThan(10_000)
    expect(world.upstream.requests).toHaveLength(0)
  })

  it('also where it is in a text that another dialect requires as an object', async () => {
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: list(20_000, '{}') } }
    const messages = [
      { role: 'user', content: 'hello' },
      {
        role: 'assistant',
        content: null,
        tool_calls: Array.from({ length: 30 }, (_, at) => ({ ...call, id: `c${at}` })),
      },
    ]
    const { status, json } = await alice.calls('/v1/chat/completions', { model: 'claude-sonnet-4', messages })
    expect(status).toBe(413)
    expect(json.error.message).toContain('contains more than 400000 values')
    expect(world.upstream.requests).toHaveLength(0)
  })

  it('on the console as well, where names count as often as they come', async () => {
    const login = (body: string) =>
      fetch(`${world.url}/api/user/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'accept-language': 'en' },
        body,
      }).then((response) => response.json())
    expect(await login(`{"username":${list(60_000, '{}')}}`)).toMatchObject({
      message: 'Invalid input: JSON values > 50000',
    })
    expect(await login(`{"username":${list(10_001, '{"a":1}')}}`)).toMatchObject({
      message: 'Invalid input: JSON keys > 10000',
    })
  })
})

describe('a large harmless body passes byte for byte', () => {
  const passes = async (text: string) => {
    const { status } = await alice.calls('/v1/chat/completions', text)
    expect(status).toBe(200)
    expect(world.upstream.last().bytes.equals(Buffer.from(text))).toBe(true)
  }

  it('with images, escaped slashes, and everything a long text may contain', async () => {
    const image = `data:image/png;base64,iVBORw0KGgo${'A'.repeat(3_000_000)}/+=`
    const url = JSON.stringify({ type: 'image_url', image_url: { url: image } })
    const odd = JSON.stringify(`\u6f22\u5b57 "quoted" \\ \n \ud83d\ude80 \u0001 ${'x'.repeat(1_200_000)}`)
    const messages = `[{"role":"user","content":[${url}, ${url.replaceAll('/', '\\/')},{"type":"text","text":${odd}}]}]`
    await passes(`{ "model" : "gpt-4o",\n "messages":${messages}, "seed": 12345678901234567890 }`)
  })

  it('with 10,000 messages', async () => {
    const messages = Array.from({ length: 10_000 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: [{ type: 'text', text: `Message ${at}: ${'something said at some length. '.repeat(8)}` }],
    }))
    await passes(JSON.stringify({ model: 'gpt-4o', messages }))
  })

  it('and means the same to a vendor of another dialect', async () => {
    world.upstream.answers({
      body: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4',
        content: [{ type: 'text', text: 'Hello' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 3, output_tokens: 1 },
      },
    })
    const data = `iVBORw0KGgoA${'A'.repeat(3_000_000)}`
    const text = `\u6f22\u5b57 \ud83d\ude80 "${'x'.repeat(1_200_000)}"`
    const content = [
      { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
      { type: 'text', text },
    ]
    const { status } = await alice.calls('/v1/chat/completions', {
      model: 'claude-sonnet-4',
      messages: [{ role: 'user', content }],
    })
    expect(status).toBe(200)
    const [image, said] = world.upstream.last().json.messages[0].content
    expect(image.source.data === data).toBe(true)
    expect(said.text === text).toBe(true)
  })

  it('is refused as before where it is invalid JSON, or has a field twice', async () => {
    const long = JSON.stringify('x'.repeat(2_000_000))
    const refused = async (body: string, message: string) => {
      const { status, json } = await alice.calls('/v1/chat/completions', body)
      expect(status).toBe(400)
      expect(json.error.message).toContain(message)
    }
    await refused(`{"model":"gpt-4o","messages":[${long}]`, 'not valid JSON')
    await refused(`{"model":"gpt-4o","messages":[${long.replace('xx', 'x\n')}]}`, 'not valid JSON')
    await refused(`{"model":"gpt-4o","model":"gpt-4o","messages":[${long}]}`, 'a field appears twice')
    await refused(`[${long}]`, 'must be a JSON object')
  })
})

describe('an answer of an upstream with too much in it', () => {
  it('is not assumed for a thousand vectors', async () => {
    const vector = `[${Array.from({ length: 1536 }, (_, at) => (at * 0.0123).toFixed(4)).join(',')}]`
    const data = list(1000, `{"object":"embedding","index":0,"embedding":${vector}}`)
    const text = `{"object":"list","data":${data},"model":"m","usage":{"prompt_tokens":7,"total_tokens":7}}`
    world.upstream.answers({ body: text, headers: { 'content-type': 'application/json' } })
    const answer = await alice.calls('/v1/embeddings', { model: 'text-embedding-3-small', input: 'hi' })
    expect(answer.status).toBe(200)
    expect(answer.text === text).toBe(true)
  })

  it('is refused, and charged as reserved', async () => {
    world.upstream.answers({
      body: `{"choices":${list(500_000, '{}')}}`,
      headers: { 'content-type': 'application/json' },
    })
    const before = await alice.quota()
    let status = 0
    const longest = await longestParsed(async () => {
      status = (await alice.asks('gpt-4o', 'hello')).status
    })
    expect(status).toBe(400)
    expect(longest).toBeLessThan(1_000_000)
    expect(await alice.quota()).toBeLessThan(before)
  })

  it('ends a stream with an event of the kind, which costs nothing', async () => {
    const before = await alice.quota()
    const bomb = `{"choices":[],"extra":${list(500_000, '{}')}}`
    const said = { choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: 'stop' }] }
    world.upstream.streams([bomb, said, '[DONE]'])
    let text = ''
    const longest = await longestParsed(async () => {
      text = (await alice.asks('gpt-4o', 'hello', { stream: true })).text
    })
    expect(text).toContain('stream_response_error')
    expect(text).not.toContain('"Hello"')
    expect(longest).toBeLessThan(1_000_000)
    expect(await alice.quota()).toBe(before)
  })
})

describe('a frame of a socket', () => {
  it('is refused before it is parsed, and the socket continues', async () => {
    const caller = await aCaller(world, '/v1/responses', alice)
    const longest = await longestParsed(async () => {
      caller.send(`{"type":"response.create","model":"gpt-4o","input":${list(500_000, '{}')}}`)
      expect(await caller.gets('error')).toMatchObject({
        error: { message: expect.stringContaining('contains more than 400000 values') },
      })
    })
    expect(longest).toBeLessThan(10_000)
    expect(caller.socket.readyState).toBe(caller.socket.OPEN)
    caller.socket.close()
  })
})

describe('an event of a realtime session', () => {
  it('is not sent on, and the session continues', async () => {
    const vendor = await aSocketVendor()
    onTestFinished(() => vendor.stop())
    await world.channel({ models: 'gpt-realtime', base_url: vendor.url })
    await world.option('ModelRatio', { 'gpt-4o': 1, 'gpt-realtime': 1 })
    const caller = await aCaller(world, '/v1/realtime?model=gpt-realtime', alice)
    await caller.gets('session.created')
    const longest = await longestParsed(async () => {
      caller.send(`{"type":"session.update","session":${list(500_000, '{}')}}`)
      expect(await caller.gets('error')).toMatchObject({
        error: { message: expect.stringContaining('contains more than 400000 values') },
      })
    })
    expect(longest).toBeLessThan(10_000)
    caller.send({ type: 'response.create' })
    await expect.poll(() => vendor.last().frames).toEqual([{ type: 'response.create' }])
    caller.socket.close()
  })
})

describe('a form', () => {
  const form = (text: string) => {
    const part = (name: string, value: string) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const file = '--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\nPNG\r\n'
    return `${part('model', 'gpt-4o')}${part('prompt', text)}${file}--x--\r\n`
  }
  const edit = (text: string) =>
    alice.calls('/v1/images/edits', form(text), { headers: { 'content-type': 'multipart/form-data; boundary=x' } })

  it('has texts of a bounded length', async () => {
    const { status, json } = await edit('x'.repeat(1024 * 1024))
    expect(status).toBe(400)
    expect(json.error.message).toContain('the fields of the form are too long')
    expect(world.upstream.requests).toHaveLength(0)
    expect((await edit('x'.repeat(1000 * 1024))).status).not.toBe(400)
    expect(world.upstream.last().text).toContain('Content-Type: image/png')
  })
})
