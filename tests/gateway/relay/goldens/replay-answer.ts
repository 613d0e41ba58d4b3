import { usageOf } from '../../../../gateway/billing/usage.ts'
import { lossIn } from '../../../../gateway/relay/formats/answer-losses.ts'
import type { AnswerFrame, Codec, Json, Wire } from '../../../../gateway/relay/formats/codec.ts'
import { createCodecs } from '../../../../gateway/relay/formats/codecs.ts'
import type { AnswerEvent } from '../../../../gateway/relay/formats/events.ts'
import type { Format } from '../../../../gateway/relay/formats/format.ts'
import { structuredWire } from '../../../../gateway/relay/transforms/structured-output.ts'
import { frame } from './answers.ts'
import type { AnswerGolden, StreamGolden } from './golden.ts'

/** All codecs; they number the ids of calls from `call_1`. */
export function aSetOfCodecs() {
  let calls = 0
  return createCodecs(() => `call_${++calls}`)
}

/** Decodes a golden's response in one dialect and encodes it in another; the charge follows the upstream's usage. */
export function answered(golden: AnswerGolden, from: Format, to: Format): Json {
  const codecs = aSetOfCodecs()
  const events = wireFor(codecs[from], golden).decodeAnswer(golden.forms[from])
  return codecs[to].encodeAnswer(events, framed(golden), chargedFor(events))
}

/** Names of the event contents that a dialect cannot express, without repetition. */
export const lossesOf = (events: readonly AnswerEvent[], to: Format): readonly string[] => [
  ...new Set(events.flatMap((event) => lossIn(event, to) ?? [])),
]

/** Losses of a golden's response between two dialects. */
export const lostIn = (golden: AnswerGolden, from: Format, to: Format): readonly string[] =>
  lossesOf(wireFor(aSetOfCodecs()[from], golden).decodeAnswer(golden.forms[from]), to)

/** Options for decoding a golden's responses. */
export const wireFor = (codec: Codec, { structured }: AnswerGolden | StreamGolden): Wire =>
  structured ? structuredWire(codec, structured) : codec

export const framed = (golden: AnswerGolden | StreamGolden): AnswerFrame => ({ ...frame, ...golden.frame })

/** The final usage reported by an upstream. */
export function chargedFor(events: readonly AnswerEvent[]) {
  const told = events.findLast((event) => event.type === 'usage')
  return told?.type === 'usage' ? told.usage : usageOf({})
}
