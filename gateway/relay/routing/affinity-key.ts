import { sha256 } from '../../base/ids.ts'
import { objectIn, textIn } from '../../base/json/json.ts'
import type { Call } from '../model/call.ts'
import type { Caller } from '../model/caller.ts'
import type { RequestContext } from '../model/request-context.ts'

/** Max characters of a name; longer ones are ignored. */
const MAX_LENGTH = 512

/**
 * Identifies requests that belong together and share a vendor's prompt cache: OpenAI's `prompt_cache_key`, Anthropic's
 * `metadata.user_id`, the session in Codex's headers, or the stored conversation. Hashed, since callers choose the
 * names. Undefined if a request has none.
 */
export function conversationKey(
  { request }: RequestContext,
  { account }: Caller,
  call: Call,
  group: string,
): string | undefined {
  const { json, model, conversation } = call
  const named =
    textIn(json.prompt_cache_key) ??
    textIn(objectIn(json.metadata).user_id) ??
    textIn(request.headers.session_id) ??
    textIn(request.headers['x-session-id']) ??
    conversation?.id
  return named && named.length <= MAX_LENGTH ? sha256([account.id, group, model, named].join('\n')) : undefined
}
