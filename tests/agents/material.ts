import { crc32, deflateSync } from 'node:zlib'

/** An image of two stripes, 64 by 64 pixels, as PNG. */
export function flag(): Buffer {
  const side = 64
  const rows = Array.from({ length: side }, (_, row) =>
    Buffer.concat([Buffer.from([0]), ...Array.from({ length: side }, () => Buffer.from(row < 32 ? RED : WHITE))]),
  )
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const RED = [200, 30, 30]
const WHITE = [250, 250, 250]

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(data.length, 0)
  named.copy(framed, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}

/** A log of 4,000 lines, about 300 KB, with a recognizable first and last line. */
export function log(): string {
  const lines = Array.from(
    { length: 4000 },
    (_, index) => `line ${index}: the ferry ${index * 7} passed the outer buoy at slack water`,
  )
  return ['first-line-4401', ...lines, 'last-line-4402', ''].join('\n')
}
