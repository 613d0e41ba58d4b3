import type { Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'

/** No body asks for a longer window, which is memory for each (RFC 9659). */
const ZSTD_WINDOW_LOG = 23

/** What unpacks a body of each content encoding that is known, by its name in lower case (docs/reference/limits.md#bodies). */
export const unpackers: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } })],
])
