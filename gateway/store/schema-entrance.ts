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

export interface SignInsTable {
  id: Generated<number>
  user_id: number
  created_at: number
  way: string
  succeeded: number
  ip: Generated<string>
  user_agent: Generated<string>
}
