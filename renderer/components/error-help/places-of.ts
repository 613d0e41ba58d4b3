import type { TextKey } from '../../i18n.ts'
import { explainPath } from '../explain-path.ts'

/** A request that failed: its code (docs/reference/errors.md#refusals), what it asked for, and who looks at it. */
export type FailedRequest = Readonly<{
  code: string
  model: string
  group: string
  /** The reader is an administrator. */
  isAdmin: boolean
  /** It was sent with a token of the reader's own. */
  hasOwnToken?: boolean
  /** The channel that failed last, with its number and name; none where no channel was asked. */
  channel?: Readonly<{ id: number; name: string }> | undefined
}>

/** A place of the console, and what the link to it says. */
export type Place = Readonly<{ to: string; label: TextKey; name?: string }>

/** Whether a missing price is the reason, which an administrator can set in place. */
export const lacksPrice = ({ code, model, isAdmin }: FailedRequest): boolean =>
  isAdmin && model !== '' && code === 'model_price_error'

/** Where the reader can do something about it; nothing where nobody but others can. */
export function placesOf({ code, model, group, isAdmin, hasOwnToken, channel }: FailedRequest): readonly Place[] {
  if (tokenCodes.has(code)) return hasOwnToken ? [{ to: '/token', label: 'help.tokens' }] : []
  if (!isAdmin) return []
  if (channelCodes.has(code))
    return [
      { to: '/channel', label: 'help.channels' },
      ...(model === '' ? [] : [{ to: explainPath({ model, group }), label: 'page.explainRouting' } as const]),
    ]
  return channel ? [{ to: `/channel/edit/${channel.id}`, label: 'help.channel', name: channel.name }] : []
}

/** What the token decides: its quota, its budgets and its models. */
const tokenCodes: ReadonlySet<string> = new Set([
  'pre_consume_token_quota_failed',
  'token_budget_exceeded',
  'token_budget_too_small',
  'model_not_allowed',
])

/** No channel is there, or none that is enabled and ready. */
const channelCodes: ReadonlySet<string> = new Set([
  'no_available_channel',
  'channel_disabled',
  'get_channel_failed',
  'channels_saturated',
])
