import type { Generated } from 'kysely'

/** An app that makes one-time codes, one for an account. */
export interface AuthenticatorsTable {
  user_id: number
  /** Sealed; in base32. */
  secret: string
  created_at: number
  /** Null until a first code has shown that the app has it. */
  confirmed_at: number | null
  /** The step of the last code that was taken, so that none counts twice. */
  last_step: Generated<number>
}

/** A link by which people come in; only its hash is kept. */
export interface InvitationsTable {
  id: Generated<number>
  code_hash: string
  role: number
  group: Generated<string>
  quota: Generated<number>
  uses: number
  used: Generated<number>
  expires_at: number
  note: Generated<string>
  created_by: number
  created_at: number
}

export interface PastIdentitiesTable {
  identity_hash: string
  created_at: number
}

/** A credential by which its owner logs in; only its public half is kept. */
export interface PasskeysTable {
  id: Generated<number>
  /** As WebAuthn writes bytes, like the key and the handle. */
  credential_id: string
  user_id: number
  /** Random, so that a device learns no number of an account. */
  user_handle: string
  name: string
  public_key: string
  /** How often it was used, where it counts; those that are synced stay at 0. */
  counter: Generated<number>
  /** How a browser reaches it, joined by commas. */
  transports: Generated<string>
  /** The host name at which it holds. */
  rp_id: string
  backed_up: Generated<number>
  created_at: number
  last_used_at: number | null
}

export interface SignInsTable {
  id: Generated<number>
  user_id: number
  created_at: number
  way: string
  succeeded: number
  ip: Generated<string>
  user_agent: Generated<string>
}

/** Browsers that are signed in, or were there before. */
export interface SessionsTable {
  /** SHA-256 of the cookie's value. */
  id_hash: string
  /** Null before sign-in. */
  user_id: number | null
  data: Generated<string>
  ip: Generated<string>
  user_agent: Generated<string>
  created_at: number
  last_seen_at: number
  expires_at: number
}

/** A notice on its way. */
export interface PendingNoticesTable {
  id: string
  user_id: number
  /** Sealed: what it says, and where it goes with its secret. */
  letter: string
  /** The try that comes next or is being made, counted from 1. */
  tries: number
  due_at: number
  created_at: number
}
