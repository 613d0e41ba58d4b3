import { describe, expect, it } from 'vitest'
import { type Usage, usageOf } from '../../../../gateway/billing/usage.ts'
import { createLiveTally } from '../../../../gateway/relay/websockets/live/live-tally.ts'

const figures = (promptTokenCount: number) => ({
  usageMetadata: { promptTokenCount, responseTokenCount: 10, totalTokenCount: promptTokenCount + 10 },
})
const words = { serverContent: { modelTurn: { parts: [{ text: 'Hello' }] } } }
const ended = (how: string, prompt?: number) => ({
  serverContent: { [how]: true },
  ...(prompt === undefined ? {} : figures(prompt)),
})

const groundingMetadata = { webSearchQueries: ['weather', 'news'] }
const grounded = { serverContent: { groundingMetadata } }
const both = { serverContent: { turnComplete: true, groundingMetadata } }

type Messages = readonly Readonly<Record<string, unknown>>[]

/** The billed prompts of a session with these messages. */
const billed = async (...messages: Messages): Promise<number[]> => (await bills(...messages)).map(([prompt]) => prompt)

/** The billed prompts and outputs of a session with these messages. */
const bills = async (...messages: Messages): Promise<(readonly [number, number])[]> =>
  (await usagesOf(...messages)).map(({ prompt, completion }) => [prompt, completion] as const)

async function usagesOf(...messages: Messages): Promise<Usage[]> {
  const usages: Usage[] = []
  const tally = createLiveTally({
    count: async ([text = '']) => ({ tokens: text.length, source: 'counted' }),
    paidSearches: (searches) => searches,
    now: () => 0,
    reasons: false,
    used: (usage) => void usages.push(usage),
    resumed: usageOf({}),
    remember: () => {},
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

  it.each([
    ['with the figures', [words, { ...grounded, ...ended('turnComplete', 100), ...both }]],
    ['before them', [words, grounded, ended('turnComplete', 100)]],
    ['after early ones', [words, figures(90), grounded, ended('turnComplete')]],
    ['after the end', [words, ended('turnComplete', 100), grounded]],
    ['without figures', [words, grounded, ended('turnComplete')]],
  ])('bills the searches of every turn that are reported %s', async (_, turn) => {
    const searches = (await usagesOf(...turn, ...turn)).map(({ webSearches }) => webSearches)
    expect(searches.reduce((all, count) => all + count, 0)).toBe(4)
  })
})
