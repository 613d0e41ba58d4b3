import { isObject, objectsIn, textIn } from '../../base/json/json.ts'

/** Google's `google.rpc.RetryInfo` among the details of an error ("google.rpc, error_details.proto"). */
const RETRY_INFO = /google\.rpc\.RetryInfo$/
/** A duration as protobuf's JSON has it: seconds with up to nine places; milliseconds as some gateways write it. */
const DURATION = /^(\d{1,9})(\.\d{1,9})?(s|ms)$/

/**
 * How long an error of Google's asks to wait, as `Retry-After` has it: whole seconds, rounded up; undefined where it
 * does not say.
 */
export function retryDelayIn(error: unknown): string | undefined {
  if (!isObject(error)) return undefined
  const info = objectsIn(error.details).find((detail) => RETRY_INFO.test(textIn(detail['@type']) ?? ''))
  const [, whole, fraction = '', unit] = DURATION.exec(textIn(info?.retryDelay) ?? '') ?? []
  if (whole === undefined) return undefined
  const amount = Number(whole + fraction)
  return String(Math.max(Math.ceil(unit === 'ms' ? amount / 1000 : amount), 1))
}
