import { parsed } from '../../../../gateway/base/json/json.ts'
import { usageOf } from '../../../../gateway/billing/usage.ts'
import type { Json } from '../../../../gateway/relay/formats/codec.ts'
import type { Format } from '../../../../gateway/relay/formats/format.ts'
import { createEventTap } from '../../../../gateway/relay/metering/event-tap.ts'
import { translation } from '../../../../gateway/relay/transforms/translation.ts'
import type { StreamGolden } from './golden.ts'
import { aSetOfCodecs, framed, wireFor } from './replay-answer.ts'

/** Payloads as the dialect's vendor sends them; Anthropic and Responses also name their events. */
export const sent = (payloads: readonly (Json | string)[], format: Format): string =>
  payloads
    .map((payload) => {
      if (typeof payload === 'string') return `data: ${payload}\n\n`
      const named = format === 'anthropic' || format === 'responses'
      return `${named ? `event: ${payload.type}\n` : ''}data: ${JSON.stringify(payload)}\n\n`
    })
    .join('')

/** The output of a stream that arrives in these pieces, through the relay's own reader, converter and tap. */
export function translatedText(
  golden: StreamGolden,
  from: Format,
  to: Format,
  pieces: readonly Buffer[],
  tap = createEventTap('a-model', to),
): string {
  const codecs = aSetOfCodecs()
  const decoder = wireFor(codecs[from], golden).decodeStream()
  const transform = translation(decoder, codecs[to].encodeStream(framed(golden)), tap)
  const said = pieces.map((piece) => String(transform.feed(piece))).join('') + String(transform.end())
  return said + transform.close(tap.observed.usage ?? usageOf({}))
}

/** The payloads of a stream; checks that an event's name, if any, is its type. */
export function payloadsOf(text: string): readonly (Json | string)[] {
  const events = text.split('\n\n').filter((event) => event !== '')
  return events.map((event) => {
    const [, name, data = ''] = /^(?:event: (\S+)\n)?data: (.*)$/s.exec(event) ?? []
    const payload = parsed(data) as Json | undefined // every payload but the end mark is an object
    if (name !== undefined && payload?.type !== name) throw new Error(`the event ${name} holds ${payload?.type}`)
    return payload ?? data
  })
}

/** Converts a golden's stream from one dialect to another; returns its payloads and its losses. */
export function replayed(golden: StreamGolden, from: Format, to: Format) {
  const tap = createEventTap('a-model', to)
  const text = translatedText(golden, from, to, [Buffer.from(sent(golden.forms[from] ?? [], from))], tap)
  return { payloads: payloadsOf(text), lost: tap.lost?.() ?? [] } as const
}
