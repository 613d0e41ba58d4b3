import './redemption.css'
import { Button, SegmentedControl } from '@blueprintjs/core'
import { Plus } from '@blueprintjs/icons'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { RedemptionView } from '../../../shared/api/redemption.ts'
import { later } from '../../components/later.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { useTranslation } from '../../translation.ts'
import { AllOrders } from './all-orders.tsx'
import { CodeList } from './code-list.tsx'

/** Loaded when first opened, so that the list shows sooner. */
const RedemptionDrawer = later(async () => (await import('./edit-drawer.tsx')).RedemptionDrawer)
const MadeDialog = later(async () => (await import('./made-dialog.tsx')).MadeDialog)

export type MadeCodes = Readonly<{ name: string; keys: readonly string[] }>

/** Redemption codes and all orders, for administrators (docs/reference/screens.md#redemption-codes). */
export default function RedemptionPage() {
  const { t } = useTranslation()
  const [search, setSearch] = useSearchParams()
  const [editing, setEditing] = useState<RedemptionView | 'new'>()
  const [made, setMade] = useState<MadeCodes>()
  const part = search.get('tab') === 'orders' ? 'orders' : 'codes'
  const add = <Button intent="primary" icon={<Plus />} text={t('redemption.add')} onClick={() => setEditing('new')} />
  return (
    <PageFrame isWide title={t('label.redemptionCodes')} action={add}>
      <SegmentedControl
        className="redemption-parts"
        inline
        aria-label={t('redemption.tabs')}
        options={[
          { value: 'codes', label: t('redemption.codes') },
          { value: 'orders', label: t('redemption.orders') },
        ]}
        value={part}
        onValueChange={(next) => setSearch(next === 'orders' ? { tab: 'orders' } : {})}
      />
      {part === 'codes' ? <CodeList add={add} onEdit={setEditing} /> : <AllOrders />}
      {editing && <RedemptionDrawer editing={editing} onMade={setMade} onClose={() => setEditing(undefined)} />}
      {made && <MadeDialog made={made} onClose={() => setMade(undefined)} />}
    </PageFrame>
  )
}
