import type { Recorded } from '../../../support/upstream.ts'

/**
 * A part of a form as the upstream received it: its name, the file name and type if it is a file, and its bytes as
 * Latin-1.
 */
export type SentPart = Readonly<{ name: string; file?: string; type?: string; content: string }>

/** The form that reached the upstream; its parser is not the gateway's. */
export async function sentForm({ bytes, headers }: Recorded): Promise<SentPart[]> {
  const response = new Response(new Uint8Array(bytes), { headers: { 'content-type': headers['content-type'] ?? '' } })
  const parts: SentPart[] = []
  for (const [name, value] of (await response.formData()).entries()) {
    if (typeof value === 'string') parts.push({ name, content: value })
    else {
      const content = Buffer.from(await value.arrayBuffer()).toString('latin1')
      parts.push({ name, file: value.name, type: value.type, content })
    }
  }
  return parts
}

/** Silence in the simplest kind of WAV: one byte per sample, 8000 samples per second. */
export function silence(seconds: number): Buffer {
  const rate = 8000
  const head = Buffer.alloc(44)
  const size = rate * seconds
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + size, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(size, 40)
  return Buffer.concat([head, Buffer.alloc(size, 128)])
}
