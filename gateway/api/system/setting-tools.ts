import { z } from 'zod'
import { settingTools } from '../../../shared/api/setting-tools.ts'
import { isWebLink } from '../../../shared/links.ts'
import { refuse } from '../../base/errors.ts'
import { parsed } from '../../base/json/json.ts'
import type { FetchAnswer, FetchTrusted } from '../../base/network/http-client.ts'
import { composed } from '../../mail/compose.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { ProveWorker } from '../../relay/media/worker-check.ts'
import type { Settings } from '../../settings/settings.ts'
import { addressOf } from '../middleware/origin.ts'
import { serve } from '../serve.ts'

type SettingToolsDeps = Readonly<{
  settings: Pick<Settings, 'get' | 'linkAddress'>
  fetchTrusted: FetchTrusted
  mailer: Mailer
  proveWorker: ProveWorker
  version: string
}>

const TIMEOUT_MS = 5000
const MAX_DOCUMENT = 256 * 1024
/** Max bytes of the description of a release, whose list of files may be long. */
const MAX_RELEASE = 1024 * 1024
const MAX_NOTES_LENGTH = 50_000

/**
 * Helps to fill in settings and tests stored ones (docs/reference/options.md#testing-settings). Requests go to
 * addresses that operators entered: private ones are allowed, metadata services never, redirects are not followed.
 */
export function settingToolsApi({ settings, mailer, proveWorker, version, ...deps }: SettingToolsDeps) {
  const get = (url: string, headers: Record<string, string>, maxBytes: number) =>
    deps.fetchTrusted(url, { headers, timeoutMs: TIMEOUT_MS, maxBytes })
  return serve(settingTools, {
    discoverOidc: async ({ body }) => {
      const url = body.well_known.trim()
      if (!/^https?:\/\//i.test(url)) throw refuse('invalid', 'option.oidc_prefix')
      const answered = await get(url, { accept: 'application/json' }, MAX_DOCUMENT).catch((cause) => {
        throw refuse('upstream', 'option.oidc_fail', {}, { cause })
      })
      const found = discovered.safeParse(jsonIn(answered))
      if (!found.success) throw refuse('upstream', 'option.oidc_fail')
      const { userinfo_endpoint = '', ...endpoints } = found.data
      return { ...endpoints, user_info_endpoint: userinfo_endpoint }
    },
    sendTestMail: async ({ body, caller }) => {
      const to = body.to.trim()
      if (!z.email().safeParse(to).success) throw refuse('invalid', 'email.invalid')
      const params = { site: settings.get('SystemName'), link: settings.linkAddress(addressOf(caller)) }
      const words = { subject: 'mail.test_subject', body: 'mail.test_body', params } as const
      return { said: await mailer.send({ to, ...composed(caller.locale, words) }) }
    },
    testWorker: () => proveWorker(),
    latestRelease: async () => {
      const url = settings.get('UpdateCheckUrl')
      if (url === '') throw refuse('invalid', 'update.none')
      const headers = { accept: 'application/vnd.github+json, application/json', 'user-agent': `Switchyard/${version}` }
      const answered = await get(url, headers, MAX_RELEASE).catch((cause) => {
        throw refuse('upstream', 'update.fail', {}, { cause })
      })
      const found = release.safeParse(jsonIn(answered))
      if (!found.success) throw refuse('upstream', 'update.fail')
      const { tag_name: tag, body: notes, html_url: page } = found.data
      return {
        tag,
        notes: (notes ?? '').slice(0, MAX_NOTES_LENGTH),
        url: page && isWebLink(page) ? page : '',
        version,
        is_latest: bare(tag) === bare(version),
      }
    },
  })
}

const endpoint = z.string().max(2000).refine(isWebLink)

/** The used members of a provider's document (OpenID Connect Discovery 1.0 §3); the last one is optional. */
const discovered = z.object({
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  userinfo_endpoint: endpoint.optional(),
})

/** The used members of a release, in the shape of GitHub's API. */
const release = z.object({
  tag_name: z.string().trim().min(1).max(200),
  body: z.string().nullish(),
  html_url: z.string().max(2000).nullish(),
})

const jsonIn = ({ status, text }: FetchAnswer): unknown => (status === 200 ? parsed(text) : undefined)

/** A version without the `v` of tags. */
const bare = (tag: string): string => tag.replace(/^v(?=\d)/i, '')
