const BITS = 16
const HEADER = 44
const USUAL_RATE = 24_000

/** PCM samples (16 bits, little-endian, one channel) as a WAV file; both in base64. The rate is the media type's. */
export function wavOf(samples: string, mime: string): string {
  const body = Buffer.from(samples, 'base64')
  const rate = Number(/rate=(\d{4,6})/.exec(mime)?.[1] ?? USUAL_RATE)
  const header = Buffer.alloc(HEADER)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(HEADER - 8 + body.length, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE((rate * BITS) / 8, 28)
  header.writeUInt16LE(BITS / 8, 32)
  header.writeUInt16LE(BITS, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(body.length, 40)
  return Buffer.concat([header, body]).toString('base64')
}
