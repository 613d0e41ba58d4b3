import * as z from 'zod/mini'
import type { ApiAnswer, ApiCall } from '../../shared/api/call.ts'
import { httpFailure } from './call-failure.ts'
import { reach, type SendOptions } from './client.ts'
import { readEvents } from './events.ts'
import { signIns } from './session.ts'
import { isSignedInAgain } from './sign-in-again.ts'

/**
 * Returns the event of an `isEvent` call, or undefined if the connection ended without one; then call again. Throws a
 * `CallFailure` if the gateway refuses; the signal cancels the wait.
 */
export async function nextEvent<C extends ApiCall & { isEvent: true }>(
  call: C,
  { signal, isPoll }: Required<Pick<SendOptions, 'signal' | 'isPoll'>>,
): Promise<ApiAnswer<C> | undefined> {
  const since = signIns()
  const response = await reach(call, {}, { signal, isPoll })
  if (response.status === 401 && (await isSignedInAgain(since, false))) return undefined
  if (!response.ok) throw httpFailure(response.status, refusal.safeParse(await response.json()).data?.message ?? '')
  // Not validated here: the gateway's tests check every event against its contract.
  for await (const data of readEvents(response)) return JSON.parse(data) as ApiAnswer<C>
  return undefined
}

const refusal = z.looseObject({ message: z.string() })
