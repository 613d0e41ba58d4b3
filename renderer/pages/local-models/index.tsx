import './local-models.css'
import { Card, Classes, H2 } from '@blueprintjs/core'
import { localModels as calls, type LocalChannel } from '../../../shared/api/local-models.ts'
import { useCall } from '../../api/use-call.ts'
import { FailedState } from '../../components/blank-state/failed-state.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { useTranslation } from '../../translation.ts'
import { AddressForm } from './address-form.tsx'
import { ChannelItem } from './channel-item.tsx'
import { FindingItem } from './finding-item.tsx'
import { SearchCard } from './search-card.tsx'
import { type Search, useSearch } from './use-search.ts'

/** Detects, adds and follows local model programs on the gateway's computer (docs/reference/local-models.md). */
export default function LocalModelsPage() {
  const { t } = useTranslation()
  const { data, error, refetch } = useCall(calls.list, {})
  return (
    <PageFrame title={t('localModels.title')}>
      <p className={`local-models-intro ${Classes.TEXT_MUTED}`}>{t('localModels.intro')}</p>
      {error && !data && (
        <Card>
          <FailedState message={error.message} onRetry={() => void refetch()} />
        </Card>
      )}
      {!error && !data && <Waiting />}
      {data && <Content channels={data} />}
    </PageFrame>
  )
}

function Content({ channels }: { channels: readonly LocalChannel[] }) {
  const search = useSearch()
  return (
    <>
      {channels.length > 0 && <Channels channels={channels} />}
      <SearchCard search={search} />
      {search.findings.length > 0 && <Findings search={search} />}
      <AddressForm search={search} />
    </>
  )
}

function Waiting() {
  const { t } = useTranslation()
  return (
    <Card className="local-models-card" role="status" aria-label={t('state.loading')}>
      {['a', 'b', 'c'].map((line) => (
        <div key={line} className={`local-models-line ${Classes.SKELETON}`} />
      ))}
    </Card>
  )
}

function Findings({ search }: { search: Search }) {
  const { t } = useTranslation()
  const hasShared = search.findings.some(({ models }) => models.some((model) => model.is_elsewhere))
  return (
    <Card className="local-models-card">
      <H2 className="local-models-heading">{t('localModels.results')}</H2>
      <p className={Classes.TEXT_MUTED}>{t('localModels.free')}</p>
      {hasShared && <p className={Classes.TEXT_MUTED}>{t('localModels.elsewhereHint')}</p>}
      <ul className="local-models-items" aria-label={t('localModels.results')}>
        {search.findings.map((finding) => (
          <FindingItem key={finding.address} finding={finding} search={search} />
        ))}
      </ul>
    </Card>
  )
}

function Channels({ channels }: { channels: readonly LocalChannel[] }) {
  const { t } = useTranslation()
  return (
    <Card className="local-models-card">
      <H2 className="local-models-heading">{t('localModels.channels')}</H2>
      <p className={Classes.TEXT_MUTED}>{t('localModels.channelsHint')}</p>
      <p className={Classes.TEXT_MUTED}>{t('localModels.takesHint')}</p>
      <ul className="local-models-items" aria-label={t('localModels.channels')}>
        {channels.map((channel) => (
          <ChannelItem key={channel.channel_id} channel={channel} />
        ))}
      </ul>
    </Card>
  )
}
