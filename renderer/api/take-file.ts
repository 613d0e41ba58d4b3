import * as z from 'zod/mini'
import type { ApiCall, CallInput } from '../../shared/api/call.ts'
import { parsed } from '../../shared/json.ts'
import { httpFailure, networkFailure, refusedWith } from './call-failure.ts'
import { reach } from './client.ts'

const refusal = z.object({ success: z.literal(false), message: z.string() })

type DownloadedFile = Readonly<{ content: Blob; name: string }>

/**
 * Downloads a file, which the browser stores on disk if it is large. Throws a `CallFailure` as `send` does, even if the
 * download is cut off, and rethrows the signal's abort reason.
 */
export async function takeFile<C extends ApiCall & { sendsFile: readonly string[] }>(
  call: C,
  input: CallInput<C>,
  signal: AbortSignal,
): Promise<DownloadedFile> {
  const response = await reach(call, input, { signal })
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
