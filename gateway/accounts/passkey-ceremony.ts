import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { CreationOptions, NewPasskey, RequestOptions, ShownPasskey } from '../../shared/api/passkey.ts'
import { refuse } from '../base/errors.ts'
import { randomSecret, sha256 } from '../base/ids.ts'
import { objectIn, parsed, textIn } from '../base/json.ts'
import { CHALLENGE_MS, type PasskeyChallenge, type PasskeyChallenges } from '../shared-state/passkey-challenges.ts'
import type { NewPasskeyRow, PasskeyRow } from '../store/passkeys.ts'

/** The page at which somebody uses a passkey, and what its browser keeps meanwhile. */
export type PasskeyPlace = Readonly<{ origin: string; mark: string }>

/** For whom a passkey is made. */
type PasskeyOwner = Readonly<{
  purpose: 'add' | 'register'
  /** 0 while there is no account yet. */
  userId: number
  username: string
  displayName: string
  /** What the gateway is called. */
  site: string
  existing: readonly PasskeyRow[]
}>

/** What of a passkey is kept that a browser has just made. */
export type MadePasskey = Pick<
  NewPasskeyRow,
  'credential_id' | 'user_handle' | 'public_key' | 'counter' | 'transports' | 'rp_id' | 'backed_up'
>

/** What a device says of a passkey each time. */
type ProvenUse = Readonly<{ counter: number; backed_up: number }>

/**
 * What goes back and forth between gateway and browser (https://www.w3.org/TR/webauthn-3/), verified by
 * `@simplewebauthn/server`, which comes with the first use. A challenge is spent whatever comes of it.
 */
interface PasskeyCeremony {
  beginMaking(owner: PasskeyOwner, place: PasskeyPlace): Promise<CreationOptions>
  /** The passkey that was made for this account, or for one that is about to be registered (`userId` 0). */
  made(passkey: NewPasskey, expected: Expected): Promise<MadePasskey>
  beginLogin(place: PasskeyPlace): Promise<RequestOptions>
  /** The login that a passkey answers; refuses where none has begun in this browser. */
  begunLogin(shown: ShownPasskey, mark: string | undefined): Promise<PasskeyChallenge>
  /** Whether a passkey is this one; undefined where anything is not as it must be. */
  proven(shown: ShownPasskey, row: PasskeyRow, begun: PasskeyChallenge): Promise<ProvenUse | undefined>
}

/** Whose passkey, for what, and in which browser. */
type Expected = Pick<PasskeyChallenge, 'purpose' | 'userId'> & Readonly<{ mark: string | undefined }>

/** Of COSE: EdDSA, ES256 and RS256, which every device has one of. */
const ALGORITHMS = [-8, -7, -257]
const REQUIRED = 'required' as const

/** The ceremonies over what is remembered of them. */
export function createPasskeyCeremony(challenges: PasskeyChallenges): PasskeyCeremony {
  const begin = async (begun: Omit<PasskeyChallenge, 'browser' | 'rpId' | 'origin'>, place: PasskeyPlace) => {
    const { origin, rpId } = siteAt(place.origin)
    const challenge = randomSecret()
    await challenges.put(challenge, { ...begun, browser: sha256(place.mark), origin, rpId })
    return { challenge, rpId, timeout: CHALLENGE_MS }
  }
  const taken = async (clientData: string, { purpose, userId, mark }: Expected): Promise<PasskeyChallenge> => {
    const challenge = challengeIn(clientData)
    const begun = challenge === undefined ? undefined : await challenges.take(challenge)
    const isTheirs = begun?.purpose === purpose && begun.userId === userId
    if (!begun || !isTheirs || !mark || sha256(mark) !== begun.browser) throw refuse('forbidden', 'passkey.late')
    return begun
  }
  return {
    async beginMaking({ purpose, userId, username, displayName, site, existing }, place) {
      // A device that knows the account already has one passkey for it.
      const userHandle = existing[0]?.user_handle ?? randomSecret()
      const { challenge, rpId, timeout } = await begin({ purpose, userId, userHandle }, place)
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
      const begun = await taken(passkey.response.clientDataJSON, expected)
      return verifyMade(passkey, begun).catch((cause: unknown) => {
        throw refuse('invalid', 'passkey.bad', {}, { cause })
      })
    },
    async beginLogin(place) {
      return {
        ...(await begin({ purpose: 'login', userId: 0, userHandle: '' }, place)),
        userVerification: REQUIRED,
      }
    },
    begunLogin: (shown, mark) => taken(shown.response.clientDataJSON, { purpose: 'login', userId: 0, mark }),
    proven: (shown, row, begun) => verifyUse(shown, row, begun).catch(() => undefined),
  }
}

/** Where a passkey of this page holds: a host name, reached in a way that browsers trust. */
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

/** Throws whatever is wrong with it. */
async function verifyMade({ response, ...passkey }: NewPasskey, begun: PasskeyChallenge): Promise<MadePasskey> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  const { clientDataJSON, attestationObject, transports = [] } = response
  // We ask for no attestation: what needs the certificates of a maker to be verified is not looked at.
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
  const isBySelf = attestation.get('fmt') === 'packed' && attestation.get('attStmt').get('x5c') === undefined
  if (attestation.get('fmt') !== 'none' && !isBySelf) throw new Error('an attestation with certificates')
  const said = { clientDataJSON, attestationObject }
  const told: RegistrationResponseJSON = { ...passkey, response: said, clientExtensionResults: {} }
  const { verified, registrationInfo: found } = await verifyRegistrationResponse({
    response: told,
    expectedChallenge: challengeIn(clientDataJSON) ?? '',
    expectedOrigin: begun.origin,
    expectedRPID: begun.rpId,
    supportedAlgorithmIDs: ALGORITHMS,
  })
  if (!verified) throw new Error('the attestation does not hold')
  return {
    credential_id: found.credential.id,
    user_handle: begun.userHandle,
    public_key: isoBase64URL.fromBuffer(found.credential.publicKey),
    counter: found.credential.counter,
    transports: transports.filter((one) => /^[a-z-]+$/.test(one)).join(','),
    rp_id: begun.rpId,
    backed_up: found.credentialBackedUp ? 1 : 0,
  }
}

async function verifyUse(
  { response, ...passkey }: ShownPasskey,
  row: PasskeyRow,
  begun: PasskeyChallenge,
): Promise<ProvenUse | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { userHandle, ...said } = response
  // Who is asked for no name is named by the device.
  if (userHandle !== row.user_handle) return undefined
  const told: AuthenticationResponseJSON = { ...passkey, response: said, clientExtensionResults: {} }
  const { verified, authenticationInfo: found } = await verifyAuthenticationResponse({
    response: told,
    expectedChallenge: challengeIn(said.clientDataJSON) ?? '',
    expectedOrigin: begun.origin,
    expectedRPID: begun.rpId,
    credential: {
      id: row.credential_id,
      publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
      counter: row.counter,
    },
  })
  return verified ? { counter: found.newCounter, backed_up: found.credentialBackedUp ? 1 : 0 } : undefined
}
