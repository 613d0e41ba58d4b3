import { describe, expect, it } from 'vitest'
import { createCodecs } from '../../gateway/relay/formats/codecs.ts'
import { workOf } from '../support/work-of.ts'

const codecs = createCodecs(() => 'call_1')

/** Milliseconds of work, many times what each of these takes on a slow machine. */
const LITTLE = 150

describe('figures of an answer from Anthropic', () => {
  const delta = (usage: object) => JSON.stringify({ type: 'message_delta', delta: {}, usage })

  it('are joined by the names that are known', async () => {
    const { payload } = decoderOf('anthropic')
    const work = await workOf(() => {
      for (let at = 0; at < 4000; at += 1) payload(delta({ [`a${at}`]: 1 }))
    })
    expect(work).toBeLessThan(LITTLE)
    expect(payload(delta({ input_tokens: 3, output_tokens: 2 }))).toMatchObject([
      { usage: { prompt: 3, completion: 2 } },
    ])
  })

  it('have few iterations', async () => {
    const { payload } = decoderOf('anthropic')
    const iterations = Array.from({ length: 20_000 }, () => ({ type: 'message' }))
    payload(delta({ input_tokens: 3, output_tokens: 2, iterations }))
    const work = await workOf(() => {
      for (let at = 0; at < 1000; at += 1) payload(delta({}))
    })
    expect(work).toBeLessThan(LITTLE)
  })
})

/** Reads a stream of that dialect, payload by payload. */
function decoderOf(format: keyof typeof codecs) {
  const decoder = codecs[format].decodeStream()
  return { payload: (text: string) => decoder.payload(text) }
}
