import { HTMLTable } from '@blueprintjs/core'
import type { WhatIfChannel } from '../../../../shared/api/what-if.ts'
import { Sideways } from '../../../components/sideways/sideways.tsx'
import { useTranslation } from '../../../translation.ts'
import { MAX_SHOWN, MoreChannels, NameAndTags, useChannelFacts } from './channel-facts.tsx'

/** Every channel that was or would be asked, the busiest first. */
export function ChannelTable({ channels }: Readonly<{ channels: readonly WhatIfChannel[] }>) {
  const { t } = useTranslation()
  const facts = useChannelFacts()
  return (
    <>
      <Sideways className="explain-card" label={t('whatIf.byChannel')}>
        <HTMLTable className="explain-table" compact aria-label={t('whatIf.byChannel')}>
          <thead>
            <tr>
              <th scope="col">{t('label.channel')}</th>
              {facts.map(({ key, title }) => (
                <th key={key} scope="col" className="explain-number">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {channels.slice(0, MAX_SHOWN).map((channel) => (
              <tr key={channel.channel_id}>
                <td>
                  <NameAndTags channel={channel} />
                </td>
                {facts.map(({ key, value }) => (
                  <td key={key} className="explain-number">
                    {value(channel)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </HTMLTable>
      </Sideways>
      <MoreChannels all={channels.length} />
    </>
  )
}
