import { randomKey, sha256 } from '../../base/ids.ts'
import { isObject, type JsonObject, numberIn, objectIn } from '../../base/json/json.ts'
import { admitCaller } from '../admission/admit.ts'
import { keyFrom } from '../admission/credentials.ts'
import { readBody } from '../intake/body.ts'
import { jsonBody } from '../intake/parse.ts'
import type { RequestContext } from '../model/request-context.ts'
import type { AuxiliaryDeps } from './auxiliary-deps.ts'
import { invalidField } from './item-page.ts'
import { sendJson } from './reply.ts'

const MIN_SECONDS = 10
const MAX_SECONDS = 7200
const DEFAULT_SECONDS = 600
/** Max bytes of the body: a session configuration with instructions and tools. */
const MAX_BODY = 64 * 1024

/**
 * POST `/v1/realtime/client_secrets` (OpenAI's API reference, "Create client secret"): creates a secret that opens
 * realtime sessions of the caller's token with the configuration in the body. Only the sessions are charged.
 */
export async function answerClientSecret(deps: AuxiliaryDeps, context: RequestContext): Promise<void> {
  const found = deps.identify(context)
  const { caller, suffix } = found instanceof Promise ? await found : found
  admitCaller(deps.relay, caller, context, suffix)
  const share = deps.relay.bodies.shareFor(context.owner, caller.account.id)
  const bytes = await readBody(context.request, share, MAX_BODY)
  const { session, expires_after: life } = bytes.length === 0 ? {} : (await jsonBody(bytes)).json
  const setUp = sessionIn(session)
  const key = keyFrom(context.request.headers, context.path, context.query)?.key ?? ''
  const { account, isGuest = false } = caller
  const owner = { userId: account.id, isGuest, keyHash: sha256(key) }
  const { value, expiresAt } = deps.clientSecrets.issue(owner, setUp, secondsIn(life))
  const type = setUp.type ?? 'realtime'
  sendJson(context, 200, {
    value,
    expires_at: expiresAt,
    session: {
      ...setUp,
      type,
      object: `realtime.${type === 'transcription' ? 'transcription_' : ''}session`,
      id: sessionId(),
    },
  })
}

const sessionId = (): string => `sess_${randomKey(32)}`

function sessionIn(session: unknown): JsonObject {
  if (session === undefined || session === null) return {}
  if (!isObject(session)) throw invalidField('session')
  const { type = 'realtime', model } = session
  if (type !== 'realtime' && type !== 'transcription') throw invalidField('session.type')
  if (model !== undefined && (typeof model !== 'string' || model === '')) throw invalidField('session.model')
  return session
}

function secondsIn(life: unknown): number {
  const { anchor = 'created_at', seconds = DEFAULT_SECONDS } = objectIn(life)
  const duration = numberIn(seconds) ?? 0
  const isFit = Number.isInteger(duration) && duration >= MIN_SECONDS && duration <= MAX_SECONDS
  if (anchor !== 'created_at') throw invalidField('expires_after.anchor')
  if (!isFit) throw invalidField('expires_after.seconds')
  return duration
}
