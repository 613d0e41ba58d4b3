import { request } from 'node:http'
import { expect } from 'vitest'
import type { Figures, Said } from '../../../support/said.ts'
import type { Answering } from '../../../support/upstream.ts'
import type { Person, World } from '../../../support/world.ts'
import { type DialectName, dialects } from './dialects.ts'
import { answered, begun, errorEvent, wantsStream } from './vendors.ts'

export const SAID: Said = { texts: ['The quick brown fox', ' jumps over', ' the lazy dog.'] }
/** A response with reasoning, text and two calls. */
const BUSY: Said = {
  thoughts: 'Foxes jump.',
  texts: ['I will ask.'],
  calls: ['Paris', 'Oslo'].map((city) => ({ id: `call_${city}`, name: 'weather', arguments: { city } })),
}
/** Usage that costs 2000 quota (docs/reference/billing.md#charge). */
export const FIGURES: Figures = { prompt: 1000, cached: 400, completion: 200 }
/** Tokens that the gateway counts for the prompt in every dialect. */
export const COUNTED_PROMPT = 24
/** The usage of a stream cut off after two pieces, from vendors that report usage continuously. */
const PARTIAL: Figures = { prompt: COUNTED_PROMPT, completion: 1 }
const PIECES = 2

/** The vendor's responses, and whether the client leaves before the end. */
export type Ending = Readonly<{ answers: readonly Answering[]; leaves?: boolean }>

export const endings = {
  clean: { answers: [(asked) => answered(asked, SAID, FIGURES)] },
  'client gone': {
    answers: [
      (asked) =>
        wantsStream(asked)
          ? { events: begun(asked, SAID, PARTIAL, PIECES), hang: true }
          : { ...answered(asked, SAID, FIGURES), delayMs: 100 },
    ],
    leaves: true,
  },
  'upstream cut': {
    answers: [
      (asked) =>
        wantsStream(asked)
          ? {
              events: [...begun(asked, SAID, PARTIAL, PIECES), 'never'],
              cutAfter: begun(asked, SAID, PARTIAL, PIECES).length,
            }
          : {
              events: [Buffer.from('{"half": "an ans'), 'never'],
              headers: { 'content-type': 'application/json' },
              cutAfter: 1,
            },
    ],
  },
  'no usage': { answers: [(asked) => answered(asked, SAID, null)] },
  'no usage of tools': { answers: [(asked) => answered(asked, BUSY, null)] },
  'error event': {
    answers: [
      (asked) =>
        wantsStream(asked)
          ? { events: [...begun(asked, SAID, PARTIAL, PIECES), errorEvent(asked, 'too much to do')] }
          : { body: { error: { message: 'too much to do', type: 'server_error', code: 503 } } },
    ],
  },
  'error at once': {
    answers: [
      (asked) =>
        wantsStream(asked)
          ? { events: [errorEvent(asked, 'too much to do')] }
          : { body: { error: { message: 'too much to do', type: 'server_error', code: 503 } } },
      (asked) => answered(asked, SAID, FIGURES),
    ],
  },
  retry: {
    answers: [{ status: 503, body: { error: { message: 'later' } } }, (asked) => answered(asked, SAID, FIGURES)],
  },
} as const satisfies Record<string, Ending>
export type EndingName = keyof typeof endings
export const endingNames = Object.keys(endings) as EndingName[] // the keys of a constant

/**
 * Sends one request in a dialect to a vendor with the given ending; resolves when the client has received all that it
 * waits for.
 */
export async function live(
  { upstream, url }: World,
  person: Person,
  { answers, leaves = false }: Ending,
  [dialect, model, stream]: readonly [DialectName, string, boolean],
): Promise<void> {
  upstream.reset()
  upstream.answers(...answers)
  const path = dialects[dialect].path(model, stream)
  const body = dialects[dialect].body(model, stream)
  if (!leaves) {
    await person.calls(path, body)
    return
  }
  const headers = { authorization: `Bearer sk-${await person.key()}`, 'content-type': 'application/json' }
  await new Promise<void>((resolve) => {
    const outgoing = request(url + path, { method: 'POST', headers, agent: false })
    outgoing.on('error', () => resolve())
    outgoing.on('close', () => resolve())
    outgoing.on('response', (incoming) => {
      let text = ''
      incoming.on('error', () => resolve())
      incoming.on('data', (chunk) => {
        text += chunk
        if (text.includes('jumps over')) outgoing.destroy()
      })
    })
    outgoing.end(JSON.stringify(body))
    if (stream) return
    const isAsked = expect.poll(() => upstream.requests.length).toBe(1)
    void isAsked.finally(() => outgoing.destroy())
  })
}
