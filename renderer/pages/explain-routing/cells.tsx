import { Classes, type Intent, Tag } from '@blueprintjs/core'
import { Link } from 'react-router-dom'
import type { ExplainedChannel } from '../../../shared/api/routing.ts'
import { Remaining } from '../../components/cooldown/cooldown-tag.tsx'
import { saidBy, timed } from '../../components/cooldown/timed.ts'
import { useTranslation } from '../../translation.ts'
import { percent } from './percent.ts'

/** The name of a channel, which leads to its form. */
export const ChannelLink = ({ id, name }: Readonly<{ id: number; name: string }>) => (
  <Link className="explain-channel-name" to={`/channel/edit/${id}`}>
    {name}
  </Link>
)

/**
 * The chance to be asked first among those of its priority, as a bar for the eye, in percent, and how it comes about; a dash
 * for who is not asked.
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

/** What would become of the channel, in words; of one that is cooling down, for how long and what its upstream said. */
export function Verdict({ channel: { verdict, cooldown }, at }: Readonly<{ channel: ExplainedChannel; at: number }>) {
  const { t } = useTranslation()
  const [shown] = timed(cooldown ? [cooldown] : [], at)
  return (
    <span className="explain-verdict">
      <Tag minimal intent={intents[verdict]}>
        {t(`explain.verdict.${verdict}`)} {shown && <Remaining cooldown={shown} />}
      </Tag>
      {shown && <span className={Classes.TEXT_MUTED}>{saidBy(shown, t('cooldown.noAnswer'))}</span>}
    </span>
  )
}

/** Green is asked, red fails, yellow is a matter of time or of a hand; what could never serve is grey. */
const intents = {
  eligible: 'success',
  cooldown: 'danger',
  limited: 'warning',
  unsupported: 'none',
  prompt_too_long: 'none',
  at_capacity: 'warning',
  no_key: 'danger',
} as const satisfies Record<ExplainedChannel['verdict'], Intent>

/** How many of its keys work. */
export function Keys({ channel: { keys_usable: usable, keys } }: { channel: ExplainedChannel }) {
  const { t } = useTranslation()
  return t('explain.keysOf', { usable, all: keys })
}
