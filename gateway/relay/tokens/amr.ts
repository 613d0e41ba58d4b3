const FRAMES_PER_SECOND = 50

/** Bytes of a frame by its type, the type's own byte included; what has no speech is one byte (RFC 4867 §5.3). */
const formats = [
  { magic: Buffer.from('#!AMR\n'), frames: [13, 14, 16, 18, 20, 21, 27, 32, 6] },
  { magic: Buffer.from('#!AMR-WB\n'), frames: [18, 24, 33, 37, 41, 47, 51, 59, 61, 6] },
] as const

/** Seconds of a single-channel AMR or AMR-WB recording, counted by its frames of 20 ms; undefined for any other file. */
export function amrSeconds(bytes: Buffer): number | undefined {
  const format = formats.find(({ magic }) => bytes.subarray(0, magic.length).equals(magic))
  if (format === undefined) return undefined
  let count = 0
  for (let at = format.magic.length; at < bytes.length; count += 1)
    at += format.frames[((bytes[at] ?? 0) >> 3) & 15] ?? 1
  return count / FRAMES_PER_SECOND
}
