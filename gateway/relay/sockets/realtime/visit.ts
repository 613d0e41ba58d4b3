import { GatewayError, refuse } from '../../../base/errors.ts'
import type { Hold } from '../../../billing/ledger.ts'
import { admitCall, admitCaller, type Plan } from '../../admit.ts'
import type { Arrival } from '../../arrival.ts'
import { shown, withoutSecrets } from '../../error-body.ts'
import type { Caller } from '../../identify.ts'
import { failureRow } from '../../record.ts'
import type { Asker, RelayDeps } from '../../relay.ts'
import type { Call } from '../../understand.ts'
import { UpstreamError } from '../../upstream-error.ts'
import type { Handshake } from '../handshake.ts'
import type { Keeper } from '../keeper.ts'
import type { Places } from '../places.ts'
import { refuseVisit } from '../refusal.ts'
import type { Visit } from '../visit.ts'
import type { Admitted } from './account.ts'
import { firstSession, type Tried } from './connect.ts'
import { errorFrame } from './frames.ts'
import { runSession } from './session.ts'

export type RealtimeDeps = Readonly<{
  relay: RelayDeps
  identify: (arrival: Arrival) => Asker
  handshake: Handshake
  places: Places
  keeper: Keeper
}>

/** What is known of a session that did not begin. */
type Progress = Tried & { caller?: Caller; call?: Call; plan?: Plan }

/**
 * The whole life of `GET /v1/realtime` (spec/relay.md §1.2, §7.5): the checks of every request, quota set aside, a
 * channel that takes the session, the upgrade, and then frames both ways until it ends. Never throws.
 */
export async function answerRealtime(deps: RealtimeDeps, visit: Visit): Promise<void> {
  const { arrival } = visit
  const progress: Progress = { attempts: [] }
  let leavePlace = () => {}
  try {
    const { caller, suffix } = deps.identify(arrival)
    progress.caller = caller
    admitCaller(deps.relay, caller, arrival, suffix)
    const call = callOf(arrival.query)
    progress.call = call
    const plan = { ...admitCall(deps.relay, caller, call, suffix), work: { realtime: true } }
    progress.plan = plan
    leavePlace = deps.places.take(caller.account.id)
    const hold = holdFor(deps.relay, arrival, caller, plan)
    try {
      await live(deps, visit, { caller, call, plan, hold }, progress)
    } finally {
      hold.release()
    }
  } catch (error) {
    await fail(deps, visit, progress, error)
  } finally {
    leavePlace()
  }
}

async function live(
  deps: RealtimeDeps,
  visit: Visit,
  admission: Pick<Admitted, 'caller' | 'call' | 'plan' | 'hold'>,
  progress: Progress,
): Promise<void> {
  const { arrival } = visit
  const { relay } = deps
  const { call, plan } = admission
  const { upstream, upstreamModel, channel } = await firstSession(relay, arrival, call, plan, progress)
  upstream.on('error', () => {})
  const client = await deps.handshake.accept(visit).catch((cause) => {
    upstream.terminate()
    throw cause
  })
  relay.seen.note(channel.id, plan.group, arrival.userAgent, arrival.at)
  const { attempts } = progress
  const admitted = { ...admission, arrival, attempts, channelId: channel.id, upstreamModel }
  await runSession(relay, deps.keeper, { client, upstream, admitted, isTranscription: isTranscription(arrival.query) })
}

const isTranscription = (query: string): boolean => new URLSearchParams(query).get('intent') === 'transcription'

/** What a transcription session is routed and priced by where it names no model; OpenAI names it in the session. */
const TRANSCRIBER = 'gpt-4o-transcribe'

/** The session that a query asks for, as a call without a body. Refuses one without a model, and to join a telephone call. */
function callOf(query: string): Call {
  const asked = new URLSearchParams(query)
  if (asked.has('call_id'))
    throw refuse('notImplemented', 'relay.notImplemented', {}, { code: 'api_not_implemented', param: 'call_id' })
  const model = asked.get('model') || asked.get('deployment') || (isTranscription(query) ? TRANSCRIBER : '')
  if (model === '') throw refuse('invalid', 'relay.modelMissing', {}, { code: 'model_required', param: 'model' })
  return {
    route: { format: 'openai', endpoint: 'realtime', playground: false },
    endpoint: 'realtime',
    format: 'openai',
    bytes: Buffer.alloc(0),
    json: {},
    outline: { members: [], depth: 0, end: 0 },
    form: null,
    model,
    stream: true,
    wantsUsage: false,
    mostOutput: 0,
    input: 0,
    group: '',
  }
}

function holdFor({ ledger, onShort }: RelayDeps, { requestId }: Arrival, caller: Caller, plan: Plan): Hold {
  try {
    return ledger.hold({ requestId, userId: caller.account.id, tokenId: caller.tokenId, quota: plan.hold })
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'pre_consume_token_quota_failed') onShort(caller.tokenId)
    throw error
  }
}

/** Tells the visitor, and writes a type-5 row where somebody is known to have asked for something. */
async function fail({ relay, handshake }: RealtimeDeps, visit: Visit, progress: Progress, error: unknown) {
  const { arrival } = visit
  const { caller, call, plan, channel, attempts } = progress
  const { requestId, locale } = arrival
  const where = { group: plan?.group ?? '', channel }
  const told = shown(error, { requestId, locale, ...where })
  const gone = arrival.patience.over
  if (error instanceof UpstreamError)
    relay.log.warn('upstream refused', {
      requestId,
      channel: channel?.id,
      status: error.status,
      said: withoutSecrets(error.message, channel),
    })
  else if (!(error instanceof GatewayError) && !gone) relay.log.error('realtime failed', { requestId, error })
  if (caller && call && relay.settings.get('ErrorLogEnabled')) {
    const story = {
      arrival,
      caller,
      call,
      group: plan?.group ?? caller.tokenGroup,
      attempts,
      channelId: channel?.id ?? 0,
      upstreamModel: '',
      firstByteMs: -1000,
      tookMs: relay.clock.monotonic() - arrival.startedMs,
    }
    const code = gone ? 'client_gone' : String(told.error.code || 'error')
    relay.ledger.note(
      failureRow(story, gone ? 499 : told.status, code, gone ? 'the caller hung up' : told.error.message),
    )
  }
  await refuseVisit(handshake, visit, error, { where, frame: (_, facts) => errorFrame(requestId, facts) })
}
