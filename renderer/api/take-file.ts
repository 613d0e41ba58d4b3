import * as z from 'zod/mini'
import type { ApiCall, CallInput } from '../../shared/api/call.ts'
import { parsed } from '../../shared/json.ts'
import { httpFailure, networkFailure, refusedWith } from './call-failure.ts'
import { reach } from './client.ts'

const refusal = z.object({ success: z.literal(false), message: z.string() })

/** A file as it came, and the name that the gateway gave it. */
type TakenFile = Readonly<{ content: Blob; name: string }>

/**
 * Takes the file that a call sends, which the browser keeps on its disk where it is large. Throws a `CallFailure` as `send`
 * does, also where the file broke off, and without a word what the signal was aborted with.
 */
export async function takeFile<C extends ApiCall & { sendsFile: readonly string[] }>(
  call: C,
  ask: CallInput<C>,
  signal: AbortSignal,
): Promise<TakenFile> {
  const response = await reach(call, ask, { signal })
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  try {
    if (name && response.ok) return { content: await response.blob(), name }
    const { data: refused } = refusal.safeParse(parsed(await response.text()))
    throw refused && response.status !== 401 ? refusedWith(refused.message) : httpFailure(response.status, '')
  } catch (error) {
    if (signal.aborted || !(error instanceof TypeError)) throw error
    throw networkFailure(error)
  }
}
