import type { Generated } from 'kysely'

/** Authenticator apps for one-time codes, one per account. */
export interface AuthenticatorsTable {
  user_id: number
  /** Base32, encrypted. */
  secret: string
  created_at: number
  /** Null until the first valid code. */
  confirmed_at: number | null
  /** Time step of the last accepted code, so that no code is accepted twice. */
  last_step: Generated<number>
}

/** Invitation links; only the hash of the code is stored. */
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

/** Passkeys; only the public key is stored. */
export interface PasskeysTable {
  id: Generated<number>
  /** Base64url as in WebAuthn, like the public key and the user handle. */
  credential_id: string
  user_id: number
  /** Random, so that it does not reveal the account id to a device. */
  user_handle: string
  name: string
  public_key: string
  /** Number of uses, if the authenticator counts them; synced passkeys stay at 0. */
  counter: Generated<number>
  /** Transports of the authenticator, separated by commas. */
  transports: Generated<string>
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

export interface SessionsTable {
  id_hash: string
  /** Sessions without an account are ignored. */
  user_id: number | null
  data: Generated<string>
  ip: Generated<string>
  user_agent: Generated<string>
  created_at: number
  last_seen_at: number
  expires_at: number
}

export interface PendingNoticesTable {
  id: string
  user_id: number
  /** Encrypted: the content, and the destination with its secret. */
  letter: string
  /** Number of attempts begun; 0 before the first. */
  tries: number
  due_at: number
  created_at: number
}
