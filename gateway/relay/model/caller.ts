import type { TokenUse } from '../../limits/token-use.ts'
import type { RowOwner } from '../../store/row-owner.ts'

/** The account a request is charged to. */
export type Account = Readonly<{
  id: number
  username: string
  role: number
  group: string
  acceptUnset: boolean
  recordIp: boolean
  /** The balance below which the account wants to be told; null for the operator's. */
  remindBelow: number | null
}>

/** Who asks: an API token of an account, or (token id 0) the account itself from the playground. */
export type Caller = Readonly<{
  account: Account
  tokenId: number
  /** Of the account itself what it is doing, where that is not the playground. */
  tokenName: string
  /** The group the token chose; empty for the account's own. */
  tokenGroup: string
  /** The models the token may call; null for any. */
  models: ReadonlySet<string> | null
  /** Whether the address may use the token. */
  allows: (ip: string) => boolean
  /** What the token has used of its own limits; nothing where it has none. */
  limits?: TokenUse | null
  /** Equal requests may be answered with an answer the token has had (docs/reference/cache.md). */
  isCached?: boolean
  /** The bodies of its calls are kept, where that is allowed (docs/reference/bodies.md). */
  keepsBodies?: boolean
  /** It is somebody else's who holds a key of the account: what the account may for its role is not theirs. */
  isGuest?: boolean
}>

/** Whose stored answers, conversations, drawings and tasks the caller reaches, and makes. */
export const rowOwnerOf = ({ account, tokenId, isGuest = false }: Caller): RowOwner => ({
  userId: account.id,
  tokenId,
  isGuest,
})

/** Who asks, with the channel suffix of the key where one was sent. */
export type Asker = Readonly<{ caller: Caller; suffix: string | null }>
