import { StringDecoder } from 'node:string_decoder'
import type { FrameReader } from '../../formats/codec.ts'
import { LineTooLong } from '../../formats/refusals.ts'

/** Max characters of one event, which has a few words or usage. */
const MAX_EVENT_LENGTH = 256 * 1024

/**
 * Splits the vendor's stream into events, each as JSON `{event, data, meta}`. They are not standard server-sent events:
 * the last one has a line `meta:`, and the data is bare text, which includes a space after the colon unless all other
 * lines of the event have one too. Throws `LineTooLong`.
 */
export function createFrameReader(): FrameReader {
  const decoder = new StringDecoder('utf8')
  let carry = ''
  /** The last characters, in which a blank line may have begun. */
  let tail = ''
  const cut = (text: string): string[] => {
    const seen = tail + text
    tail = seen.slice(-2)
    carry += text
    const blocks = BLANK_LINE.test(seen) ? carry.replaceAll('\r\n', '\n').split('\n\n') : [carry]
    carry = blocks.pop() ?? ''
    if (carry.length > MAX_EVENT_LENGTH) throw new LineTooLong('an event of the stream is longer than 256 KiB')
    return blocks.flatMap(payloadOf)
  }
  return {
    feed: (bytes) => cut(decoder.write(bytes)),
    end: () => cut(`${decoder.end()}\n\n`),
  }
}

const BLANK_LINE = /\n\r?\n/

function payloadOf(block: string): readonly string[] {
  const lines = block.split('\n').filter((line) => line !== '')
  if (lines.length === 0) return []
  const others = lines.filter((line) => !line.startsWith('data:'))
  const isSpaced = others.every((line) => line.includes(': '))
  const valuesOf = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => bare(line.slice(name.length + 1), isSpaced))
  const [event] = valuesOf('event')
  const [meta] = valuesOf('meta')
  return [JSON.stringify({ event, data: valuesOf('data').join('\n'), meta })]
}

const bare = (value: string, isSpaced: boolean): string => (isSpaced && value.startsWith(' ') ? value.slice(1) : value)
