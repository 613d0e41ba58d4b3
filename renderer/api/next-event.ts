import * as z from 'zod/mini'
import type { ApiAnswer, ApiCall } from '../../shared/api/call.ts'
import { httpFailure } from './call-failure.ts'
import { reach, type SendOptions } from './client.ts'
import { readEvents } from './events.ts'
import { signIns } from './session.ts'
import { isSignedInAgain } from './sign-in-again.ts'

/**
 * The event that a call of `isEvent` waits for, or undefined when the connection ended without one: then ask again. Throws
 * a `CallFailure` when the gateway refuses; the signal ends the waiting.
 */
export async function nextEvent<C extends ApiCall & { isEvent: true }>(
  call: C,
  { signal, isPoll }: Required<Pick<SendOptions, 'signal' | 'isPoll'>>,
): Promise<ApiAnswer<C> | undefined> {
  const since = signIns()
  const response = await reach(call, {}, { signal, isPoll })
  if (response.status === 401 && (await isSignedInAgain(since, false))) return undefined
  if (!response.ok) throw httpFailure(response.status, refusal.safeParse(await response.json()).data?.message ?? '')
  // The contract is kept by the gateway, whose tests check every event against it.
  for await (const data of readEvents(response)) return JSON.parse(data) as ApiAnswer<C>
  return undefined
}

const refusal = z.looseObject({ message: z.string() })
