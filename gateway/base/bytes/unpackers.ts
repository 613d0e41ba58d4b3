import type { Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'

/** Binary logarithm of the largest accepted window, 8 MiB (RFC 9659): each window costs memory. */
const ZSTD_WINDOW_LOG = 23

/** Decompressors by lower-case content encoding (docs/reference/limits.md#bodies). */
export const unpackers: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } })],
])
