import { describe, expect, it } from 'vitest'
import { createLiveTally } from '../../../../gateway/relay/websockets/live/live-tally.ts'

const figures = (promptTokenCount: number) => ({
  usageMetadata: { promptTokenCount, responseTokenCount: 10, totalTokenCount: promptTokenCount + 10 },
})
const words = { serverContent: { modelTurn: { parts: [{ text: 'Hello' }] } } }
const ended = (how: string, prompt?: number) => ({
  serverContent: { [how]: true },
  ...(prompt === undefined ? {} : figures(prompt)),
})

type Messages = readonly Readonly<Record<string, unknown>>[]

/** The prompts that a session of these messages is billed for. */
const billed = async (...messages: Messages): Promise<number[]> => (await bills(...messages)).map(([prompt]) => prompt)

/** The prompts and outputs that a session of these messages is billed for. */
async function bills(...messages: Messages): Promise<(readonly [number, number])[]> {
  const usages: (readonly [number, number])[] = []
  const tally = createLiveTally({
    count: async ([text = '']) => ({ tokens: text.length, source: 'counted' }),
    used: ({ prompt, completion }) => void usages.push([prompt, completion]),
    failed: (error) => {
      throw error
    },
  })
  for (const message of messages) tally.fromUpstream(message)
  await tally.finish('complete')
  return usages
}

describe('the tally of a Live session (docs/reference/streams.md#live-sessions)', () => {
  it('bills every turn that was interrupted before its first word', async () => {
    expect(await billed(ended('interrupted', 100), ended('interrupted', 200), ended('interrupted', 200))).toEqual([
      100, 200, 200,
    ])
    expect(await billed(words, ended('turnComplete', 100), ended('turnComplete', 300))).toEqual([100, 300])
  })

  it('bills an answer that is interrupted and then complete once, with the usage of either', async () => {
    expect(await billed(words, ended('interrupted', 100), ended('turnComplete', 100))).toEqual([100])
    expect(await billed(words, ended('interrupted'), ended('turnComplete', 100))).toEqual([100])
    expect(await billed(words, ended('turnComplete'), figures(100))).toEqual([100])
  })

  it('bills figures that come before the first word once, the last ones', async () => {
    expect(await billed(figures(90), words, ended('turnComplete', 100))).toEqual([100])
  })

  it('bills the words after early usage in addition to it, where no later usage comes', async () => {
    expect(await bills(words, figures(90), words, words)).toEqual([
      [90, 10],
      [0, 10],
    ])
    expect(await bills(figures(90), words, ended('turnComplete'), words, ended('turnComplete', 100))).toEqual([
      [90, 10],
      [100, 10],
      [0, 5],
    ])
  })

  it('bills by the usage that comes after the end, instead of early usage', async () => {
    expect(await bills(figures(90), words, ended('turnComplete'), figures(100))).toEqual([[100, 10]])
    expect(await bills(words, figures(90), ended('turnComplete'))).toEqual([[90, 10]])
  })
})
