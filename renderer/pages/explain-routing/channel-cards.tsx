import { Card, Classes } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { ExplainedChannel } from '../../../shared/api/routing.ts'
import { useTranslation } from '../../translation.ts'
import { ChannelLink, Keys, Share, Verdict } from './cells.tsx'
import { tiersOf } from './tiers.ts'

/** The table's content as cards for a phone, grouped by priority. */
export function ChannelCards({ channels, at }: Readonly<{ channels: readonly ExplainedChannel[]; at: number }>) {
  const { t } = useTranslation()
  return tiersOf(channels).map((tier) => (
    <section key={tier.priority} aria-label={t('explain.tier', { n: tier.priority })}>
      <h2 className={`explain-heading ${Classes.HEADING}`}>{t('explain.tier', { n: tier.priority })}</h2>
      <ul className="explain-cards">
        {tier.channels.map((channel) => (
          <li key={channel.channel_id}>
            <ChannelCard channel={channel} at={at} />
          </li>
        ))}
      </ul>
    </section>
  ))
}

function ChannelCard({ channel, at }: Readonly<{ channel: ExplainedChannel; at: number }>) {
  const { t } = useTranslation()
  return (
    <Card compact>
      <ChannelLink id={channel.channel_id} name={channel.name} />
      <Verdict channel={channel} at={at} />
      <dl>
        <Fact title={t('explain.share')} value={<Share channel={channel} />} />
        <Fact title={t('label.weight')} value={channel.weight} />
        <Fact title={t('explain.upstreamModel')} value={channel.upstream_model} />
        <Fact title={t('explain.keys')} value={<Keys channel={channel} />} />
      </dl>
    </Card>
  )
}

function Fact({ title, value }: Readonly<{ title: string; value: ReactNode }>) {
  return (
    <div>
      <dt className={Classes.TEXT_MUTED}>{title}</dt>
      <dd className="tabular">{value}</dd>
    </div>
  )
}
