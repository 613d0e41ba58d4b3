import { Classes, Tag } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { WhatIfChannel } from '../../../../shared/api/what-if.ts'
import { channelStatus } from '../../../../shared/enums.ts'
import { useDuration } from '../../../components/use-duration.ts'
import { useTranslation } from '../../../translation.ts'
import { ChannelLink } from '../cells.tsx'
import { percent } from '../percent.ts'
import { countText } from './figures.ts'

/** So many channels are shown; the others have hardly any requests. */
export const MAX_SHOWN = 100

/** What was and what would be; once where that reads alike. */
export function BeforeAfter({ before, after }: Readonly<{ before: string; after: string }>) {
  if (before === after) return <span className="tabular">{after}</span>
  return (
    <span className="what-if-before-after tabular">
      <span className={Classes.TEXT_MUTED}>{before}</span> → <strong>{after}</strong>
    </span>
  )
}

/** The name of a channel, and what is to be said of it in a word. */
export function NameAndTags({ channel }: { channel: WhatIfChannel }) {
  const { t } = useTranslation()
  const { channel_id: id, name, now, changed, load, evidence, would } = channel
  const isOff = changed !== null && changed.status !== channelStatus.enabled
  return (
    <span className="what-if-name">
      {now ? <ChannelLink id={id} name={name} /> : <span>{t('whatIf.gone', { id })}</span>}
      {isOff && <Tag minimal>{t('whatIf.off')}</Tag>}
      {load === 'several' && (
        <Tag minimal intent="warning">
          {t('whatIf.tag.several', { n: timesOf(channel) })}
        </Tag>
      )}
      {load === 'new' && (
        <Tag minimal intent="warning">
          {t('whatIf.tag.new')}
        </Tag>
      )}
      {evidence !== 'enough' && would.attempts > 0 && <Tag minimal>{t(`whatIf.tag.${evidence}`)}</Tag>}
    </span>
  )
}

const timesOf = ({ would, was, peak }: WhatIfChannel): string =>
  countText(Math.floor(would.busiest_hour / Math.max(1, peak, was.busiest_hour)))

type Fact = Readonly<{ key: string; title: string; value: (channel: WhatIfChannel) => ReactNode }>

/** The figures of a channel, each before and after. */
export function useChannelFacts(): readonly Fact[] {
  const { t } = useTranslation()
  const duration = useDuration()
  const time = (value: number | null) => (value === null ? '—' : duration(value))
  const pair = (text: (load: WhatIfChannel['was']) => string) => (channel: WhatIfChannel) => (
    <BeforeAfter before={text(channel.was)} after={text(channel.would)} />
  )
  return [
    { key: 'attempts', title: t('whatIf.requests'), value: pair(({ attempts }) => countText(attempts)) },
    { key: 'share', title: t('explain.share'), value: pair(({ share }) => percent(share)) },
    { key: 'failed', title: t('whatIf.failures'), value: pair(({ failed }) => countText(failed)) },
    { key: 'average', title: t('whatIf.average'), value: pair(({ average_ms }) => time(average_ms)) },
    { key: 'p95', title: t('whatIf.p95'), value: pair(({ p95_ms }) => time(p95_ms)) },
    {
      key: 'hour',
      title: t('whatIf.busiest'),
      value: ({ would, was, peak }) => (
        <span title={t('whatIf.peak', { n: Math.max(peak, Math.round(was.busiest_hour)) })}>
          <BeforeAfter before={countText(was.busiest_hour)} after={countText(would.busiest_hour)} />
        </span>
      ),
    },
  ]
}

/** That there are more channels than are shown. */
export function MoreChannels({ all }: { all: number }) {
  const { t } = useTranslation()
  if (all <= MAX_SHOWN) return null
  return <p className={`explain-note ${Classes.TEXT_MUTED}`}>{t('whatIf.moreChannels', { n: MAX_SHOWN, all })}</p>
}
