import { CODE_MINUTES } from '../mail-codes.ts'
import { LOGIN_SECONDS, type StartedLogin } from '../oauth-states.ts'
import { CHALLENGE_MS, type PasskeyChallenge } from '../passkey-challenges.ts'
import { PENDING_MS, type PendingLogin } from '../pending-logins.ts'
import type { SharedState } from '../shared-state.ts'
import { ANSWER_SECONDS } from '../used-answers.ts'
import type { EphemeralRows } from './ephemeral-rows.ts'

type LoginState = Pick<SharedState, 'mailCodes' | 'oauthStates' | 'passkeyChallenges' | 'pendingLogins' | 'usedAnswers'>

/** Logins and codes that any node can complete, whichever began them. */
export function loginRows(rows: EphemeralRows): LoginState {
  const codes = rows.codes('mail code', CODE_MINUTES * 60_000)
  const nameOf = (purpose: string, address: string) => `${purpose} ${address}`
  return {
    mailCodes: {
      put: (purpose, address, code, tries) => codes.put(nameOf(purpose, address), code, tries),
      take: (purpose, address, given) => codes.take(nameOf(purpose, address), given),
    },
    oauthStates: rows.values<StartedLogin>('oauth state', LOGIN_SECONDS * 1000),
    passkeyChallenges: rows.values<PasskeyChallenge>('passkey challenge', CHALLENGE_MS),
    pendingLogins: rows.values<PendingLogin>('pending login', PENDING_MS),
    usedAnswers: { use: (signature) => rows.claim('used answer', signature, ANSWER_SECONDS * 1000) },
  }
}
