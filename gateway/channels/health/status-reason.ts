import { objectOf } from '../registry/active-channel.ts'

/** Why the system took the channel out of service; empty where it did not. */
export function reasonIn(otherInfo: string): string {
  const reason = objectOf(otherInfo)?.status_reason
  return typeof reason === 'string' ? reason : ''
}

/** `other_info` with why and when (unix seconds) the system took the channel out of service. */
export const withReason = (otherInfo: string, reason: string, atSeconds: number): string =>
  JSON.stringify({ ...objectOf(otherInfo), status_reason: reason, status_time: atSeconds })

/** `other_info` without them; empty when nothing else is left. */
export function withoutReason(otherInfo: string): string {
  const { status_reason: _reason, status_time: _time, ...rest } = objectOf(otherInfo) ?? {}
  return Object.keys(rest).length === 0 ? '' : JSON.stringify(rest)
}
