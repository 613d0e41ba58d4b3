import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { requestId as newId } from '../../base/ids.ts'
import type { Identities } from '../admission/identify.ts'
import { type CopiedBody, textOf } from '../kept-bodies/body-copy.ts'
import type { KeptBody, KeptCall } from '../kept-bodies/sealed-bodies.ts'
import type { Asker } from '../model/caller.ts'
import { createInnerCalls } from '../websockets/responses/inner-call.ts'

/** Which call is made again: over which channel, for which account, from where; `gone` ends it. */
type ReplayRequest = Readonly<{
  call: Pick<KeptCall, 'path' | 'request'>
  channelId: number
  accountId: number
  ip: string
  gone: AbortSignal
}>

/** What came of it; the log has the rest under its request id. */
type ReplayOutcome = Readonly<{ requestId: string; status: number; durationMs: number; answer: KeptBody }>

/** Calls whose bodies were kept, made again (docs/reference/bodies.md#replay). */
export interface Replays {
  /**
   * Makes one again as a whole relayed call of the account, which is charged for it: its limits and prices, the one channel, no
   * other. Whatever the relay answers is the outcome, refusals too. Refuses an account that is not active.
   */
  replay(ask: ReplayRequest): Promise<ReplayOutcome>
}

type ReplaysDeps = Readonly<{
  /** Answers a request as the HTTP edge would, for whoever is known to ask. */
  answer: (request: IncomingMessage, response: ServerResponse, by: ReplayEdge) => Promise<void> | void
  identities: Pick<Identities, 'account'>
  clock: Clock
}>

/** What the relay is told of a request that no edge has seen. */
type ReplayEdge = Readonly<{ requestId: string; ip: string; asker: Asker }>

/** What is shown of an answer; the rest of a longer one is read and forgotten, so that the call comes to its end. */
const MAX_SHOWN = 1024 * 1024

type InnerReplay = Readonly<{
  context: Readonly<{ path: string; query: string; request: Readonly<{ headers: Record<string, never> }> }>
  edge: ReplayEdge
}>

/** Replays over the relay's own answers, over connections that never leave the process. */
export function createReplays({ answer, identities, clock }: ReplaysDeps): Replays {
  const calls = createInnerCalls<InnerReplay>(async (request, response, { edge }) => answer(request, response, edge))
  return {
    async replay({ call, channelId, accountId, ip, gone }) {
      const asker = await askerFor(identities, accountId, channelId)
      // Nobody pays for an answer that nobody waits for.
      gone.throwIfAborted()
      const requestId = newId(clock.now())
      const [path = '', query = ''] = call.path.split('?')
      const context = { path, query, request: { headers: {} } }
      const edge = { requestId, ip, asker }
      const begunMs = clock.monotonic()
      let hangUp = () => {}
      const leave = () => hangUp()
      gone.addEventListener('abort', leave)
      try {
        const posted = await calls.post({ context, edge }, Buffer.from(call.request.text), (hang) => {
          hangUp = hang
        })
        const body = await readShown(posted)
        const durationMs = Math.round(clock.monotonic() - begunMs)
        return { requestId, status: posted.statusCode ?? 500, durationMs, answer: textOf(body, []) }
      } finally {
        gone.removeEventListener('abort', leave)
      }
    },
  }
}

/** The account itself, without any token, over the one channel. */
async function askerFor(identities: Pick<Identities, 'account'>, id: number, channelId: number): Promise<Asker> {
  const account = await identities.account(id)
  if (!account) throw refuse('unauthenticated', 'auth.none')
  const caller = { account, tokenId: 0, tokenName: 'replay', tokenGroup: '', models: null, allows: () => true }
  return { caller, suffix: String(channelId) }
}

/** The beginning of an answer, read to its end; of one that broke off what came. */
async function readShown(answer: IncomingMessage): Promise<CopiedBody> {
  const parts: Buffer[] = []
  let size = 0
  let isCut = false
  try {
    for await (const chunk of answer) {
      // No encoding is set: chunks are bytes.
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
