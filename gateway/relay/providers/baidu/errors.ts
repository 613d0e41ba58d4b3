import { isObject, numberIn, textIn } from '../../../base/json/json.ts'
import type { AnswerError } from '../provider.ts'

/** Maps the vendor's error codes, which all come with status 200 (Qianfan's "Error codes"). */
const statuses: ReadonlyMap<number, number> = new Map([
  [1, 500],
  [2, 503],
  [3, 404],
  [4, 429],
  [6, 403],
  [13, 401],
  [14, 401],
  [15, 401],
  [17, 429],
  [18, 429],
  [19, 429],
  [100, 401],
  [110, 401],
  [111, 401],
  [336000, 500],
  [336001, 400],
  [336002, 400],
  [336003, 400],
  [336004, 400],
  [336005, 400],
  [336006, 400],
  [336007, 400],
  [336100, 503],
  [336101, 400],
  [336102, 400],
  [336103, 400],
  [336104, 400],
  [336105, 400],
  [336106, 400],
  [336117, 400],
  [336200, 500],
  [336303, 400],
  [336304, 400],
  [336501, 429],
  [336502, 429],
  [336503, 429],
])

const OTHERS = 502

export function errorIn(json: unknown): AnswerError | undefined {
  const code = isObject(json) ? numberIn(json.error_code) : undefined
  if (!isObject(json) || code === undefined || code === 0) return undefined
  const message = textIn(json.error_msg) || `error ${code}`
  return { status: statuses.get(code) ?? OTHERS, message, type: 'baidu_error', code }
}
