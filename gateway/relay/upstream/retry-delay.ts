import { isObject, objectsIn, textIn } from '../../base/json/json.ts'

/** Google's `google.rpc.RetryInfo` among the details of an error ("google.rpc, error_details.proto"). */
const RETRY_INFO = /google\.rpc\.RetryInfo$/
/** A duration in protobuf's JSON: seconds with up to nine decimals; some gateways write milliseconds. */
const DURATION = /^(\d{1,9})(\.\d{1,9})?(s|ms)$/

/** The retry delay of a Google error as a `Retry-After` value: whole seconds, rounded up; undefined if it has none. */
export function retryDelayIn(error: unknown): string | undefined {
  if (!isObject(error)) return undefined
  const info = objectsIn(error.details).find((detail) => RETRY_INFO.test(textIn(detail['@type']) ?? ''))
  const [, seconds, fraction = '', unit] = DURATION.exec(textIn(info?.retryDelay) ?? '') ?? []
  if (seconds === undefined) return undefined
  const amount = Number(seconds + fraction)
  return String(Math.max(Math.ceil(unit === 'ms' ? amount / 1000 : amount), 1))
}
