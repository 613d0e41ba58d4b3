import { isObject, numberIn, objectIn, textIn } from '../../../base/json/json.ts'
import type { AnswerError } from '../provider.ts'

/** Maps Coze's error codes (Coze API reference, "Error codes"), which mostly come with status 200. */
const statuses: ReadonlyMap<number, number> = new Map([
  [4000, 400],
  [4009, 429],
  [4013, 429],
  [4015, 400],
  [4016, 409],
  [4018, 429],
  [4019, 429],
  [4020, 429],
  [4027, 403],
  [4028, 429],
  [4100, 401],
  [4101, 403],
  [4200, 404],
  [4300, 400],
  [5000, 500],
  [700012006, 401],
])

const OTHERS = 502

export function errorIn(json: unknown): AnswerError | undefined {
  if (!isObject(json)) return undefined
  const { event, data } = json
  if (event === 'error') return answerError(objectIn(data))
  if (event === 'conversation.chat.failed') return answerError(objectIn(objectIn(data).last_error))
  return numberIn(json.code) ? answerError(json) : undefined
}

export function answerError({ code, msg }: Readonly<Record<string, unknown>>): AnswerError {
  const number = numberIn(code) ?? 0
  const message = textIn(msg) || `error ${number}`
  return { status: statuses.get(number) ?? OTHERS, message, type: 'coze_error', code: number }
}
