import { objectIn, parsed, textIn } from '../../../base/json.ts'

/** A service account of Google's, from the JSON file that is a channel's key; what it does not say is empty. */
export type ServiceAccount = Readonly<{
  project: string
  email: string
  privateKey: string
  keyId: string
  /** Where passes are given, and for whom their request is signed. */
  tokenUrl: string
}>

const TOKEN_URL = 'https://oauth2.googleapis.com/token'

/** Reads a channel's key ("Service account key files" of Google Cloud). */
export function serviceAccount(key: string): ServiceAccount {
  const { project_id, client_email, private_key, private_key_id, token_uri } = objectIn(parsed(key))
  return {
    project: textIn(project_id) ?? '',
    email: textIn(client_email) ?? '',
    privateKey: textIn(private_key) ?? '',
    keyId: textIn(private_key_id) ?? '',
    tokenUrl: textIn(token_uri) || TOKEN_URL,
  }
}
