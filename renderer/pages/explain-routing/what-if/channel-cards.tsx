import { Card, Classes } from '@blueprintjs/core'
import type { WhatIfChannel } from '../../../../shared/api/what-if.ts'
import { useTranslation } from '../../../translation.ts'
import { MAX_SHOWN, MoreChannels, NameAndTags, useChannelFacts } from './channel-facts.tsx'

/** What the table shows, for a phone or a tablet: a card for each channel. */
export function ChannelCards({ channels }: Readonly<{ channels: readonly WhatIfChannel[] }>) {
  const { t } = useTranslation()
  const facts = useChannelFacts()
  return (
    <>
      <ul className="explain-cards" aria-label={t('whatIf.byChannel')}>
        {channels.slice(0, MAX_SHOWN).map((channel) => (
          <li key={channel.channel_id}>
            <Card compact>
              <NameAndTags channel={channel} />
              <dl>
                {facts.map(({ key, title, value }) => (
                  <div key={key}>
                    <dt className={Classes.TEXT_MUTED}>{title}</dt>
                    <dd>{value(channel)}</dd>
                  </div>
                ))}
              </dl>
            </Card>
          </li>
        ))}
      </ul>
      <MoreChannels all={channels.length} />
    </>
  )
}
