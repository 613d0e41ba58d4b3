import { Callout, Card, InputGroup } from '@blueprintjs/core'
import { Search, Tick } from '@blueprintjs/icons'
import { useMemo, useRef, useState } from 'react'
import { channel } from '../../../../shared/api/channel.ts'
import { pricedName } from '../../../../shared/priced-name.ts'
import { useStatus } from '../../../api/status.ts'
import { useCall } from '../../../api/use-call.ts'
import { useLocalPage } from '../../../api/use-local-page.ts'
import { BlankState } from '../../../components/blank-state/blank-state.tsx'
import { FailedState } from '../../../components/blank-state/failed-state.tsx'
import type { RowKey } from '../../../components/page-table/list-view.ts'
import { PageTable } from '../../../components/page-table/page-table.tsx'
import { useTranslation } from '../../../translation.ts'
import { BatchButton } from './batch-button.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { NoModel } from './no-model.tsx'
import { priceColumns } from './price-columns.tsx'
import { hasPrice, type PriceTable } from './price-table.ts'
import { priceText } from './price-text.ts'
import { SaveBar } from './save-bar.tsx'
import { useApply } from './use-apply.ts'
import { usePriceDrafts } from './use-drafts.ts'

/** Models of enabled channels without a price (docs/reference/screens.md#pricing-editors). */
export function UnsetModels({ stored }: { stored: PriceTable }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useCall(channel.enabledModels, {}, { quiet: true })
  if (error && !data)
    return (
      <FailedState
        scope="section"
        title={t('models.enabled_fail')}
        message={error.message}
        onRetry={() => void refetch()}
      />
    )
  return <UnsetList stored={stored} offered={data} />
}

function UnsetList({ stored, offered }: { stored: PriceTable; offered: readonly string[] | undefined }) {
  const { t } = useTranslation()
  const list = useRef<HTMLDivElement>(null)
  const { quota_per_unit: quotaPerUnit } = useStatus()
  const drafts = usePriceDrafts(stored)
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<RowKey>>(new Set())
  const unset = useMemo(
    () => [...new Set((offered ?? []).map(pricedName))].filter((model) => !hasPrice(stored.get(model))),
    [offered, stored],
  )
  const found = unset.filter((model) => model.toLowerCase().includes(search.trim().toLowerCase()))
  const page = { ...useLocalPage(found, { subject: search }), isLoading: offered === undefined }
  const { saving, apply } = useApply(drafts, list, (model) => {
    setSearch('')
    page.turnTo(Math.floor(unset.indexOf(model) / page.size), '')
  })
  const done = () => {
    drafts.clear()
    setChosen(new Set())
  }
  if (offered && unset.length === 0 && drafts.drafts.size === 0) return <AllSet />
  return (
    <div className="price-editor" ref={list}>
      <Callout compact>{t('priceEditor.unsetHint')}</Callout>
      <div className="price-editor-line">
        <InputGroup
          type="search"
          className="price-editor-search"
          leftIcon={<Search />}
          aria-label={t('priceEditor.search')}
          placeholder={t('priceEditor.search')}
          value={search}
          onValueChange={setSearch}
        />
        <div className="price-editor-tools">
          <BatchButton chosen={chosen} found={found} choose={setChosen} stored={stored} drafts={drafts} />
        </div>
      </div>
      <PageTable
        view={{
          label: t('priceEditor.unset'),
          columns: priceColumns({ stored, drafts, quotaPerUnit, t }),
          keyOf: (model) => model,
          selection: { chosen, choose: setChosen },
        }}
        page={page}
        empty={<NoModel />}
      />
      <SaveBar
        unsaved={drafts.drafts.size}
        isBusy={saving.isBusy}
        onDiscard={drafts.clear}
        onApply={() => void apply().then((isSaved) => isSaved && setChosen(new Set()))}
      />
      <ConflictDialog
        saving={saving}
        nameOf={(model) => model}
        describe={(_, row) => priceText(row, t)}
        onSaved={done}
      />
    </div>
  )
}

function AllSet() {
  const { t } = useTranslation()
  return (
    <Card className="price-editor">
      <BlankState
        scope="section"
        icon={<Tick size={48} />}
        title={t('priceEditor.allSet')}
        description={t('priceEditor.allSetHint')}
      />
    </Card>
  )
}
