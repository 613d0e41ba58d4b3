import { Classes, type Intent, Tag } from '@blueprintjs/core'
import { Link } from 'react-router-dom'
import type { ExplainedChannel } from '../../../shared/api/routing.ts'
import { Remaining } from '../../components/cooldown/cooldown-tag.tsx'
import { responseText, timed } from '../../components/cooldown/timed.ts'
import { useTranslation } from '../../translation.ts'
import { percent } from './percent.ts'

export const ChannelLink = ({ id, name }: Readonly<{ id: number; name: string }>) => (
  <Link className="explain-channel-name" to={`/channel/edit/${id}`}>
    {name}
  </Link>
)

/**
 * The probability of being tried first within its priority: a visual bar, percent, and how it is computed; a dash for
 * channels that would not be tried.
 */
export function Share({ channel: { share, verdict, weight, chance, chances } }: { channel: ExplainedChannel }) {
  const { t } = useTranslation()
  if (verdict !== 'eligible') return '—'
  return (
    <span className="explain-share">
      <span className="explain-share-bar" aria-hidden>
        <span style={{ width: `${share * 100}%` }} />
      </span>
      <span className="tabular">{percent(share)}</span>
      <span className={`explain-share-sum tabular ${Classes.TEXT_MUTED}`}>
        {t('explain.shareOf', { weight, more: chance - weight, total: chances })}
      </span>
    </span>
  )
}

/** A channel's verdict; for a cooldown, its remaining time and the upstream's error. */
export function Verdict({ channel: { verdict, cooldown }, at }: Readonly<{ channel: ExplainedChannel; at: number }>) {
  const { t } = useTranslation()
  const [shown] = timed(cooldown ? [cooldown] : [], at)
  return (
    <span className="explain-verdict">
      <Tag minimal intent={intents[verdict]}>
        {t(`explain.verdict.${verdict}`)} {shown && <Remaining cooldown={shown} />}
      </Tag>
      {shown && <span className={Classes.TEXT_MUTED}>{responseText(shown, t('cooldown.noAnswer'))}</span>}
    </span>
  )
}

/**
 * Green would be tried, red fails, yellow may be usable later or after a change, and grey cannot serve such a request.
 */
const intents = {
  eligible: 'success',
  cooldown: 'danger',
  limited: 'warning',
  unsupported: 'none',
  prompt_too_long: 'none',
  at_capacity: 'warning',
  no_key: 'danger',
} as const satisfies Record<ExplainedChannel['verdict'], Intent>

export function Keys({ channel: { keys_usable: usable, keys } }: { channel: ExplainedChannel }) {
  const { t } = useTranslation()
  return t('explain.keysOf', { usable, all: keys })
}
