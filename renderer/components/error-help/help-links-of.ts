import type { TextKey } from '../../i18n.ts'
import { explainPath } from '../explain-path.ts'

/** A failed request: its code (docs/reference/errors.md#refusals), model and group, and the reader's role. */
export type FailedRequest = Readonly<{
  code: string
  model: string
  group: string
  isAdmin: boolean
  hasOwnToken?: boolean
  /** The channel that failed last; undefined if no channel was called. */
  channel?: Readonly<{ id: number; name: string }> | undefined
}>

type HelpLink = Readonly<{ to: string; label: TextKey; name?: string }>

/** Whether the cause is a missing price, which an administrator can set in place. */
export const lacksPrice = ({ code, model, isAdmin }: FailedRequest): boolean =>
  isAdmin && model !== '' && code === 'model_price_error'

export function helpLinksOf({ code, model, group, isAdmin, hasOwnToken, channel }: FailedRequest): readonly HelpLink[] {
  if (tokenCodes.has(code)) return hasOwnToken ? [{ to: '/token', label: 'help.tokens' }] : []
  if (!isAdmin) return []
  if (channelCodes.has(code))
    return [
      { to: '/channel', label: 'help.channels' },
      ...(model === '' ? [] : [{ to: explainPath({ model, group }), label: 'page.explainRouting' } as const]),
    ]
  return channel ? [{ to: `/channel/edit/${channel.id}`, label: 'help.channel', name: channel.name }] : []
}

const tokenCodes: ReadonlySet<string> = new Set([
  'pre_consume_token_quota_failed',
  'token_budget_exceeded',
  'token_budget_too_small',
  'model_not_allowed',
])

const channelCodes: ReadonlySet<string> = new Set([
  'no_available_channel',
  'channel_disabled',
  'get_channel_failed',
  'channels_saturated',
])
