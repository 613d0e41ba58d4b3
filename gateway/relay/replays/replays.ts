import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { requestId as newId } from '../../base/ids.ts'
import type { Identities } from '../admission/identify.ts'
import { type CopiedBody, textOf } from '../kept-bodies/body-copy.ts'
import type { KeptBody, KeptCall } from '../kept-bodies/sealed-bodies.ts'
import type { Requester } from '../model/caller.ts'
import { createInnerCalls } from '../websockets/responses/inner-call.ts'

/** The call to replay, and the channel, account and address to replay it with; `gone` aborts the replay. */
type ReplayRequest = Readonly<{
  call: Pick<KeptCall, 'path' | 'request'>
  channelId: number
  accountId: number
  ip: string
  gone: AbortSignal
}>

/** The outcome; the log has the rest under its request id. */
type ReplayOutcome = Readonly<{ requestId: string; status: number; durationMs: number; answer: KeptBody }>

/** Replays calls with stored bodies (docs/reference/bodies.md#replay). */
export interface Replays {
  /**
   * Replays a call as a complete, charged relayed call of the account, with its limits and prices, on the given channel
   * only. The outcome is the relay's response, even a refusal. Throws if the account is not active.
   */
  replay(ask: ReplayRequest): Promise<ReplayOutcome>
}

type ReplaysDeps = Readonly<{
  /** Handles a request like the HTTP server, with a known caller. */
  answer: (request: IncomingMessage, response: ServerResponse, by: ReplayEdge) => Promise<void> | void
  identities: Pick<Identities, 'account'>
  clock: Clock
}>

type ReplayEdge = Readonly<{ requestId: string; ip: string; requester: Requester }>

/** Max bytes of a response that are returned; the rest is read and discarded, so that the call completes. */
const MAX_SHOWN = 1024 * 1024

type InnerReplay = Readonly<{
  context: Readonly<{ path: string; query: string; request: Readonly<{ headers: Record<string, never> }> }>
  edge: ReplayEdge
}>

export function createReplays({ answer, identities, clock }: ReplaysDeps): Replays {
  const calls = createInnerCalls<InnerReplay>(async (request, response, { edge }) => answer(request, response, edge))
  return {
    async replay({ call, channelId, accountId, ip, gone: signal }) {
      const caller = await requesterFor(identities, accountId, channelId)
      // The requester may have left meanwhile.
      signal.throwIfAborted()
      const requestId = newId(clock.now())
      const [path = '', query = ''] = call.path.split('?')
      const context = { path, query, request: { headers: {} } }
      const edge = { requestId, ip, requester: caller }
      const startedMs = clock.monotonic()
      let hangUp = () => {}
      const leave = () => hangUp()
      signal.addEventListener('abort', leave)
      try {
        const posted = await calls.post({ context, edge }, Buffer.from(call.request.text), (hang) => {
          hangUp = hang
        })
        const body = await readShown(posted)
        const durationMs = Math.round(clock.monotonic() - startedMs)
        return { requestId, status: posted.statusCode ?? 500, durationMs, answer: textOf(body, []) }
      } finally {
        signal.removeEventListener('abort', leave)
      }
    },
  }
}

/** The account itself, without a token, restricted to the channel. */
async function requesterFor(
  identities: Pick<Identities, 'account'>,
  id: number,
  channelId: number,
): Promise<Requester> {
  const account = await identities.account(id)
  if (!account) throw refuse('unauthenticated', 'auth.none')
  const caller = { account, tokenId: 0, tokenName: 'replay', tokenGroup: '', models: null, allows: () => true }
  return { caller, suffix: String(channelId) }
}

/** Returns the beginning of a response after reading it to its end; if the response breaks off, what has arrived. */
async function readShown(answer: IncomingMessage): Promise<CopiedBody> {
  const parts: Buffer[] = []
  let size = 0
  let isCut = false
  try {
    for await (const chunk of answer) {
      // Without an encoding, chunks are bytes.
      const bytes = chunk as Buffer
      const part = bytes.subarray(0, MAX_SHOWN - size)
      isCut ||= part.length < bytes.length
      size += part.length
      if (part.length > 0) parts.push(part)
    }
  } catch {
    return { bytes: Buffer.concat(parts), state: 'cut' }
  }
  return { bytes: Buffer.concat(parts), state: isCut ? 'cut' : 'whole' }
}
