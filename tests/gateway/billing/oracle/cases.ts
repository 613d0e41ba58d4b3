import fc from 'fast-check'
import type { Used, Wanted } from './cost.ts'
import type { Asked, Operator } from './prices.ts'

/** Model names that match every rule of docs/reference/billing.md#built-in-prices, and some that match none. */
const models = [
  ...['gpt-4o', 'gpt-4o-2024-05-13', 'gpt-4o-mini', 'gpt-4o-mini-tts', 'gpt-4o-all', 'gpt-4o-search-preview'],
  ...['gpt-4.1', 'gpt-4.1-mini', 'gpt-4.5-preview', 'gpt-4-turbo', 'gpt-4-1106-preview', 'gpt-4-0125', 'gpt-4-32k'],
  ...['gpt-5', 'gpt-5.1', 'gpt-5.4', 'gpt-5.4-nano', 'o1', 'o3-mini', 'o4-mini', 'chatgpt-4o-latest', 'gpt-image-1'],
  ...['claude-3-opus', 'claude-sonnet-4', 'vendor/claude-opus-4', 'claude-haiku-4-5', 'claude-instant-1.2', 'claude-2'],
  ...['gpt-3.5-turbo', 'gpt-3.5-turbo-0125', 'gpt-3.5-turbo-1106', 'gpt-3.5-turbo-16k', 'mistral-large', 'command-r'],
  ...['gemini-1.5-pro', 'gemini-2.0-flash', 'gemini-2.5-pro', 'gemini-2.5-pro-thinking-128', 'gemini-2.5-flash'],
  ...['gemini-2.5-flash-preview-x-nothinking', 'gemini-2.5-flash-preview-04', 'gemini-2.5-flash-lite-thinking-9'],
  ...['gemini-2.5-flash-preview-native-audio-dialog', 'gemini-3-pro-image', 'gemini-3-pro', 'gemini-x', 'command-a'],
  ...['command-r-plus-08-2024', 'DeepSeek-Chat', 'deepseek-reasoner', 'ERNIE-Speed-8K', 'llama3-70b-8192'],
  ...['gpt-4-gizmo-g-1', 'gpt-4o-gizmo-g-2', 'gpt-4o-audio-preview', 'gpt-4o-mini-audio-preview-2024-12-17'],
  ...['gpt-4o-realtime-preview', 'gpt-4o-mini-realtime-preview', 'gpt-realtime', 'x-realtime', 'gpt-audio', 'tts-1'],
  ...['gpt-4o-transcribe', 'whisper-1', 'dall-e-2', 'dall-e-3', 'imagen-4', 'somebody-s-model', 'constructor'],
]
/** Names under which families are priced, and prefixes of dated variants. */
const folded = ['gpt-4-gizmo-*', 'gpt-4o-gizmo-*', 'gemini-2.5-pro-thinking-*', 'gemini-2.5-flash-lite-thinking-*']
const stems = ['gpt-4o-mini-audio-preview', 'gpt-4o-realtime', 'gpt-4o', 'gemini-2.0', 'tts']

/** A decimal of up to seven digits with up to eight places, or a value typical of vendors or attackers. */
const figure = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(fc.nat(9_999_999), fc.nat(8)).map(([digits, places]) => decimalText(digits, places)),
  },
  { weight: 2, arbitrary: fc.constantFrom('0', '1', '0.5', '0.1', '1.25', '37.5', '23.3333333333', '66.6666666667') },
  { weight: 1, arbitrary: fc.constantFrom('0.000001', '1e-9', '9007199254740991', '1e21', '1e300') },
)

function decimalText(digits: number, places: number): string {
  const text = String(digits).padStart(places + 1, '0')
  return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`
}

/**
 * Shortens ratios to 14 characters: the ratio for one hour is a product stored as a number, exact only for ratios of up
 * to 14 digits.
 */
const shortened = (typed: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, text.length > 14 ? text.slice(0, 13) : text]))

const GROUPS = ['default', 'vip', 'gift', 'nobody']

/** Random pricing options, which set any of a model's figures or none. */
const operators = (names: readonly string[]): fc.Arbitrary<Operator> => {
  /** A map with a figure for `share` of ten names on average. */
  const map = (share: number) => {
    const entry = fc.oneof({ weight: share, arbitrary: figure }, { weight: 10 - share, arbitrary: fc.constant('') })
    const entries = fc.tuple(...names.map((name) => fc.tuple(fc.constant(name), entry)))
    return entries.map((all) => Object.fromEntries(all.filter(([, text]) => text !== '')))
  }
  const groups = fc.dictionary(fc.constantFrom(...GROUPS), fc.oneof(fc.constantFrom('0', '1', '0.8'), figure), {
    noNullPrototype: true,
  })
  return fc.record({
    ModelPrice: fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, map(7)),
    ModelRatio: map(8),
    CompletionRatio: map(4),
    CacheRatio: map(7),
    CreateCacheRatio: map(7).map(shortened),
    ImageRatio: map(7),
    AudioRatio: map(1),
    AudioCompletionRatio: map(1),
    GroupRatio: groups,
    GroupGroupRatio: fc.dictionary(fc.constantFrom(...GROUPS), groups, { noNullPrototype: true, maxKeys: 2 }),
  })
}

/** The maximum of a usage field. */
const MAX = 10_000_000
const tokens = fc.oneof(fc.constant(0), fc.nat(30), fc.nat(300_000), fc.constant(MAX), fc.nat(MAX))
const calls = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(40) }, fc.constant(MAX))

const used: fc.Arbitrary<Used> = fc.record({
  prompt: tokens,
  completion: tokens,
  cacheRead: tokens,
  cacheWrite: tokens,
  cacheHour: tokens,
  image: tokens,
  audioIn: tokens,
  audioOut: tokens,
  webSearches: calls,
  fileSearches: calls,
  isInside: fc.boolean(),
})

const sizes = ['256x256', '512x512', '1024x1024', '1024x1792', '1792x1024', '', '7x7']
const wanted: fc.Arbitrary<Wanted> = fc.record(
  {
    image: fc.record({
      size: fc.constantFrom(...sizes),
      quality: fc.constantFrom('hd', 'standard', ''),
      n: fc.integer({ min: 1, max: 10 }),
    }),
    search: fc.constantFrom('low', 'medium', 'high'),
  },
  { requiredKeys: [] },
)

export type Case = Readonly<{ operator: Operator; asked: Asked; used: Used; wanted: Wanted; unit: number }>

/** Random charges of every kind: any model, operator's figures, usage and caller. */
export const cases: fc.Arbitrary<Case> = fc.constantFrom(...models).chain((model) =>
  fc.record({
    operator: operators([model, ...folded, ...stems]),
    asked: fc.record({
      model: fc.constant(model),
      userGroup: fc.constantFrom(...GROUPS),
      usingGroup: fc.constantFrom(...GROUPS),
      acceptUnset: fc.boolean(),
    }),
    used,
    wanted,
    unit: fc.constantFrom(500_000, 500_000, 1, 1000, 123_457),
  }),
)
