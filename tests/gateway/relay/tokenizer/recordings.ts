/** Silent recordings of the given length, as small as the formats allow. */
export function wav(seconds: number, claimed?: number): Buffer {
  const rate = 8000
  const data = Buffer.alloc(rate * 2 * seconds)
  const format = numbers('LE', [2, 1], [2, 1], [4, rate], [4, rate * 2], [2, 2], [2, 16])
  const head = [text('WAVE'), text('fmt '), numbers('LE', [4, 16]), format, text('data')]
  const size = numbers('LE', [4, claimed ?? data.length])
  return Buffer.concat([text('RIFF'), numbers('LE', [4, claimed ?? 36 + data.length]), ...head, size, data])
}

/** A FLAC with many comments, which occupy the parser for long. */
export function flacOfComments(count: number): Buffer {
  const comment = Buffer.concat([numbers('LE', [4, 3]), text('A=B')])
  const block = Buffer.concat([numbers('LE', [4, 0], [4, count]), ...Array.from({ length: count }, () => comment)])
  const whole = flac(61)
  whole[4] = 0
  return Buffer.concat([whole.subarray(0, 42), numbers('BE', [1, 0x84], [3, block.length]), block, whole.subarray(42)])
}

/** Frames of MPEG 1 layer III at 44.1 kHz; `rates` are the header bytes for the bit rate, used in rotation. */
export function mp3(seconds: number, rates: readonly number[] = [0x90]): Buffer {
  const kilobits: Readonly<Record<number, number>> = { 144: 128, 160: 160 }
  const frames = rates.map((rate) => {
    const frame = Buffer.alloc(Math.floor((144_000 * (kilobits[rate] ?? 0)) / 44_100))
    frame.set([0xff, 0xfb, rate, 0])
    return frame
  })
  const count = Math.round((seconds * 44_100) / 1152)
  return Buffer.concat(Array.from({ length: count }, (_, index) => frames[index % frames.length] ?? Buffer.alloc(0)))
}

export function aac(seconds: number): Buffer {
  const frame = Buffer.alloc(100)
  frame.set([0xff, 0xf1, 0x50, 0x80, 0x0c, 0x9f, 0xfc])
  return Buffer.concat(Array.from({ length: Math.round((seconds * 44_100) / 1024) }, () => frame))
}

export function flac(seconds: number): Buffer {
  const rate = 8000
  const info = Buffer.alloc(34)
  info.writeUInt16BE(4096, 0)
  info.writeUInt16BE(4096, 2)
  info.writeBigUInt64BE((BigInt(rate) << 44n) | (15n << 36n) | BigInt(rate * seconds), 10)
  return Buffer.concat([text('fLaC'), Buffer.from([0x80, 0, 0, 34]), info, Buffer.alloc(64)])
}

export function aiff(seconds: number): Buffer {
  const rate = 8000
  const data = Buffer.alloc(rate * seconds)
  const longRate = Buffer.from([0x40, 0x0b, 0xfa, 0, 0, 0, 0, 0, 0, 0])
  const common = [text('COMM'), numbers('BE', [4, 18], [2, 1], [4, data.length], [2, 8]), longRate]
  const sound = [text('SSND'), numbers('BE', [4, data.length + 8], [4, 0], [4, 0]), data]
  const body = Buffer.concat([text('AIFF'), ...common, ...sound])
  return Buffer.concat([text('FORM'), numbers('BE', [4, body.length]), body])
}

export function ogg(seconds: number): Buffer {
  const head = Buffer.concat([
    text('OpusHead'),
    Buffer.from([1, 1]),
    numbers('LE', [2, 0], [4, 48_000], [2, 0], [1, 0]),
  ])
  const tags = Buffer.concat([text('OpusTags'), numbers('LE', [4, 0], [4, 0])])
  const page = (kind: number, granule: number, index: number, body: Buffer) =>
    Buffer.concat([
      text('OggS'),
      numbers('LE', [1, 0], [1, kind], [4, granule], [4, 0], [4, 1], [4, index], [4, 0], [1, 1], [1, body.length]),
      body,
    ])
  return Buffer.concat([page(2, 0, 0, head), page(0, 0, 1, tags), page(4, seconds * 48_000, 2, Buffer.alloc(20))])
}

/** An m4a with the audio before the box that describes it, as recorders write it. */
export function mp4(seconds: number): Buffer {
  const box = (name: string, ...parts: Buffer[]): Buffer => {
    const body = Buffer.concat(parts)
    return Buffer.concat([numbers('BE', [4, body.length + 8]), text(name), body])
  }
  const rate = 8000
  const header = box('mdhd', numbers('BE', [4, 0], [4, 0], [4, 0], [4, rate], [4, rate * seconds], [4, 0]))
  const handler = box('hdlr', Buffer.alloc(8), text('soun'), Buffer.alloc(13))
  const entry = box(
    'mp4a',
    Buffer.alloc(6),
    numbers('BE', [2, 1]),
    Buffer.alloc(8),
    numbers('BE', [2, 1], [2, 16], [4, 0]),
  )
  const sizes = box('stsz', numbers('BE', [4, 0], [4, 5000], [4, 0]))
  const table = box('stbl', box('stsd', numbers('BE', [4, 0], [4, 1]), entry), sizes)
  const track = box('trak', box('tkhd', Buffer.alloc(84)), box('mdia', header, handler, box('minf', table)))
  return Buffer.concat([
    box('ftyp', text('M4A '), Buffer.alloc(4)),
    box('mdat', Buffer.alloc(5000)),
    box('moov', track),
  ])
}

/** The output of a browser's recorder; undefined `seconds`: without a duration. */
export function webm(seconds: number | undefined): Buffer {
  const element = (id: number[], body: Buffer) =>
    Buffer.concat([
      Buffer.from(id),
      Buffer.from([0x10, 0, 0, 0].map((bits, at) => bits | (body.length >> (24 - 8 * at)))),
      body,
    ])
  const duration = Buffer.alloc(8)
  duration.writeDoubleBE((seconds ?? 0) * 1000)
  const scale = element([0x2a, 0xd7, 0xb1], Buffer.from([0x0f, 0x42, 0x40]))
  const info = Buffer.concat(seconds === undefined ? [scale] : [scale, element([0x44, 0x89], duration)])
  const segment = element([0x18, 0x53, 0x80, 0x67], element([0x15, 0x49, 0xa9, 0x66], info))
  return Buffer.concat([element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], text('webm'))), segment])
}

export function amr(seconds: number, band: 'narrow' | 'wide' = 'narrow'): Buffer {
  const [magic, kind, size] = band === 'narrow' ? (['#!AMR\n', 7, 32] as const) : (['#!AMR-WB\n', 8, 61] as const)
  const frame = Buffer.alloc(size)
  frame[0] = kind << 3
  return Buffer.concat([text(magic), ...Array.from({ length: 50 * seconds }, () => frame)])
}

const text = (value: string): Buffer => Buffer.from(value, 'latin1')

/** Numbers, each in the given number of bytes. */
function numbers(order: 'LE' | 'BE', ...fields: readonly (readonly [size: number, value: number])[]): Buffer {
  return Buffer.concat(
    fields.map(([size, value]) => {
      const bytes = Buffer.alloc(size)
      if (order === 'LE') bytes.writeUIntLE(value, 0, size)
      else bytes.writeUIntBE(value, 0, size)
      return bytes
    }),
  )
}
