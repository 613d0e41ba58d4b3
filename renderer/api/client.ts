import i18next from 'i18next'
import * as z from 'zod/mini'
import type { ApiAnswer, ApiCall, CallInput, Extras } from '../../shared/api/call.ts'
import { POLL_HEADER } from '../../shared/api/poll.ts'
import { type UserView, user as userCalls } from '../../shared/api/user.ts'
import { LOG_IN_AGAIN } from '../../shared/log-in-again.ts'
import { showFailure } from '../components/toasts.ts'
import { translate } from '../translation.ts'
import { CallFailure, httpFailure, networkFailure, refusedWith } from './call-failure.ts'
import { noteAnswer } from './connection.ts'
import { polls } from './polls.ts'
import { currentUserId, signIns } from './session.ts'
import { isProvenAgain, isSignedInAgain } from './sign-in-again.ts'

/**
 * `quiet` leaves error reporting to the caller; the signal aborts the call without a message. `isPoll`: not caused by
 * a user action.
 */
export type SendOptions = Readonly<{ quiet?: boolean; signal?: AbortSignal; isPoll?: boolean }>

/** Makes a call to the console API and returns its data. Failures are shown as toasts and thrown as `CallFailure`. */
export async function send<C extends ApiCall>(
  call: C,
  input: CallInput<C>,
  manner?: SendOptions,
): Promise<ApiAnswer<C>> {
  return (await sendWhole(call, input, manner)).data
}

/** Like `send`, for calls that return fields next to `data`, such as the total of a list. */
export async function sendWhole<C extends ApiCall>(
  call: C,
  input: CallInput<C>,
  manner: SendOptions = {},
): Promise<{ data: ApiAnswer<C>; extras: Extras<C> }> {
  const since = signIns()
  try {
    const envelope = await callUpstream(call, input, manner)
    // Not validated here: the gateway's tests check every response against its contract.
    return { data: envelope.data as ApiAnswer<C>, extras: envelope as Extras<C> }
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    // A call without a session had no effect, so it may be repeated. Reads carry a signal; user actions do not.
    if (error.status === 401 && (await isSignedInAgain(since, !manner.signal))) return sendWhole(call, input, manner)
    if ('code' in error.extras && error.extras.code === LOG_IN_AGAIN) {
      if (await isProvenAgain(since)) return sendWhole(call, input, manner)
      if (!manner.quiet) showFailure(error)
      throw error
    }
    if (error.kind === 'refused') followUp(error)
    // The page that a coded refusal leads to shows its message.
    if (error.status !== 401 && !manner.quiet && !('code' in error.extras)) showFailure(error)
    throw error
  }
}

/** If the code cannot be loaded, the next refusal tries again. */
const followUp = (failure: CallFailure) =>
  void import('./after-refusal.ts').then(
    ({ followRefusal }) =>
      followRefusal(failure, async () => (await callUpstream(userCalls.self, {})).data as UserView), // by its contract
    () => undefined,
  )

/** Common to all responses (docs/reference/api.md#envelope); fields next to `data` are preserved. */
const envelope = z.looseObject({
  success: z.boolean(),
  message: z._default(z.string(), ''),
  data: z.optional(z.unknown()),
})

/** Makes one call; throws `CallFailure` for every kind of failure. */
async function callUpstream(call: ApiCall, input: Parts, manner?: RequestOptions): Promise<z.output<typeof envelope>> {
  const response = await reach(call, input, manner)
  const { data: answer } = envelope.safeParse(await bodyOf(response))
  if (!response.ok) throw httpFailure(response.status, answer?.message ?? '')
  if (!answer) throw httpFailure(response.status, '', translate('request.fail'))
  const { message, data } = answer
  // The other envelope format has its reason in `data`.
  if (!answer.success) throw refusedWith(message === 'error' && data ? String(data) : message, answer)
  return answer
}

type Parts = { params?: unknown; query?: unknown; body?: unknown }
type RequestOptions = Pick<SendOptions, 'signal' | 'isPoll'>

/** Sends the request with the headers of docs/reference/screens.md#calls-and-failures; rethrows aborts unchanged. */
export async function reach(call: ApiCall, input: Parts, { signal, isPoll }: RequestOptions = {}): Promise<Response> {
  const headers: Record<string, string> = {
    'New-Api-User': String(currentUserId()),
    'Cache-Control': 'no-store',
    'Accept-Language': i18next.language,
  }
  if (input.body !== undefined) headers['Content-Type'] = 'application/json'
  if (isPoll) headers[POLL_HEADER] = '1'
  const body = input.body === undefined ? null : JSON.stringify(input.body)
  const { method } = call
  try {
    const given: RequestInit = { method, headers, body, credentials: 'same-origin', cache: 'no-store' }
    const response = await fetch(addressOf(call.path, input), { ...given, signal: signal ?? null })
    noteAnswer(response.status)
    if (isPoll && response.status === 429) polls.suspend(response.headers.get('retry-after'))
    return response
  } catch (error) {
    if (signal?.aborted) throw error
    noteAnswer(undefined)
    throw networkFailure(error)
  }
}

/** Returns the body as JSON, or undefined if it is something else, such as a proxy's error page. */
async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw networkFailure(error)
  }
}

function addressOf(path: string, { params, query }: Parts): string {
  const values = new Map(Object.entries(params ?? {}))
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values.get(name))))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) search.set(name, String(value))
  return search.size === 0 ? filled : `${filled}?${search}`
}
