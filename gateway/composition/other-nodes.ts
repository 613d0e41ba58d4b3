import { type Clock, unixSeconds } from '../base/clock.ts'
import { GatewayError } from '../base/errors.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import type { Ledger } from '../billing/ledger.ts'
import type { Identities } from '../relay/admission/identify.ts'
import type { Relay } from '../relay/create.ts'
import type { ChangedNames } from '../shared-state/changes.ts'
import type { SharedState } from '../shared-state/shared-state.ts'

type FollowDeps = Readonly<{
  shared: Pick<SharedState, 'changes'>
  identities: Identities
  ledger: Pick<Ledger, 'forget'>
  relay: Pick<Relay, 'routes'>
  clock: Clock
  /** Drops what this process caches about an account, and ends the account's requests if the account is closed. */
  forget: (userId: number) => MaybePromise<void>
}>

/** Applies to the relay what other nodes change: accounts, tokens, and their running requests. */
export function followOtherNodes({
  shared: { changes },
  identities,
  ledger,
  relay: { routes },
  clock,
  forget,
}: FollowDeps): void {
  const each = async (
    names: ChangedNames,
    work: (name: string) => MaybePromise<void>,
    all: () => MaybePromise<void>,
  ) => {
    if (names === 'all') await all()
    else for (const name of names) await work(name)
  }
  changes.follow('users', (ids) =>
    each(
      ids,
      (id) => forget(Number(id)),
      async () => {
        identities.forgetAll()
        for (const userId of new Set(routes.callers().map(({ account }) => account.id))) await routes.recheck(userId)
      },
    ),
  )
  changes.follow('limits', (ids) =>
    each(
      ids,
      (id) => ledger.forget({ tokenId: Number(id) }),
      () => ledger.forget('all'),
    ),
  )
  changes.follow('tokens', (hashes) => each(hashes, identities.forgetToken, identities.forgetAll))
  changes.follow('endings', (ids) =>
    each(
      ids,
      (id) => routes.endOf(Number(id)),
      async () => {
        const tokenIds = new Set(routes.callers().map(({ tokenId }) => tokenId))
        for (const id of tokenIds) if (id > 0 && (await isOver(identities, id, clock))) routes.endOf(id)
      },
    ),
  )
}

/** Whether a token was deleted or disabled. */
async function isOver(identities: Identities, tokenId: number, clock: Clock): Promise<boolean> {
  try {
    await identities.byToken(tokenId, unixSeconds(clock))
    return false
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return error.key === 'token.not_found' || error.code === 'token_disabled'
  }
}
