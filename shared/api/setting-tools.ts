import { z } from 'zod'
import { call } from './call.ts'

/** The three endpoints in an OIDC provider's discovery document; the last one is empty if missing. */
const endpoints = z
  .object({ authorization_endpoint: z.string(), token_endpoint: z.string(), user_info_endpoint: z.string() })
  .meta({ id: 'OidcEndpoints' })

const release = z
  .object({
    tag: z.string(),
    notes: z.string().describe('The notes as Markdown.'),
    url: z.string().describe('The page of the release; empty if there is none.'),
    version: z.string().describe('The version of this gateway.'),
    is_latest: z.boolean(),
  })
  .meta({ id: 'Release' })
export type Release = z.infer<typeof release>

/** Helpers to fill in and test settings (docs/reference/options.md#testing-settings). */
export const settingTools = {
  discoverOidc: call({
    method: 'POST',
    path: '/api/option/oidc_discovery',
    summary: 'Reads the endpoints of an OpenID provider from its Well-Known URL. Nothing is saved.',
    access: 'operator',
    limit: 'per-user',
    body: z.object({ well_known: z.string().max(2000) }),
    answer: endpoints,
  }),
  sendTestMail: call({
    method: 'POST',
    path: '/api/option/test_mail',
    summary: 'Sends a test email with the stored mail settings.',
    access: 'operator',
    limit: 'per-user',
    body: z.object({ to: z.string().max(254) }),
    answer: z.object({ said: z.string().describe('The response of the mail server.') }),
  }),
  testWorker: call({
    method: 'POST',
    path: '/api/option/test_worker',
    summary: 'Fetches a public page through the stored proxy worker, and discards it.',
    access: 'operator',
    limit: 'per-user',
    answer: z.object({
      url: z.string().describe('The page that was fetched.'),
      bytes: z.int(),
      duration_ms: z.int(),
    }),
  }),
  latestRelease: call({
    method: 'GET',
    path: '/api/option/latest_release',
    summary: 'Looks up the newest release at the configured address.',
    access: 'operator',
    limit: 'per-user',
    answer: release,
  }),
}
