import { crc32 } from 'node:zlib'

const TEXT = 7

/** A message of AWS's event stream (see AWS's "Event stream encoding"). */
export function eventFrame(headers: Record<string, string>, payload: Buffer): Buffer {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value)))
  const bytes = Buffer.alloc(12 + head.length + payload.length + 4)
  bytes.writeUInt32BE(bytes.length, 0)
  bytes.writeUInt32BE(head.length, 4)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8)
  head.copy(bytes, 12)
  payload.copy(bytes, 12 + head.length)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, -4)), bytes.length - 4)
  return bytes
}

/** Anthropic's server-sent events, each in Bedrock's envelope. */
export const chunks = (events: readonly Buffer[]): Buffer[] =>
  events.map((event) => {
    const data = event.toString().split('data: ')[1]?.trim() ?? ''
    const payload = { bytes: Buffer.from(data).toString('base64'), p: 'abcdefgh' }
    const headers = { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' }
    return eventFrame(headers, Buffer.from(JSON.stringify(payload)))
  })

export const exception = (type: string, message: string): Buffer =>
  eventFrame({ ':exception-type': type, ':message-type': 'exception' }, Buffer.from(JSON.stringify({ message })))

/** The content type of Bedrock's streams. */
export const EVENT_STREAM = { 'content-type': 'application/vnd.amazon.eventstream' }

function header(name: string, value: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(value.length)
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([TEXT]), length, Buffer.from(value)])
}
