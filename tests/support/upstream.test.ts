import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import './loopback.ts'
import { anUpstream, type Upstream } from './upstream.ts'

let upstream: Upstream
beforeEach(async () => {
  upstream = await anUpstream()
  onTestFinished(upstream.stop)
})
const post = (body: string, signal?: AbortSignal) =>
  fetch(`${upstream.url}/v1/chat/completions?x=1`, { method: 'POST', body, headers: { 'X-Mine': 'yes' }, signal })

describe('the fake upstream', () => {
  it('records the requests it received, byte for byte', async () => {
    await post('{"model": "m",  "n":1}')
    expect(upstream.last()).toMatchObject({
      method: 'POST',
      path: '/v1/chat/completions?x=1',
      json: { model: 'm', n: 1 },
    })
    expect(upstream.last().bytes.toString()).toBe('{"model": "m",  "n":1}')
    expect(upstream.last().headers['x-mine']).toBe('yes')
    await post('not json')
    expect(upstream.last().json).toBeUndefined()
    expect(upstream.requests).toHaveLength(2)
  })

  it('answers as a chat vendor by default', async () => {
    const whole = await (await post('{}')).json()
    expect(whole.choices[0].message.content).toBe('Hello there')
    const stream = await (await post('{"stream":true}')).text()
    expect(stream).toMatch(/^data: \{.*"usage":\{"prompt_tokens":10.*data: \[DONE\]\n\n$/s)
  })

  it('uses scripts in their order and stays with the last', async () => {
    upstream.answers({ status: 500, body: { error: 'first' } }, (request) => ({ body: `second ${request.text}` }))
    expect((await post('a')).status).toBe(500)
    expect(await (await post('b')).text()).toBe('second b')
    expect(await (await post('c')).text()).toBe('second c')
    upstream.answers({ status: 429, headers: { 'retry-after': '7' } })
    expect((await post('d')).headers.get('retry-after')).toBe('7')
    upstream.reset()
    expect((await post('{}')).status).toBe(200)
    expect(upstream.requests).toHaveLength(1)
  })

  it('breaks a stream off where configured', async () => {
    upstream.streams(['one', { two: 2 }, Buffer.from(': raw\n\n'), 'never'], { cutAfter: 3 })
    const response = await post('{}')
    const seen: string[] = []
    const read = async () => {
      for await (const part of response.body ?? []) seen.push(Buffer.from(part).toString())
    }
    await expect(read()).rejects.toThrow()
    expect(seen.join('')).toBe('data: one\n\ndata: {"two":2}\n\n: raw\n\n')
  })

  it('hangs until the caller leaves, and knows that it left', async () => {
    upstream.streams(['one'], { hang: true })
    const leaving = new AbortController()
    const response = await post('{}', leaving.signal)
    leaving.abort()
    expect(await upstream.last().aborted).toBe(true)
    await response.body?.cancel().catch(() => {})

    upstream.answers({ body: 'done' })
    await (await post('{}')).text()
    expect(await upstream.last().aborted).toBe(false)
  })
})
