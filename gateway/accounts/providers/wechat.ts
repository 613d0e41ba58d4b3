import { z } from 'zod'
import { GatewayError, refuse } from '../../base/errors.ts'
import { parsed } from '../../base/json/json.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { FetchTrusted } from '../../base/network/http-client.ts'
import type { Settings } from '../../settings/settings.ts'
import { kinds, type ProvidedIdentity } from './external-identity.ts'

export type WechatDeps = Readonly<{
  settings: Pick<Settings, 'get'>
  fetchTrusted: FetchTrusted
  log: Logger
  /** For events anyone can trigger at will by entering a code. */
  warnRarely: Logger['warn']
}>

const userResponse = z.object({
  success: z.boolean(),
  data: z.string().max(255).nullish(),
  message: z.string().nullish().catch(undefined),
})

/**
 * Looks up the owner of a code on the operator's WeChat server. Throws if the server cannot be reached, or rejects the
 * code, which is valid for three minutes.
 */
export async function wechatIdentity(deps: WechatDeps, typed: string): Promise<ProvidedIdentity> {
  const code = typed.trim()
  if (code === '') throw refuse('invalid', 'code.wrong')
  const url = `${deps.settings.get('WeChatServerAddress')}/api/wechat/user?code=${encodeURIComponent(code)}`
  const headers = { accept: 'application/json', authorization: deps.settings.get('WeChatServerToken') }
  const { name } = kinds.wechat
  const response = await deps.fetchTrusted(url, { headers, timeoutMs: 5000, maxBytes: 65_536 }).catch((cause) => {
    deps.log.warn('the WeChat server could not be reached', { error: cause })
    throw cause instanceof GatewayError ? refuse('upstream', 'oauth.unreachable', { name }, { cause }) : cause
  })
  const { status } = response
  const found = userResponse.safeParse(parsed(response.text))
  if (!found.success) {
    deps.warnRarely('the WeChat server returned no account', { status })
    throw refuse('upstream', 'oauth.bad_answer', { name })
  }
  if (!found.data.success || !found.data.data) {
    deps.warnRarely('the WeChat server refused a code', { status, said: found.data.message })
    throw refuse('invalid', 'code.wrong')
  }
  return { id: found.data.data, displayName: 'WeChat User', email: '' }
}
