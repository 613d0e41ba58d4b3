/** Bytes of an image that are examined, and max segments or boxes: no camera writes a hundred before the size. */
const HEADER = 65_536
const MAX_PARTS = 500

/**
 * Returns the size of a PNG, JPEG, GIF, WebP, BMP, AVIF or HEIC image from its first 64 KiB; undefined if they do not
 * contain it. Never throws, and takes well under a millisecond for any content: images are untrusted, and many come in
 * a request.
 */
export function imageSizeOf(bytes: Buffer): ImageSize | undefined {
  const header = bytes.subarray(0, HEADER)
  try {
    const size = formats.find(({ isOne }) => isOne(header))?.size(header)
    return size && size.width > 0 && size.height > 0 ? size : undefined
  } catch {
    return undefined
  }
}

type ImageFormat = Readonly<{ isOne: (bytes: Buffer) => boolean; size: (bytes: Buffer) => ImageSize | undefined }>

const matches = (text: string, at = 0) => {
  return (bytes: Buffer): boolean => bytes.toString('latin1', at, at + text.length) === text
}

const formats: readonly ImageFormat[] = [
  { isOne: matches('\x89PNG'), size: pngSize },
  { isOne: matches('\xff\xd8\xff'), size: jpegSize },
  { isOne: matches('GIF8'), size: (bytes) => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }) },
  { isOne: (bytes) => matches('RIFF')(bytes) && matches('WEBP', 8)(bytes), size: webpSize },
  { isOne: matches('BM'), size: bmpSize },
  { isOne: matches('ftyp', 4), size: heifSize },
]

/** PNG, "Image header"; Apple's variant has a chunk before it. */
function pngSize(bytes: Buffer): ImageSize {
  const at = matches('CgBI', 12)(bytes) ? 32 : 16
  return { width: bytes.readUInt32BE(at), height: bytes.readUInt32BE(at + 4) }
}

/** ITU-T T.81, B.1.1.3 and B.2.2: the first frame header, before any scan. */
function jpegSize(bytes: Buffer): ImageSize | undefined {
  for (let at = 2, parts = 0; parts < MAX_PARTS && bytes.readUInt8(at) === 0xff; parts += 1) {
    const marker = bytes.readUInt8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    if (marker === START_OF_SCAN) return undefined
    at += marker === FILL ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

const START_OF_SCAN = 0xda
const FILL = 0xff

/** RFC 9649, sections 2.5 to 2.7. */
function webpSize(bytes: Buffer): ImageSize | undefined {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    default:
      return undefined
  }
}

/** A bitmap with rows from top to bottom has a negative height. */
function bmpSize(bytes: Buffer): ImageSize {
  const isOld = bytes.readUInt32LE(14) === 12
  if (isOld) return { width: bytes.readUInt16LE(18), height: bytes.readUInt16LE(20) }
  return { width: bytes.readUInt32LE(18), height: Math.abs(bytes.readInt32LE(22)) }
}

/**
 * ISO/IEC 23008-12, 6.5.3: the largest of the sizes in `meta/iprp/ipco`; the others are of its tiles and its thumbnail.
 */
function heifSize(bytes: Buffer): ImageSize | undefined {
  const [meta] = boxes(bytes, 'meta')
  const [iprp] = meta ? boxes(meta.subarray(4), 'iprp') : []
  const [ipco] = iprp ? boxes(iprp, 'ipco') : []
  const sizes = ipco ? boxes(ipco, 'ispe') : []
  return sizes
    .map((ispe) => ({ width: ispe.readUInt32BE(4), height: ispe.readUInt32BE(8) }))
    .reduce<ImageSize | undefined>(larger, undefined)
}

function boxes(bytes: Buffer, type: string): Buffer[] {
  const code = Buffer.from(type, 'latin1').readUInt32BE()
  const found: Buffer[] = []
  for (let at = 0, parts = 0; parts < MAX_PARTS && at + 8 <= bytes.length; parts += 1) {
    const length = bytes.readUInt32BE(at)
    if (length < 8) break
    if (bytes.readUInt32BE(at + 4) === code) found.push(bytes.subarray(at + 8, at + length))
    at += length
  }
  return found
}

const larger = (one: ImageSize | undefined, other: ImageSize): ImageSize =>
  one && one.width * one.height >= other.width * other.height ? one : other

/** Width and height in pixels. */
export type ImageSize = Readonly<{ width: number; height: number }>
