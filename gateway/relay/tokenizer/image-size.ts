import { imageSize } from 'image-size'
import type { ImageSize } from './images.ts'

const HEADER = 65_536
const MIN_LENGTH = 12

/** How the formats that vendors accept begin; nothing else is given to the parsers. */
const starts: readonly (readonly [number, RegExp])[] = [
  [0, /^\x89PNG/],
  [0, /^\xff\xd8\xff/],
  [0, /^GIF8/],
  [0, /^RIFF....WEBP/s],
  [0, /^BM/],
  [4, /^ftyp(avif|avis|heic|heix|hevc|heim|mif1|msf1)/],
]

/**
 * Size of a PNG, JPEG, GIF, WebP, BMP, AVIF or HEIC image by its first 64 KiB; undefined when they do not tell. Never
 * throws. The parser gets a copy: it reads past the end of a view, into whatever shares the memory.
 */
export function imageSizeOf(bytes: Buffer): ImageSize | undefined {
  const start = bytes.toString('latin1', 0, 2 * MIN_LENGTH)
  if (bytes.length < MIN_LENGTH || !starts.some(([at, magic]) => magic.test(start.slice(at)))) return undefined
  try {
    const { width, height } = imageSize(Uint8Array.from(bytes.subarray(0, HEADER)))
    return width > 0 && height > 0 ? { width, height } : undefined
  } catch {
    return undefined
  }
}
