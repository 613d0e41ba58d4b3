import fc from 'fast-check'
import { namedEvent, type Said } from '../../support/said.ts'
import type { Recorded, Script, StreamEvent } from '../../support/upstream.ts'
import { answered } from '../relay/parity/vendors.ts'
import type { Used } from './oracle/cost.ts'

/** Usage as a vendor claims it, valid or not; `undefined`: the figure is missing. */
export type Claim = Readonly<Record<(typeof figures)[number], unknown>>
const figures = [
  ...(['prompt', 'completion', 'cacheRead', 'cacheWrite', 'cacheHour', 'image', 'audioIn', 'audioOut'] as const),
  'webSearches',
] as const

/** Max tokens in a plausible figure. */
const MAX = 10_000_000
const honest = fc.oneof(fc.nat(40), fc.nat(5000), fc.nat(400_000), fc.constant(MAX))
const lie = fc.constantFrom<unknown>(
  -1,
  -500_000_000,
  10.5,
  0.1,
  '10',
  '',
  null,
  true,
  [],
  {},
  1e308,
  20_000_000,
  2 ** 53,
)
const part = fc.oneof(
  { weight: 6, arbitrary: honest },
  { weight: 1, arbitrary: lie },
  { weight: 3, arbitrary: fc.constant(undefined) },
)
const whole = fc.oneof(
  { weight: 12, arbitrary: honest },
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: lie },
)
const searches = fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(9) }, lie)

export const claims: fc.Arbitrary<Claim> = fc.record({
  ...Object.fromEntries(figures.map((figure) => [figure, part])),
  prompt: whole,
  completion: whole,
  webSearches: searches,
}) as fc.Arbitrary<Claim> // every figure is among them

/** A vendor that responds in the request's dialect, with the claim as its usage. */
export function claiming(request: Recorded, said: Said, claim: Claim): Script {
  const script = answered(request, said, null)
  const { member, write } = wireOf(request.path)
  const usage = write(claim)
  if (!script.events) return { body: { ...(script.body as object), [member]: usage } } // a complete response is an object
  return { events: placed(request.path, script.events, usage) }
}

/**
 * The usage in a claim by docs/reference/conversion.md#usage and docs/reference/security.md#money; undefined if it must
 * be estimated.
 */
export function believed(path: string, claim: Claim): Used | undefined {
  const counted = (figure: keyof Claim): number | undefined => {
    const value = claim[figure]
    return isBelievable(value) ? value : undefined
  }
  const { has, isInside } = wireOf(path)
  const [prompt, completion] = [counted('prompt'), counted('completion')]
  if (prompt === undefined || completion === undefined) return undefined
  const of = (figure: keyof Claim) => (has.includes(figure) ? (counted(figure) ?? 0) : 0)
  const hour = of('cacheHour')
  // A sum of 0 next to a nonzero part is ignored.
  const cacheWrite = of('cacheWrite') || hour
  const used: Used = {
    prompt,
    completion,
    cacheRead: of('cacheRead'),
    cacheWrite,
    cacheHour: hour,
    image: of('image'),
    audioIn: of('audioIn'),
    audioOut: of('audioOut'),
    webSearches: of('webSearches'),
    fileSearches: 0,
    isInside,
  }
  const all = prompt + completion + (isInside ? 0 : used.cacheRead + used.cacheWrite)
  return all === 0 ? undefined : used
}

/** Whether a value is a plausible number of tokens. */
export const isBelievable = (value: unknown): value is number =>
  typeof value === 'number' && value % 1 === 0 && value >= 0 && value <= MAX

type Wire = Readonly<{
  member: 'usage' | 'usageMetadata'
  write(claim: Claim): object
  /** Figures, besides prompt and completion, that the dialect has a field for. */
  has: readonly (keyof Claim)[]
  isInside: boolean
}>

const chat: Wire = {
  member: 'usage',
  has: ['cacheRead', 'cacheWrite', 'image', 'audioIn', 'audioOut'],
  isInside: true,
  write: ({ prompt, completion, cacheRead, cacheWrite, image, audioIn, audioOut }) => ({
    prompt_tokens: prompt,
    completion_tokens: completion,
    prompt_tokens_details: {
      cached_tokens: cacheRead,
      cache_write_tokens: cacheWrite,
      audio_tokens: audioIn,
      image_tokens: image,
    },
    completion_tokens_details: { audio_tokens: audioOut },
  }),
}

const responses: Wire = {
  ...chat,
  write: ({ prompt, completion, cacheRead, cacheWrite, image, audioIn, audioOut }) => ({
    input_tokens: prompt,
    output_tokens: completion,
    input_tokens_details: {
      cached_tokens: cacheRead,
      cache_write_tokens: cacheWrite,
      audio_tokens: audioIn,
      image_tokens: image,
    },
    output_tokens_details: { audio_tokens: audioOut },
  }),
}

const messages: Wire = {
  member: 'usage',
  has: ['cacheRead', 'cacheWrite', 'cacheHour', 'webSearches'],
  isInside: false,
  write: ({ prompt, completion, cacheRead, cacheWrite, cacheHour, webSearches }) => ({
    input_tokens: prompt,
    output_tokens: completion,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
    cache_creation: { ephemeral_1h_input_tokens: cacheHour },
    server_tool_use: { web_search_requests: webSearches },
  }),
}

const gemini: Wire = {
  member: 'usageMetadata',
  has: ['cacheRead', 'image', 'audioIn', 'audioOut'],
  isInside: true,
  write: ({ prompt, completion, cacheRead, image, audioIn, audioOut }) => ({
    promptTokenCount: prompt,
    candidatesTokenCount: completion,
    cachedContentTokenCount: cacheRead,
    promptTokensDetails: [
      { modality: 'AUDIO', tokenCount: audioIn },
      { modality: 'IMAGE', tokenCount: image },
    ],
    candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: audioOut }],
  }),
}

const wires: readonly (readonly [string, Wire])[] = [
  ['/v1/chat', chat],
  ['/v1/responses', responses],
  ['/v1/messages', messages],
  ['/v1beta', gemini],
]

function wireOf(path: string): Wire {
  const wire = wires.find(([start]) => path.startsWith(start))?.[1]
  if (!wire) throw new Error(`nobody answers ${path}`)
  return wire
}

/**
 * Inserts the usage where each dialect's streams report it: in a separate event, in the last event, or in the first and
 * the last.
 */
function placed(path: string, events: readonly StreamEvent[], usage: object): readonly StreamEvent[] {
  if (path.startsWith('/v1/chat'))
    return events.toSpliced(-1, 0, { object: 'chat.completion.chunk', choices: [], usage })
  if (path.startsWith('/v1beta')) return events.toSpliced(-1, 1, { ...(events.at(-1) as object), usageMetadata: usage })
  return events.map((event) => {
    const data = JSON.parse(/^data: (.*)$/m.exec(String(event))?.[1] ?? '{}')
    if (data.type === 'response.completed')
      return namedEvent(data.type, { ...data, response: { ...data.response, usage } })
    if (data.type === 'message_start') return namedEvent(data.type, { ...data, message: { ...data.message, usage } })
    return data.type === 'message_delta' ? namedEvent(data.type, { ...data, usage }) : event
  })
}
