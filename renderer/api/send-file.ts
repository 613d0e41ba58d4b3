import i18next from 'i18next'
import * as z from 'zod/mini'
import type { ApiAnswer, ApiCall, CallInput } from '../../shared/api/call.ts'
import { parsed } from '../../shared/json.ts'
import { httpFailure, networkFailure, refusedWith } from './call-failure.ts'
import { noteAnswer } from './connection.ts'
import { currentUserId } from './session.ts'

type Sending = Readonly<{
  onProgress: (share: number) => void
  signal: AbortSignal
}>

const envelope = z.looseObject({
  success: z.boolean(),
  message: z._default(z.string(), ''),
  data: z.optional(z.unknown()),
})

/**
 * Uploads a file and returns the call's data. Throws a `CallFailure` as `send` does, and rethrows the signal's abort
 * reason. Uses XMLHttpRequest, because `fetch` reports no upload progress.
 */
export function sendFile<C extends ApiCall & { takesFile: true }>(
  call: C,
  { query, file }: CallInput<C> & { query?: object; file: Blob },
  { onProgress, signal }: Sending,
): Promise<ApiAnswer<C>> {
  const request = new XMLHttpRequest()
  const search = new URLSearchParams(Object.entries(query ?? {}).map(([name, value]) => [name, String(value)]))
  request.open(call.method, `${call.path}?${search}`)
  request.setRequestHeader('New-Api-User', String(currentUserId()))
  request.setRequestHeader('Accept-Language', i18next.language)
  request.setRequestHeader('Content-Type', 'application/octet-stream')
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total))
  const abort = () => request.abort()
  signal.addEventListener('abort', abort, { once: true })
  return new Promise<ApiAnswer<C>>((resolve, reject) => {
    request.addEventListener('load', () => {
      noteAnswer(request.status)
      const { data: answer } = envelope.safeParse(parsed(request.responseText))
      if (request.status !== 200) return reject(httpFailure(request.status, answer?.message ?? ''))
      if (!answer?.success) return reject(refusedWith(answer?.message ?? ''))
      // Not validated here: the gateway's tests check every response against its contract.
      resolve(answer.data as ApiAnswer<C>)
    })
    request.addEventListener('error', () => reject(networkFailure(undefined)))
    request.addEventListener('abort', () => reject(signal.reason))
    request.send(file)
  }).finally(() => signal.removeEventListener('abort', abort))
}
