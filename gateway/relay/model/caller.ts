import type { TokenUse } from '../../limits/token-use.ts'
import type { RowOwner } from '../../store/row-owner.ts'

export type Account = Readonly<{
  id: number
  username: string
  role: number
  group: string
  acceptUnset: boolean
  recordIp: boolean
  /** The balance below which the account is notified; null for the operator's default. */
  remindBelow: number | null
}>

/** An API token of an account, or (token id 0) the account itself, such as in the playground. */
export type Caller = Readonly<{
  account: Account
  tokenId: number
  /** The token's name; for the account itself, its activity, such as `replay`, unless it uses the playground. */
  tokenName: string
  /** The group that the token chose; empty for the account's own. */
  tokenGroup: string
  /** The models that the token may call; null for any. */
  models: ReadonlySet<string> | null
  allows: (ip: string) => boolean
  /** Use of the token's own limits, if it has any. */
  limits?: TokenUse | null
  /** Identical requests may get a cached response of the token (docs/reference/cache.md). */
  isCached?: boolean
  /** The bodies of its calls are stored, if allowed (docs/reference/bodies.md). */
  keepsBodies?: boolean
  /** The key was given to another person, who does not have the privileges of the account's role. */
  isGuest?: boolean
}>

/** The owner of the stored responses, conversations, drawings and tasks that the caller can access and create. */
export const rowOwnerOf = ({ account, tokenId, isGuest = false }: Caller): RowOwner => ({
  userId: account.id,
  tokenId,
  isGuest,
})

/** The caller, with the channel suffix of the key if one was sent. */
export type Requester = Readonly<{ caller: Caller; suffix: string | null }>
