import type { Context } from 'koa'
import { role } from '../../shared/enums.ts'
import type { Identity } from '../accounts/login/identity.ts'
import { refuse } from '../base/errors.ts'
import type { Ranges } from '../limits/client-address.ts'
import type { Identities } from '../relay/admission/identify.ts'
import type { Caller } from '../relay/model/caller.ts'
import { isSecure } from './middleware/origin.ts'
import { isSameOrigin } from './middleware/same-origin.ts'
import { credentialsOf } from './middleware/session.ts'

type PlaygroundDeps = Readonly<{
  identity: Identity
  identities: Identities
  serverAddress: () => string
  isTrustedProxy: Ranges
}>

/**
 * Identifies the caller of a playground request, which is charged to the signed-in account without using a token's
 * quota (docs/reference/endpoints.md#playground). Throws for other sites, other bodies than JSON, anonymous callers and
 * access tokens.
 */
export function createPlayground({
  identity,
  identities,
  serverAddress,
  isTrustedProxy,
}: PlaygroundDeps): (ctx: Context) => Promise<Caller> {
  return async (ctx) => {
    if (!isSameOrigin(ctx, serverAddress()) || !ctx.is('json')) throw refuse('forbidden', 'auth.forbidden')
    const actor = await identity.require(credentialsOf(ctx, isSecure(ctx, isTrustedProxy)), { minRole: role.user })
    if (actor.via === 'access-token')
      throw refuse('invalid', 'relay.accessTokenUnsupported', {}, { code: 'access_token_not_supported' })
    const found = identities.account(actor.id)
    const account = found instanceof Promise ? await found : found
    if (!account) throw refuse('unauthenticated', 'auth.none')
    return { account, tokenId: 0, tokenName: '', tokenGroup: '', models: null, allows: () => true }
  }
}
