import type { AnswerFrame, Json } from '../../../../gateway/relay/formats/codec.ts'
import { type Format, formats } from '../../../../gateway/relay/formats/format.ts'
import type { StructuredAnswer } from '../../../../gateway/relay/transforms/structured-output.ts'

/** One direction: the dialect something comes in, and the one it is written in. */
export type Pair = `${Format}>${Format}`

/** All ordered pairs of two dialects. */
export const pairs: readonly Readonly<{ pair: Pair; from: Format; to: Format }>[] = formats.flatMap((from) =>
  formats.filter((to) => to !== from).map((to) => ({ pair: `${from}>${to}` as const, from, to })),
)

/**
 * What becomes of a feature where it does not simply arrive in the target's own form. `wire` is what is written (the
 * target's own form where it is left out, else the plain one). Without further members the meaning is carried.
 */
export type Outcome<Wire> = Readonly<{
  wire?: Wire
  /** Told to the client in X-Switchyard-Dropped, of a request under the client's own names; of a stream in the log row. */
  reported?: readonly string[]
  /** The request is refused for this field. */
  refused?: string
  /** The nearest the target can say. */
  isNearest?: true
  /** Some of it, a figure, has no place in the target's answers. */
  isPartial?: true
  /** Left out, as it means nothing to the target. */
  isLeftOut?: true
  /** Why nobody could carry it all the same, although the target has a form for such things. */
  impossible?: string
}>

type Golden<Wire> = Readonly<{
  /** What the page about fidelity calls it. */
  feature: string
  /** The same in each dialect, as its vendor's reference has it; null where the vendor has no word for it. */
  forms: Readonly<Record<Format, Wire | null>>
  /** Whose answers it is about, where only some clients can be given them; all where it is left out. */
  clients?: readonly Format[]
  outcomes?: Readonly<Partial<Record<Pair, Outcome<Wire>>>>
}>

/** A request. Its forms have neither `model` nor `stream`, which Gemini has in its path. */
export type RequestGolden = Golden<Json> &
  Readonly<{
    /** The models asked, where it takes others than `usualModels`. */
    models?: Readonly<Partial<Record<Format, string>>>
    /** The upstream of OpenAI's dialect: OpenAI itself, a vendor that took the dialect over, or OpenRouter. */
    openai?: 'vendor' | 'router'
    stream?: true
  }>

/** A whole answer. */
export type AnswerGolden = Golden<Json> & Answering

/** A stream: the payloads of its events; text for one that is no JSON, as OpenAI's end mark. */
export type StreamGolden = Golden<readonly (Json | string)[]> & Answering

/** What is known of an answer's request. */
type Answering = Readonly<{
  frame?: Partial<AnswerFrame>
  /** How JSON was asked for that the model does not give of itself. */
  structured?: StructuredAnswer
}>

/** Models that take what is asked for most often. */
export const usualModels: Readonly<Record<Format, string>> = {
  openai: 'gpt-4.1',
  responses: 'gpt-4.1',
  anthropic: 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-flash',
}

/** The directions a golden says something of. */
export const directionsOf = ({ forms, clients }: Row) =>
  pairs.filter(({ from, to }) => forms[from] !== null && clients?.includes(to) !== false)

/** A golden as the page shows it. */
export type Row = Golden<unknown>

/** How a feature fares in a direction. */
export type Fate = 'carried' | 'nearest' | 'told' | 'refused' | 'left out' | 'absent'

/** The fate of a feature, as its golden has it: the tests hold the gateway to it. */
export function fateOf({ forms, clients, outcomes }: Row, from: Format, to: Format): Fate {
  if (forms[from] === null || clients?.includes(to) === false) return 'absent'
  const outcome = outcomes?.[`${from}>${to}`]
  if (!outcome) return 'carried'
  if (outcome.refused !== undefined) return 'refused'
  if (outcome.reported || outcome.isPartial) return 'told'
  if (outcome.isLeftOut) return 'left out'
  return outcome.isNearest ? 'nearest' : 'carried'
}
