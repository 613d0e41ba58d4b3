import { refuse } from '../../../base/errors.ts'
import { type JsonObject, objectIn, textIn } from '../../../base/json/json.ts'
import { type AdmitDeps, amountsOf } from '../../admission/admit.ts'
import type { SecretGrant } from '../../admission/client-secrets.ts'
import { checkModelName } from '../../intake/parse.ts'
import type { Call } from '../../model/call.ts'
import type { RelayRoute } from '../../model/endpoint.ts'
import type { Plan } from '../../model/plan.ts'

/** Whether a query asks for a session that writes down what it hears and does not answer. */
export const isTranscription = (query: string): boolean => new URLSearchParams(query).get('intent') === 'transcription'

/** What a transcription session is routed and priced by where it names no model; OpenAI names it in the session. */
const TRANSCRIBER = 'gpt-4o-transcribe'

/** The session that a query asks for, as a call without a body. Refuses one without a model, and to join a telephone call. */
export function callOf(query: string): Call {
  const asked = new URLSearchParams(query)
  if (asked.has('call_id'))
    throw refuse('notImplemented', 'relay.notImplemented', {}, { code: 'api_not_implemented', param: 'call_id' })
  const model = asked.get('model') || asked.get('deployment') || (isTranscription(query) ? TRANSCRIBER : '')
  if (model === '') throw refuse('invalid', 'relay.modelMissing', {}, { code: 'model_required', param: 'model' })
  return sessionCall({ format: 'openai', endpoint: 'realtime', playground: false }, model)
}

/** A session as a call without a body. Refuses a name that no model has. */
export function sessionCall(route: RelayRoute, model: string): Call {
  checkModelName(model)
  return {
    route,
    endpoint: route.endpoint,
    format: route.format,
    bytes: Buffer.alloc(0),
    json: {},
    spans: { members: [], depth: 0, end: 0 },
    form: null,
    model,
    stream: true,
    wantsUsage: false,
    maxOutput: 0,
    input: 0,
    group: '',
  }
}

/** Less than this of an answer is none, in tokens. */
const MIN_OUTPUT = 16

/**
 * The plan of a session: one answer, input and output, is set aside, and again for each that follows. The least of it
 * is PreConsumedQuota of tokens, and never nothing (docs/reference/billing.md#hold).
 */
export function sessionPlan(deps: Pick<AdmitDeps, 'settings'>, admitted: Plan): Plan {
  const { expected, price } = admitted
  const extras = { realtime: true, possible: { hasAudioInput: true, hasAudioOutput: true } }
  const min = deps.settings.get('PreConsumedQuota')
  const session = { ...expected, prompt: min, maxPrompt: min, minOutput: min > 0 ? 0 : MIN_OUTPUT }
  const { holdQuota } = amountsOf(deps, session, price, extras)
  const plain = amountsOf(deps, session, price, { realtime: true })
  return { ...admitted, expected: session, extras, holdQuota, minHoldQuota: Math.min(holdQuota, plain.minHoldQuota) }
}

/** The query of a session that a secret opens: what its server has chosen holds, and nothing else may be asked for. */
export function grantedQuery(query: string, { session }: SecretGrant): string {
  const asked = new URLSearchParams(query)
  const isTranscription = session.type === 'transcription'
  const model = isTranscription ? transcriber(session) : textIn(session.model)
  const other = asked.get('model') ?? asked.get('deployment')
  const isOther = model !== undefined && other !== null && other !== model
  if (isOther || (asked.get('intent') === 'transcription' && !isTranscription))
    throw refuse('invalid', 'relay.secretSession', {}, { code: 'invalid_request', param: isOther ? 'model' : 'intent' })
  asked.delete('deployment')
  if (model ?? other) asked.set('model', model ?? other ?? '')
  if (isTranscription) asked.set('intent', 'transcription')
  return asked.toString()
}

const transcriber = ({ audio }: JsonObject): string | undefined =>
  textIn(objectIn(objectIn(objectIn(audio).input).transcription).model)

/** What a session is told first, as though its client had said it: its set-up; undefined where there is none. */
export function setUpEvent({ session }: SecretGrant): string | undefined {
  const { model: _, ...rest } = session
  const { type = 'realtime', ...said } = rest
  return Object.keys(said).length > 0
    ? JSON.stringify({ type: 'session.update', session: { type, ...said } })
    : undefined
}
