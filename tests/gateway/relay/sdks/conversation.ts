import { createHash } from 'node:crypto'
import type { Said } from '../../../support/said.ts'

/** A request as a fake vendor understands it. */
export type Heard = Readonly<{
  stream: boolean
  text: string
  /** Tool results since the user's last message. */
  results: readonly string[]
  tools: readonly string[]
  /** Whether a tool call is forced. */
  mustCall: boolean
  /** The user's image, as text by `pictured` or as its address. */
  picture: string | undefined
  /** Whether the response must follow a schema. */
  wantsJson: boolean
  thinks: boolean
}>

/** Thrown by a fake vendor for a request it would refuse. */
export class Unacceptable extends Error {
  override readonly name = 'Unacceptable'
}

/** Throws `Unacceptable` unless the vendor's rule holds. */
export function must(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new Unacceptable(rule)
}

export const THOUGHT = 'Let me think.'
export const CITY = { city: 'Paris', inhabitants: 2_100_000 } as const

/**
 * A vendor's response: tool calls for two cities, or their results as text; a city as JSON, by the answer tool if there
 * is one; otherwise a description of the image, or an echo.
 */
export function answerTo(heard: Heard): Said {
  const thoughts = heard.thinks ? { thoughts: THOUGHT } : {}
  const [answer, ...others] = heard.tools.toReversed()
  if (answer?.startsWith('structured_answer') && (others.length === 0 || heard.results.length > 0))
    return { ...thoughts, texts: ['Here it is.'], calls: [{ id: 'call_3', name: answer, arguments: CITY }] }
  if (heard.results.length > 0) return { ...thoughts, texts: ['The tools said ', heard.results.join(' and '), '.'] }
  const [name = ''] = heard.tools
  // The AI SDK's answer tool is called even if the call is not forced.
  if (heard.mustCall || name === 'json') return { ...thoughts, calls: [{ id: 'call_1', name, arguments: CITY }] }
  if (name !== '') {
    const calls = ['Paris', 'Oslo'].map((city, index) => ({
      id: `call_${index + 1}`,
      name,
      arguments: { city },
    }))
    return { ...thoughts, texts: ['I will ', 'ask.'], calls }
  }
  if (heard.wantsJson) return { ...thoughts, texts: pieces(JSON.stringify(CITY)) }
  if (heard.picture !== undefined) return { ...thoughts, texts: ['I see ', heard.picture] }
  return { ...thoughts, texts: ['You said: ', ...pieces(heard.text)] }
}

/** The text with which vendors describe an image. */
export const pictured = (mime: string, base64: string): string =>
  `${mime} ${createHash('sha256').update(Buffer.from(base64, 'base64')).digest('hex').slice(0, 12)}`

/** The description of the image in a `data:` URL; other addresses unchanged. */
export function picturedUrl(url: string): string {
  const [, mime = '', data = ''] = /^data:([^;]+);base64,(.*)$/.exec(url) ?? []
  return mime === '' ? url : pictured(mime, data)
}

const pieces = (text: string): string[] => text.match(/.{1,12}/gsu) ?? []
