import { refuse } from '../../../base/errors.ts'
import { type JsonObject, objectIn, textIn } from '../../../base/json/json.ts'
import { type AdmitDeps, amountsOf } from '../../admission/admit.ts'
import type { SecretGrant } from '../../admission/client-secrets.ts'
import { checkModelName } from '../../intake/parse.ts'
import type { Call } from '../../model/call.ts'
import type { RelayRoute } from '../../model/endpoint.ts'
import type { Plan } from '../../model/plan.ts'

/** Whether a query requests a transcription session, which produces no responses. */
export const isTranscription = (query: string): boolean => new URLSearchParams(query).get('intent') === 'transcription'

/** The model for routing and price of a transcription session that names none; OpenAI names it inside the session. */
const TRANSCRIBER = 'gpt-4o-transcribe'

/** The session of a query, as a call without a body. Throws if it joins a telephone call, or lacks a required model. */
export function callOf(query: string): Call {
  const params = new URLSearchParams(query)
  if (params.has('call_id'))
    throw refuse('notImplemented', 'relay.notImplemented', {}, { code: 'api_not_implemented', param: 'call_id' })
  const model = params.get('model') || params.get('deployment') || (isTranscription(query) ? TRANSCRIBER : '')
  if (model === '') throw refuse('invalid', 'relay.modelMissing', {}, { code: 'model_required', param: 'model' })
  return sessionCall({ format: 'openai', endpoint: 'realtime', playground: false }, model)
}

/** A session as a call without a body. Throws for an invalid model name. */
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

/** Tokens of the shortest useful response. */
const MIN_OUTPUT = 16

/**
 * The plan of a session: reserves one response, input and output, and again for each that follows. The minimum covers
 * PreConsumedQuota tokens, and is never zero (docs/reference/billing.md#hold).
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

/**
 * The query of a session opened by a secret: the secret's configuration applies, and the query may request nothing
 * else.
 */
export function grantedQuery(query: string, { session }: SecretGrant): string {
  const params = new URLSearchParams(query)
  const isTranscription = session.type === 'transcription'
  const model = isTranscription ? transcriber(session) : textIn(session.model)
  const other = params.get('model') ?? params.get('deployment')
  const isOther = model !== undefined && other !== null && other !== model
  if (isOther || (params.get('intent') === 'transcription' && !isTranscription))
    throw refuse('invalid', 'relay.secretSession', {}, { code: 'invalid_request', param: isOther ? 'model' : 'intent' })
  params.delete('deployment')
  if (model ?? other) params.set('model', model ?? other ?? '')
  if (isTranscription) params.set('intent', 'transcription')
  return params.toString()
}

const transcriber = ({ audio }: JsonObject): string | undefined =>
  textIn(objectIn(objectIn(objectIn(audio).input).transcription).model)

/** The first event of a session with a configuration, as if sent by its client; undefined if it has none. */
export function setUpEvent({ session }: SecretGrant): string | undefined {
  const { model: _, ...rest } = session
  const { type = 'realtime', ...config } = rest
  return Object.keys(config).length > 0
    ? JSON.stringify({ type: 'session.update', session: { type, ...config } })
    : undefined
}
