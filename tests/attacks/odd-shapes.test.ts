import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { usageOf } from '../support/chat.ts'
import { workOf } from '../support/work-of.ts'
import { aStreamWorld, pairs, type StreamWorld } from './stream-world.ts'

let streams: StreamWorld

beforeAll(async () => {
  streams = await aStreamWorld()
})
beforeEach(() => streams.world.upstream.reset())

const candidate = (text: string, more: object = {}) => ({ content: { role: 'model', parts: [{ text }] }, ...more })
const metadata = { usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 } }

describe('characters that some parsers treat as a line end, but JSON does not', () => {
  const TEXT = 'one\u2028two\u2029data: three\u2028data: four\u0085'
  const scripts = {
    gemini: [
      { candidates: [candidate(TEXT, { index: 0 })] },
      { candidates: [candidate('.', { index: 0, finishReason: 'STOP' })], ...metadata },
    ],
    openai: [
      { id: 'c', choices: [{ index: 0, delta: { content: TEXT } }] },
      { id: 'c', choices: [{ index: 0, delta: { content: '.' }, finish_reason: 'stop' }] },
      { id: 'c', choices: [], usage: usageOf({}) },
      '[DONE]',
    ],
  } as const

  it.each(['gemini', 'openai'] as const)('reach a caller who reads an array, from %s', async (vendor) => {
    const { text } = await streams.call(vendor, 'gemini as an array', { events: scripts[vendor] })
    const said = (JSON.parse(text) as { candidates: ReturnType<typeof candidate>[] }[]).map(
      ({ candidates }) => candidates[0]?.content.parts[0]?.text ?? '',
    )
    expect(said.join('')).toBe(`${TEXT}.`)
  })
})

describe('an answer whose index is beyond all that were requested', () => {
  const callers = pairs.filter(([vendor]) => vendor === 'gemini').map(([, caller]) => caller)
  it.each(callers)('is the answer at its position, at once, to %s', async (caller) => {
    const answer = async (index: number) => {
      const events = [{ candidates: [candidate('Hello', { index, finishReason: 'STOP' })], ...metadata }]
      let text = ''
      const work = await workOf(async () => {
        ;({ text } = await streams.call('gemini', caller, { events }))
      })
      return { text, work }
    }
    const usual = Math.max((await answer(0)).work, 50)
    for (const index of [4_294_967_290, -1, 0.5]) {
      const { text, work } = await answer(index)
      expect(work).toBeLessThan(20 * usual)
      expect(text).toContain('Hello')
      if (!caller.startsWith('gemini')) expect(text).not.toContain(String(index))
    }
  })
})
