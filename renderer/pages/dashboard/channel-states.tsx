import { Classes, type Intent, Tag } from '@blueprintjs/core'
import { useLayoutEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import type { DashboardLive, TroubledChannel } from '../../../shared/api/data.ts'
import { Countdown } from '../../components/cooldown/countdown.tsx'
import { useTranslation } from '../../translation.ts'

type ChannelStatesProps = Readonly<{
  channels: NonNullable<DashboardLive['channels']>
  /** When the data was loaded, in unix milliseconds. */
  at: number
}>

/** The channels that the system has disabled, that are cooling down, or that fail; a note if all channels are fine. */
export function ChannelStates({ channels, at }: ChannelStatesProps) {
  const { t } = useTranslation()
  const box = useRef<HTMLElement>(null)
  // A channel that recovers must not move the filters and the chart.
  useLayoutEffect(() => {
    if (box.current) box.current.style.minHeight = `${box.current.offsetHeight}px`
  })
  const listed = channels.first.filter(({ state }) => state !== 'disabled')
  if (channels.total === 0) return null
  return (
    <section ref={box} className="dash-channels" aria-label={t('label.channels')}>
      {listed.length === 0 && channels.enabled > 0 && (
        <p className={Classes.TEXT_MUTED}>{t('dash.channelsFine', { n: channels.enabled })}</p>
      )}
      {listed.length > 0 && (
        <ul>
          {listed.map((channel) => (
            <Troubled key={channel.id} channel={channel} at={at} />
          ))}
        </ul>
      )}
    </section>
  )
}

const intents: Readonly<Record<TroubledChannel['state'], Intent>> = {
  auto_disabled: 'danger',
  failing: 'warning',
  failed: 'danger',
  limited: 'warning',
  disabled: 'none',
}

function Troubled({ channel: { id, name, state, reason, seconds }, at }: { channel: TroubledChannel; at: number }) {
  const { t } = useTranslation()
  const why = reason || (state === 'failed' ? t('dash.noSuccess') : '')
  return (
    <li>
      <Tag minimal intent={intents[state]}>
        {t(`dash.state.${state}`)} {seconds > 0 && <Countdown until={at + seconds * 1000} />}
      </Tag>
      <Link to={`/channel/edit/${id}`}>{name}</Link>
      {why !== '' && <span className={Classes.TEXT_MUTED}>{why}</span>}
    </li>
  )
}
