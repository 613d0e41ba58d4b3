import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { CreationOptions, NewPasskey, RequestOptions, ShownPasskey } from '../../../shared/api/passkey.ts'
import { refuse } from '../../base/errors.ts'
import { randomSecret, sha256 } from '../../base/ids.ts'
import { objectIn, parsed, textIn } from '../../base/json/json.ts'
import { CHALLENGE_MS, type PasskeyChallenge, type PasskeyChallenges } from '../../shared-state/passkey-challenges.ts'
import type { NewPasskeyRow, PasskeyRow } from '../../store/accounts/passkeys.ts'

/** The origin of the page a passkey is used on, and the mark stored in the browser during the ceremony. */
export type PasskeyOrigin = Readonly<{ origin: string; mark: string }>

type PasskeyOwner = Readonly<{
  purpose: 'add' | 'register'
  /** 0 if there is no account yet. */
  userId: number
  username: string
  displayName: string
  site: string
  existing: readonly PasskeyRow[]
}>

export type MadePasskey = Pick<
  NewPasskeyRow,
  'credential_id' | 'user_handle' | 'public_key' | 'counter' | 'transports' | 'rp_id' | 'backed_up'
>

type ProvenUse = Readonly<{ counter: number; backed_up: number }>

/**
 * The WebAuthn exchange between gateway and browser (https://www.w3.org/TR/webauthn-3/), verified by
 * `@simplewebauthn/server`, which is loaded on first use. A challenge is consumed whether or not verification succeeds.
 */
interface PasskeyCeremony {
  beginMaking(owner: PasskeyOwner, place: PasskeyOrigin): Promise<CreationOptions>
  made(passkey: NewPasskey, expected: Expected): Promise<MadePasskey>
  beginLogin(place: PasskeyOrigin): Promise<RequestOptions>
  /** Returns the challenge of a login; throws if it was not begun in this browser, or has expired or been used. */
  startedLogin(shown: ShownPasskey, mark: string | undefined): Promise<PasskeyChallenge>
  /** Verifies a login with this passkey; returns undefined if any check fails. */
  proven(shown: ShownPasskey, row: PasskeyRow, begun: PasskeyChallenge): Promise<ProvenUse | undefined>
}

type Expected = Pick<PasskeyChallenge, 'purpose' | 'userId'> & Readonly<{ mark: string | undefined }>

/** COSE algorithms: EdDSA, ES256 and RS256. */
const ALGORITHMS = [-8, -7, -257]
const REQUIRED = 'required' as const

export function createPasskeyCeremony(challenges: PasskeyChallenges): PasskeyCeremony {
  const begin = async (challengeRow: Omit<PasskeyChallenge, 'browser' | 'rpId' | 'origin'>, page: PasskeyOrigin) => {
    const { origin, rpId } = siteAt(page.origin)
    const challenge = randomSecret()
    await challenges.put(challenge, { ...challengeRow, browser: sha256(page.mark), origin, rpId })
    return { challenge, rpId, timeout: CHALLENGE_MS }
  }
  const takeChallenge = async (clientData: string, { purpose, userId, mark }: Expected): Promise<PasskeyChallenge> => {
    const challenge = challengeIn(clientData)
    const challengeRow = challenge === undefined ? undefined : await challenges.take(challenge)
    const isExpected = challengeRow?.purpose === purpose && challengeRow.userId === userId
    if (!challengeRow || !isExpected || !mark || sha256(mark) !== challengeRow.browser)
      throw refuse('forbidden', 'passkey.late')
    return challengeRow
  }
  return {
    async beginMaking({ purpose, userId, username, displayName, site, existing }, page) {
      // A device replaces a passkey that has the same user handle, so it holds only one per account.
      const userHandle = existing[0]?.user_handle ?? randomSecret()
      const { challenge, rpId, timeout } = await begin({ purpose, userId, userHandle }, page)
      return {
        rp: { id: rpId, name: site },
        user: { id: userHandle, name: username, displayName },
        challenge,
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
        timeout,
        excludeCredentials: existing
          .filter((row) => row.rp_id === rpId)
          .map((row) => ({ type: 'public-key', id: row.credential_id, transports: listed(row.transports) })),
        authenticatorSelection: { residentKey: REQUIRED, requireResidentKey: true, userVerification: REQUIRED },
        attestation: 'none',
      }
    },
    async made(passkey, expected) {
      const challengeRow = await takeChallenge(passkey.response.clientDataJSON, expected)
      return verifyMade(passkey, challengeRow).catch((cause: unknown) => {
        throw refuse('invalid', 'passkey.bad', {}, { cause })
      })
    },
    async beginLogin(page) {
      return {
        ...(await begin({ purpose: 'login', userId: 0, userHandle: '' }, page)),
        userVerification: REQUIRED,
      }
    },
    startedLogin: (shown, mark) => takeChallenge(shown.response.clientDataJSON, { purpose: 'login', userId: 0, mark }),
    proven: (shown, row, challengeRow) => verifyUse(shown, row, challengeRow).catch(() => undefined),
  }
}

/**
 * Returns the origin and relying-party id of a page. Throws unless the page is on a host name (not an IP address) over
 * https, or on localhost.
 */
function siteAt(origin: string): Readonly<{ origin: string; rpId: string }> {
  const { protocol, hostname, origin: plain } = new URL(origin)
  const isNumber = isIP(hostname) !== 0 || hostname.startsWith('[')
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (isNumber || (protocol !== 'https:' && !isLocal)) throw refuse('invalid', 'passkey.place')
  return { origin: plain, rpId: hostname }
}

const challengeIn = (clientData: string): string | undefined =>
  textIn(objectIn(parsed(Buffer.from(clientData, 'base64url').toString())).challenge)

const listed = (transports: string): string[] => (transports === '' ? [] : transports.split(','))

async function verifyMade({ response, ...passkey }: NewPasskey, challengeRow: PasskeyChallenge): Promise<MadePasskey> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  const { clientDataJSON, attestationObject, transports = [] } = response
  // No attestation is requested, so formats that need a manufacturer's certificates are rejected.
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
  const isSelfAttested = attestation.get('fmt') === 'packed' && attestation.get('attStmt').get('x5c') === undefined
  if (attestation.get('fmt') !== 'none' && !isSelfAttested) throw new Error('an attestation with certificates')
  const attestationResponse = { clientDataJSON, attestationObject }
  const registrationResponse: RegistrationResponseJSON = {
    ...passkey,
    response: attestationResponse,
    clientExtensionResults: {},
  }
  const { verified, registrationInfo: found } = await verifyRegistrationResponse({
    response: registrationResponse,
    expectedChallenge: challengeIn(clientDataJSON) ?? '',
    expectedOrigin: challengeRow.origin,
    expectedRPID: challengeRow.rpId,
    supportedAlgorithmIDs: ALGORITHMS,
  })
  if (!verified) throw new Error('the attestation does not hold')
  return {
    credential_id: found.credential.id,
    user_handle: challengeRow.userHandle,
    public_key: isoBase64URL.fromBuffer(found.credential.publicKey),
    counter: found.credential.counter,
    transports: transports.filter((one) => /^[a-z-]+$/.test(one)).join(','),
    rp_id: challengeRow.rpId,
    backed_up: found.credentialBackedUp ? 1 : 0,
  }
}

async function verifyUse(
  { response, ...passkey }: ShownPasskey,
  row: PasskeyRow,
  challengeRow: PasskeyChallenge,
): Promise<ProvenUse | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { userHandle, ...assertion } = response
  // Login is without a username, so the device names the account.
  if (userHandle !== row.user_handle) return undefined
  const authenticationResponse: AuthenticationResponseJSON = {
    ...passkey,
    response: assertion,
    clientExtensionResults: {},
  }
  const { verified, authenticationInfo: found } = await verifyAuthenticationResponse({
    response: authenticationResponse,
    expectedChallenge: challengeIn(assertion.clientDataJSON) ?? '',
    expectedOrigin: challengeRow.origin,
    expectedRPID: challengeRow.rpId,
    credential: {
      id: row.credential_id,
      publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
      counter: row.counter,
    },
  })
  return verified ? { counter: found.newCounter, backed_up: found.credentialBackedUp ? 1 : 0 } : undefined
}
