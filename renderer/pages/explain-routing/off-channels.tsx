import { Card, Classes } from '@blueprintjs/core'
import type { RoutingExplanation } from '../../../shared/api/routing.ts'
import { channelStatusLabel } from '../../../shared/enums.ts'
import { StatusTag } from '../../components/status-tag/status-tag.tsx'
import { useTranslation } from '../../translation.ts'
import { ChannelLink } from './cells.tsx'

/** Channels that would offer the model if they were on, and why they are off. */
export function OffChannels({ off }: { off: RoutingExplanation['off'] }) {
  const { t } = useTranslation()
  return (
    <section aria-label={t('explain.off')}>
      <h2 className={`explain-heading ${Classes.HEADING}`}>{t('explain.off')}</h2>
      <Card className="explain-card">
        <ul className="explain-off">
          {off.map(({ channel_id: id, name, status, reason }) => (
            <li key={id}>
              <ChannelLink id={id} name={name} />
              <StatusTag intent="warning" text={t(channelStatusLabel(status))} />
              <span className={`explain-off-reason ${Classes.TEXT_MUTED}`}>{reason}</span>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}
