import { Classes, HTMLTable } from '@blueprintjs/core'
import type { ExplainedChannel } from '../../../shared/api/routing.ts'
import { Sideways } from '../../components/sideways/sideways.tsx'
import { useTranslation } from '../../translation.ts'
import { ChannelLink, Keys, Share, Verdict } from './cells.tsx'
import { type Tier, tiersOf } from './tiers.ts'

type ChannelTableProps = Readonly<{
  channels: readonly ExplainedChannel[]
  /** When the explanation was received, in unix milliseconds. */
  at: number
}>

export function ChannelTable({ channels, at }: ChannelTableProps) {
  const { t } = useTranslation()
  return (
    <Sideways className="explain-card" label={t('explain.channels')}>
      <HTMLTable className="explain-table" compact aria-label={t('explain.channels')}>
        <thead>
          <tr>
            <th scope="col">{t('label.channel')}</th>
            <th scope="col" className="explain-number">
              {t('label.weight')}
            </th>
            <th scope="col">{t('explain.share')}</th>
            <th scope="col">{t('explain.verdict')}</th>
            <th scope="col">{t('explain.upstreamModel')}</th>
            <th scope="col" className="explain-number">
              {t('explain.keys')}
            </th>
          </tr>
        </thead>
        {tiersOf(channels).map((tier) => (
          <TierRows key={tier.priority} tier={tier} at={at} />
        ))}
      </HTMLTable>
    </Sideways>
  )
}

function TierRows({ tier, at }: Readonly<{ tier: Tier; at: number }>) {
  const { t } = useTranslation()
  return (
    <tbody>
      <tr className="explain-tier">
        <th scope="rowgroup" colSpan={6}>
          {t('explain.tier', { n: tier.priority })}
        </th>
      </tr>
      {tier.channels.map((channel) => (
        <tr key={channel.channel_id}>
          <td>
            <ChannelLink id={channel.channel_id} name={channel.name} />
          </td>
          <td className="explain-number tabular">{channel.weight}</td>
          <td>
            <Share channel={channel} />
          </td>
          <td>
            <Verdict channel={channel} at={at} />
          </td>
          <td className={`explain-model ${Classes.MONOSPACE_TEXT}`}>{channel.upstream_model}</td>
          <td className="explain-number tabular">
            <Keys channel={channel} />
          </td>
        </tr>
      ))}
    </tbody>
  )
}
