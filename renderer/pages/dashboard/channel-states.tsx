import { Card, Classes, H2, type Intent, Tag } from '@blueprintjs/core'
import { Link } from 'react-router-dom'
import type { DashboardLive, TroubledChannel } from '../../../shared/api/data.ts'
import { channelStatus } from '../../../shared/enums.ts'
import { Countdown } from '../../components/cooldown/countdown.tsx'
import { useTranslation } from '../../translation.ts'

/** Channels that are off or cooling down, with reason and link; for administrators. */
export function ChannelStates({ live, at }: { live: DashboardLive | undefined; at: number }) {
  const { t } = useTranslation()
  const channels = live?.channels
  return (
    <section className="dash-section" aria-label={t('label.channels')}>
      <H2 className="dash-heading">{t('label.channels')}</H2>
      <Card compact className="dash-channels">
        {!channels && <div className={Classes.SKELETON}>0</div>}
        {channels && (
          <p>
            <Link to={`/channel?status=${channelStatus.enabled}`}>
              {t('dash.channelsOn', { n: channels.enabled, total: channels.total })}
            </Link>
            {channels.troubled === 0 && channels.total > 0 && ` ${t('dash.channelsFine')}`}
          </p>
        )}
        {channels && channels.first.length > 0 && (
          <ul>
            {channels.first.map((channel) => (
              <Troubled key={channel.id} channel={channel} at={at} />
            ))}
          </ul>
        )}
        {channels && channels.troubled > channels.first.length && (
          <p className={Classes.TEXT_MUTED}>{t('dash.more', { n: channels.troubled - channels.first.length })}</p>
        )}
      </Card>
    </section>
  )
}

const intents: Readonly<Record<TroubledChannel['state'], Intent>> = {
  auto_disabled: 'danger',
  failing: 'warning',
  limited: 'warning',
  disabled: 'none',
}

type TroubledProps = Readonly<{
  channel: TroubledChannel
  /** When the data was loaded, in unix milliseconds. */
  at: number
}>

function Troubled({ channel: { id, name, state, reason, seconds }, at }: TroubledProps) {
  const { t } = useTranslation()
  return (
    <li>
      <Tag minimal intent={intents[state]}>
        {t(`dash.state.${state}`)} {seconds > 0 && <Countdown until={at + seconds * 1000} />}
      </Tag>
      <Link to={`/channel/edit/${id}`}>{name}</Link>
      {reason !== '' && <span className={Classes.TEXT_MUTED}>{reason}</span>}
    </li>
  )
}
