/** Milliseconds of the machine's monotonic clock, comparable across the processes of one run. */
export const monotonicMs = () => Number(process.hrtime.bigint()) / 1e6

const stampDigits = 16
const marker = '~'

/** The byte that starts a send stamp; it occurs nowhere else in a bench stream. */
export const markerByte = marker.charCodeAt(0)

/** The send stamp that an event carries as its content: a marker and the send time in microseconds, in fixed width. */
export const sendStamp = () => marker + String(Math.round(monotonicMs() * 1000)).padStart(stampDigits, '0')

/**
 * The send time in milliseconds of the stamp whose marker is at `at`; undefined when the packet ends within the stamp.
 */
export function sentAtMs(piece: Buffer, at: number): number | undefined {
  const end = at + 1 + stampDigits
  return end > piece.length ? undefined : Number(piece.toString('latin1', at + 1, end)) / 1000
}
