import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { messageStream } from '../support/anthropic.ts'
import { chatStream } from '../support/chat.ts'
import { geminiStream } from '../support/gemini.ts'
import { responseStream } from '../support/responses.ts'
import type { StreamEvent } from '../support/upstream.ts'
import type { World } from '../support/world.ts'
import { aStreamWorld, pairs, type StreamWorld, type Vendor } from './stream-world.ts'

const KEYS = ['canary-one-Zq81', 'canary-two-Zq82']
const SEEN = 'sk-somebody-elses-0123456789'

/** A stream of each dialect that breaks off in the middle. */
const vendors = {
  openai: { begun: chatStream(['Hello', ' there']).slice(0, 2) },
  anthropic: { begun: messageStream({ texts: ['Hello', ' there'] }).slice(0, 4) },
  gemini: { begun: geminiStream({ texts: ['Hello', ' there'] }).slice(0, 1) },
  responses: { begun: responseStream({ texts: ['Hello', ' there'] }).slice(0, 6) },
} as const satisfies Readonly<Record<Vendor, object>>

/** Forms in which an upstream reports an error within its stream. */
const errors: Readonly<Record<Vendor, readonly ((error: object) => Buffer)[]>> = {
  openai: [
    (error) => event({ error }),
    (error) => event({ error: JSON.stringify(error) }),
    (error) => event({ id: 'c', choices: [{ index: 0, delta: {}, error }] }),
    (error) => Buffer.from(`data: ${JSON.stringify({ error }, null, 1).replaceAll('\n', '\ndata: ')}\n\n`),
  ],
  anthropic: [
    (error) => event({ type: 'error', error }, 'error'),
    (error) => event({ type: 'error', error: JSON.stringify(error) }, 'error'),
  ],
  gemini: [
    (error) => event({ error }),
    (error) => event([{ error }]),
    (error) => event({ error: JSON.stringify(error) }),
  ],
  responses: [
    (error) => event({ ...error, type: 'error', code: 'x' }, 'error'),
    (error) =>
      event({ type: 'response.failed', response: { id: 'resp_1', status: 'failed', error } }, 'response.failed'),
  ],
}
const event = (json: object, name?: string) =>
  Buffer.from(`${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(json)}\n\n`)

let world: World
let stream: StreamWorld
let guarded = false

beforeAll(async () => {
  stream = await aStreamWorld({ RetryTimes: 0 }, { key: KEYS.join('\n'), key_mode: 'pool', auto_ban: 0 })
  world = stream.world
})
beforeEach(() => world.upstream.reset())

const ask = (vendor: Vendor, caller: string, events: readonly StreamEvent[], gapMs = 0) =>
  stream.ask(vendor, caller, { events, gapMs })

/** The error in the last event of a stream, in the caller's dialect. */
function lastError(caller: string, text: string) {
  if (caller.endsWith('array')) return JSON.parse(text).flat().at(-1).error
  const data = text.split(/\r?\n\r?\n/).findLast((each) => /^data:/m.test(each)) ?? ''
  const json = JSON.parse(data.replace(/^(event|id):.*\n/gm, '').replace(/^data: ?/gm, ''))
  return json.error ?? json.choices?.[0]?.error ?? json.response?.error ?? json
}

const both = [false, true] as const
describe.each(both)('with words to be blocked: %s', (isGuarded) => {
  beforeAll(async () => {
    if (isGuarded === guarded) return
    guarded = isGuarded
    await world.option('CheckSensitiveEnabled', isGuarded)
    await world.option('SensitiveWords', isGuarded ? 'forbidden' : '')
  })

  it.each(pairs)(
    'an error in a stream contains no key and no address, and ends it: %s to %s',
    async (vendor, caller) => {
      const { host } = new URL(world.upstream.url)
      const message = `no ${KEYS.join(' ')} nor ${SEEN} at ${world.upstream.url}/v1, ${host} or https://elsewhere.example/x`
      const { begun } = vendors[vendor]
      for (const write of errors[vendor]) {
        const told = write({ message, type: 'invalid_request_error', code: 400, [`at ${host}`]: { deep: [message] } })
        for (const bytes of [told, Buffer.from(told.toString().replaceAll('canary', '\\u0063anary'))]) {
          const half = Math.floor(bytes.length / 2)
          for (const pieces of [[bytes], [bytes.subarray(0, half), bytes.subarray(half)]]) {
            const { text, receipt } = await ask(vendor, caller, [...begun, ...pieces, ...begun], 10)
            expect(text).toContain('Hello')
            for (const secret of [...KEYS, 'anary-', SEEN, world.upstream.url, host, '127.0.0.1', 'elsewhere.example'])
              expect(text.includes(secret), `${secret} in ${text}`).toBe(false)
            expect(JSON.stringify(lastError(caller, text))).toContain('no *** ***')
            expect(receipt.other.ended).toBe('upstream-error')
          }
        }
      }
    },
  )

  it.each(pairs)('an event that does not parse is never sent on: %s to %s', async (vendor, caller) => {
    const { begun } = vendors[vendor]
    for (const bad of [
      'data: GARBLED\n\n',
      'event: x\ndata: {"GARBLED":\n\n',
      'data: {"a":\ndata: GARBLED}\n\n',
      ': x\rdata: {"error":"GARBLED"}\n\n',
      'data: {"choices":[{"index":0,"delta":{"content":"GARB\rLED"}}]}\n\n',
    ]) {
      for (const pieces of [[bad], [bad.slice(0, -1), '\n']]) {
        const events = [...begun, ...pieces.map((piece) => Buffer.from(piece)), ...begun]
        const { text, status, broke, receipt } = await ask(vendor, caller, events, 10)
        expect([status, broke]).toEqual([200, undefined])
        expect(text).toContain('Hello')
        expect(text).not.toContain('GARB')
        expect(text.split('Hello')).toHaveLength(2)
        expect(lastError(caller, text).message).toContain(receipt.request_id)
        expect(receipt.quota).toBeGreaterThan(0)
      }
    }
  })

  it.each(pairs)('lines without data pass or are left out, and do no harm: %s to %s', async (vendor, caller) => {
    const { begun } = vendors[vendor]
    const idle = [
      '\ufeff',
      ': keep-alive\n\n',
      'data:\n\n',
      'data: \r\n\r\n',
      'event: ping\n\n',
      'retry: 1\n\n',
      '\r\n',
    ]
    const { text } = await ask(vendor, caller, [...idle.map((each) => Buffer.from(each)), ...begun], 5)
    expect(text).toContain('Hello')
    if (vendor !== caller.split(' ')[0] || caller.endsWith('array'))
      expect(lastError(caller, text).message).toBeTruthy()
  })
})

describe('Gemini’s stream as one array', () => {
  it.each(['openai', 'anthropic', 'gemini'] as const)('is JSON however it breaks, from %s', async (vendor) => {
    const { begun } = vendors[vendor]
    for (const script of [{ cutAfter: begun.length }, {}, { cutAfter: 0 }]) {
      const events = [...begun, 'never'].slice(0, script.cutAfter ?? begun.length)
      const { text, status } = await stream.call(vendor, 'gemini as an array', { events, ...script })
      const json = JSON.parse(text)
      expect([status, (Array.isArray(json) ? json.at(-1) : json).error.code]).toEqual([
        status,
        status === 200 ? 502 : status,
      ])
    }
  })
})
