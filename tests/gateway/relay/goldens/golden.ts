import type { AnswerFrame, Json } from '../../../../gateway/relay/formats/codec.ts'
import { type Format, formats } from '../../../../gateway/relay/formats/format.ts'
import type { StructuredAnswer } from '../../../../gateway/relay/transforms/structured-output.ts'

/** A direction of conversion: source and target dialect. */
export type Pair = `${Format}>${Format}`

/** All ordered pairs of two dialects. */
export const pairs: readonly Readonly<{ pair: Pair; from: Format; to: Format }>[] = formats.flatMap((from) =>
  formats.filter((to) => to !== from).map((to) => ({ pair: `${from}>${to}` as const, from, to })),
)

/**
 * The outcome of a feature whose result is not simply its form in the target dialect. `wire` is the result; the default
 * is that form or, if it is null, the plain request. Without other members the meaning is preserved.
 */
export type Outcome<Wire> = Readonly<{
  wire?: Wire
  /** Reported losses: a request's in X-Switchyard-Dropped, under the client's own names; a stream's in the log row. */
  reported?: readonly string[]
  /** The field for which the request is refused. */
  refused?: string
  /** The result is the nearest equivalent in the target dialect. */
  isNearest?: true
  /** A usage figure is omitted because responses of the target dialect have no field for it. */
  isPartial?: true
  /** Omitted without a report, because it is meaningless to the target. */
  isLeftOut?: true
  /** The reason why conversion is impossible although the target dialect has an equivalent. */
  impossible?: string
}>

type Golden<Wire> = Readonly<{
  /** The feature's name in docs/fidelity.md; unique among requests, responses or streams. */
  feature: string
  /** Its form in each dialect, as in the vendor's reference; null where the vendor has none. */
  forms: Readonly<Record<Format, Wire | null>>
  /** The client dialects of the responses that this applies to; default all. */
  clients?: readonly Format[]
  outcomes?: Readonly<Partial<Record<Pair, Outcome<Wire>>>>
}>

/** A request. Its forms contain neither `model` nor `stream`, which Gemini has in its path. */
export type RequestGolden = Golden<Json> &
  Readonly<{
    /** The models, where they differ from `usualModels`. */
    models?: Readonly<Partial<Record<Format, string>>>
    /** The upstream of OpenAI's dialect: OpenAI itself, a vendor that adopted the dialect, or OpenRouter. */
    openai?: 'vendor' | 'router'
    stream?: true
  }>

export type AnswerGolden = Golden<Json> & Answering

/** A stream: the payloads of its events; strings for those that are not JSON, such as OpenAI's end mark. */
export type StreamGolden = Golden<readonly (Json | string)[]> & Answering

/** Properties of the request that a response belongs to. */
type Answering = Readonly<{
  frame?: Partial<AnswerFrame>
  /** How JSON was requested from a model that does not support it natively. */
  structured?: StructuredAnswer
}>

/** Models that support most features. */
export const usualModels: Readonly<Record<Format, string>> = {
  openai: 'gpt-4.1',
  responses: 'gpt-4.1',
  anthropic: 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-flash',
}

/** The directions that a golden covers. */
export const directionsOf = ({ forms, clients }: Row) =>
  pairs.filter(({ from, to }) => forms[from] !== null && clients?.includes(to) !== false)

/** A golden as a row of docs/fidelity.md. */
export type Row = Golden<unknown>

/** The result of a feature in a direction. */
export type Fate = 'carried' | 'nearest' | 'told' | 'refused' | 'left out' | 'absent'

/** The result of a feature according to its golden, which the tests enforce. */
export function fateOf({ forms, clients, outcomes }: Row, from: Format, to: Format): Fate {
  if (forms[from] === null || clients?.includes(to) === false) return 'absent'
  const outcome = outcomes?.[`${from}>${to}`]
  if (!outcome) return 'carried'
  if (outcome.refused !== undefined) return 'refused'
  if (outcome.reported || outcome.isPartial) return 'told'
  if (outcome.isLeftOut) return 'left out'
  return outcome.isNearest ? 'nearest' : 'carried'
}
