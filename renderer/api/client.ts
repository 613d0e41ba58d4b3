import i18next from 'i18next'
import * as z from 'zod/mini'
import type { ApiAnswer, ApiCall, Beside, CallInput } from '../../shared/api/call.ts'
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
 * `quiet` leaves telling the person to the caller; the signal aborts the call without a word. `isPoll`: nobody has done anything
 * that asks for it.
 */
export type SendOptions = Readonly<{ quiet?: boolean; signal?: AbortSignal; isPoll?: boolean }>

/** Makes a call of the console's API and answers its data. Failures are shown as toasts and thrown as `CallFailure`. */
export async function send<C extends ApiCall>(call: C, ask: CallInput<C>, manner?: SendOptions): Promise<ApiAnswer<C>> {
  return (await sendWhole(call, ask, manner)).data
}

/** As `send`, for the calls that answer fields beside `data`, such as the total of a list. */
export async function sendWhole<C extends ApiCall>(
  call: C,
  ask: CallInput<C>,
  manner: SendOptions = {},
): Promise<{ data: ApiAnswer<C>; beside: Beside<C> }> {
  const since = signIns()
  try {
    const envelope = await callUpstream(call, ask, manner)
    // The contract is kept by the gateway, whose tests check every answer against it; it is not checked twice.
    return { data: envelope.data as ApiAnswer<C>, beside: envelope as Beside<C> }
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    // What nobody was signed in for has not been done. Readings carry a signal, what somebody does carries none.
    if (error.status === 401 && (await isSignedInAgain(since, !manner.signal))) return sendWhole(call, ask, manner)
    if ('code' in error.beside && error.beside.code === LOG_IN_AGAIN) {
      if (await isProvenAgain(since)) return sendWhole(call, ask, manner)
      if (!manner.quiet) showFailure(error)
      throw error
    }
    if (error.kind === 'refused') followUp(error)
    // A refusal with a code is told by the page that it leads to.
    if (error.status !== 401 && !manner.quiet && !('code' in error.beside)) showFailure(error)
    throw error
  }
}

/** Code that does not come is asked for at the next refusal. */
const followUp = (failure: CallFailure) =>
  void import('./after-refusal.ts').then(
    ({ followRefusal }) =>
      followRefusal(failure, async () => (await callUpstream(userCalls.self, {})).data as UserView), // as the contract has it
    () => undefined,
  )

/** What every answer looks like (docs/reference/api.md#envelope); fields beside `data` are kept. */
const envelope = z.looseObject({
  success: z.boolean(),
  message: z._default(z.string(), ''),
  data: z.optional(z.unknown()),
})

/** One question and its answer; throws `CallFailure` for every kind of no. */
async function callUpstream(call: ApiCall, ask: Parts, manner?: Reaching): Promise<z.output<typeof envelope>> {
  const response = await reach(call, ask, manner)
  const { data: answer } = envelope.safeParse(await bodyOf(response))
  if (!response.ok) throw httpFailure(response.status, answer?.message ?? '')
  if (!answer) throw httpFailure(response.status, '', translate('request.fail'))
  const { message, data } = answer
  // The family's other envelope has its reason in the data.
  if (!answer.success) throw refusedWith(message === 'error' && data ? String(data) : message, answer)
  return answer
}

/** What a call may carry, whichever call it is. */
type Parts = { params?: unknown; query?: unknown; body?: unknown }
type Reaching = Pick<SendOptions, 'signal' | 'isPoll'>

/**
 * Sends the request with the headers of docs/reference/screens.md#calls-and-failures; an abort is passed on as it is.
 */
export async function reach(call: ApiCall, ask: Parts, { signal, isPoll }: Reaching = {}): Promise<Response> {
  const headers: Record<string, string> = {
    'New-Api-User': String(currentUserId()),
    'Cache-Control': 'no-store',
    'Accept-Language': i18next.language,
  }
  if (ask.body !== undefined) headers['Content-Type'] = 'application/json'
  if (isPoll) headers[POLL_HEADER] = '1'
  const body = ask.body === undefined ? null : JSON.stringify(ask.body)
  const { method } = call
  try {
    const given: RequestInit = { method, headers, body, credentials: 'same-origin', cache: 'no-store' }
    const response = await fetch(addressOf(call.path, ask), { ...given, signal: signal ?? null })
    noteAnswer(response.status)
    if (isPoll && response.status === 429) polls.hold(response.headers.get('retry-after'))
    return response
  } catch (error) {
    if (signal?.aborted) throw error
    noteAnswer(undefined)
    throw networkFailure(error)
  }
}

/** The body as JSON, or undefined when it is something else, such as a proxy's page. */
async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw networkFailure(error)
  }
}

/** `/api/token/:id` with its parameter filled in, and the query behind it; absent values are left out. */
function addressOf(path: string, { params, query }: Parts): string {
  const values = new Map(Object.entries(params ?? {}))
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values.get(name))))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) search.set(name, String(value))
  return search.size === 0 ? filled : `${filled}?${search}`
}
