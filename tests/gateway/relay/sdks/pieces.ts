import type { Script, StreamEvent } from '../../../support/upstream.ts'

/**
 * The same stream in pieces of a few bytes, with the other line ends of the standard, with comments, and without the
 * space after the colon (HTML standard, "Parsing an event stream").
 */
export function inPieces(script: Script, size: number): Script {
  if (!script.events) return script
  const text = script.events.map(framed).join(': a comment\r\n\r\n')
  const bytes = Buffer.from(text.replaceAll(/\r?\n/g, '\r\n').replaceAll('data: ', 'data:'))
  const count = Math.ceil(bytes.length / size)
  return { events: Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size)) }
}

const framed = (event: StreamEvent): string => {
  if (Buffer.isBuffer(event)) return event.toString()
  return `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`
}
