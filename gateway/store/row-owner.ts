import { sql } from 'kysely'

/**
 * Whose rows of answers, conversations, drawings and tasks are meant: all of an account, or of a guest key only those that it
 * has made (docs/reference/share-people.md#what-a-guest-reaches).
 */
export type RowOwner = Readonly<{ userId: number; tokenId: number; isGuest: boolean }>

/** The condition on `user_id` and `token_id` by which a row is the owner's. */
export const isOwn = ({ userId, tokenId, isGuest }: RowOwner) =>
  isGuest ? sql<boolean>`user_id = ${userId} and token_id = ${tokenId}` : sql<boolean>`user_id = ${userId}`
