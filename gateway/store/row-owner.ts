import { sql } from 'kysely'

/**
 * The owner of responses, conversations, drawings and tasks: an account owns all its rows, a guest key only those it
 * created (docs/reference/share-people.md#guest-access).
 */
export type RowOwner = Readonly<{ userId: number; tokenId: number; isGuest: boolean }>

/** SQL condition on `user_id` and `token_id` that matches the owner's rows. */
export const isOwn = ({ userId, tokenId, isGuest }: RowOwner) =>
  isGuest ? sql<boolean>`user_id = ${userId} and token_id = ${tokenId}` : sql<boolean>`user_id = ${userId}`
