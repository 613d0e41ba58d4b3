import { z } from 'zod'
import { call } from './call.ts'
import { idParams, nameText } from './fields.ts'
import { passwordText, signedInView } from './user.ts'

/** Maximum passkeys of an account, and length of their names in code points. */
export const MAX_PASSKEYS = 20
export const MAX_PASSKEY_NAME = 50

/** Bytes in WebAuthn's JSON encoding (https://www.w3.org/TR/webauthn-3/#base64url-encoding). */
const bytes = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(/^[\w-]*$/)

/** An id has at most 1,023 bytes (https://www.w3.org/TR/webauthn-3/#credential-id). */
const credentialId = bytes(1364)
const clientDataJSON = bytes(4096)
const credential = { id: credentialId, rawId: credentialId, type: z.literal('public-key') }

/** A browser's new passkey (RegistrationResponseJSON), with the name given by its owner. */
export const newPasskey = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON,
      attestationObject: bytes(16_384),
      transports: z.array(z.string().max(32)).max(10).optional(),
    }),
    name: nameText(MAX_PASSKEY_NAME).default('').describe('Empty means a default name.'),
  })
  .meta({ id: 'NewPasskey' })
export type NewPasskey = z.output<typeof newPasskey>

const shownPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON,
    authenticatorData: bytes(4096),
    signature: bytes(4096),
    userHandle: bytes(128).optional(),
  }),
})
/** A browser's passkey assertion (AuthenticationResponseJSON). */
export type ShownPasskey = z.output<typeof shownPasskey>

/** The browser's options for creating a passkey (PublicKeyCredentialCreationOptionsJSON). */
export const creationOptions = z
  .object({
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    timeout: z.int().describe('In milliseconds.'),
    excludeCredentials: z
      .array(z.object({ type: z.literal('public-key'), id: z.string(), transports: z.array(z.string()) }))
      .describe('The passkeys of the account, so that a device does not create a second one.'),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
    attestation: z.literal('none'),
  })
  .meta({ id: 'PasskeyCreation' })
export type CreationOptions = z.infer<typeof creationOptions>

/** The browser's options for using a passkey (PublicKeyCredentialRequestOptionsJSON); names no account. */
const requestOptions = z
  .object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.int().describe('In milliseconds.'),
    userVerification: z.literal('required'),
  })
  .meta({ id: 'PasskeyRequest' })
export type RequestOptions = z.infer<typeof requestOptions>

/** A passkey as its owner sees it. */
const passkeyView = z
  .object({
    id: z.int(),
    name: z.string(),
    host: z.string().describe('The host name for which it is valid.'),
    is_synced: z.boolean().describe('Whether it is synchronized to other devices.'),
    created_at: z.int(),
    last_used_at: z.int().nullable(),
  })
  .meta({ id: 'Passkey' })
export type PasskeyView = z.infer<typeof passkeyView>

/** Login by passkey, and an account's passkeys (docs/reference/accounts.md#passkeys). */
export const passkey = {
  list: call({
    method: 'GET',
    path: '/api/user/passkey',
    summary: 'Lists the passkeys of your account, oldest first.',
    access: 'user',
    answer: z.array(passkeyView),
  }),
  beginRegister: call({
    method: 'POST',
    path: '/api/user/passkey/register/begin',
    summary:
      'Starts the creation of a passkey for your account; requires the password, and is valid for five minutes in this browser.',
    access: 'user',
    isInPerson: true,
    limit: 'per-user',
    body: z.object({
      password: passwordText.default('').describe('The password of your account; required if it has one.'),
    }),
    answer: creationOptions,
  }),
  finishRegister: call({
    method: 'POST',
    path: '/api/user/passkey/register/finish',
    summary: 'Adds the passkey that the browser created.',
    access: 'user',
    isInPerson: true,
    limit: 'per-user',
    body: newPasskey,
    answer: passkeyView,
  }),
  beginLogin: call({
    method: 'POST',
    path: '/api/user/passkey/login/begin',
    summary: 'Starts a login by passkey; valid for five minutes in this browser.',
    access: 'public',
    onDemo: 'open',
    limit: 'login',
    answer: requestOptions,
  }),
  finishLogin: call({
    method: 'POST',
    path: '/api/user/passkey/login/finish',
    summary: 'Logs in by passkey and sets the session cookie; no code is required.',
    access: 'public',
    onDemo: 'open',
    limit: 'login',
    body: shownPasskey,
    answer: signedInView,
  }),
  rename: call({
    method: 'PUT',
    path: '/api/user/passkey/:id',
    summary: 'Renames one of your passkeys.',
    access: 'user',
    isInPerson: true,
    params: idParams,
    body: z.object({ name: nameText(MAX_PASSKEY_NAME) }),
    answer: z.null(),
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/user/passkey/:id',
    summary: 'Removes one of your passkeys; refused for the last login method.',
    access: 'user',
    needsRecentLogin: true,
    isInPerson: true,
    params: idParams,
    answer: z.null(),
  }),
}
