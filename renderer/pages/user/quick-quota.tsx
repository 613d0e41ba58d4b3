import { Button, Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import { Plus } from '@blueprintjs/icons'
import { useLocation, useNavigate } from 'react-router-dom'
import type { ManagedUser } from '../../../shared/api/user-admin.ts'
import { Popover } from '../../components/popover/popover.tsx'
import { useAmountUnit } from '../../components/quota-input/use-amount-unit.ts'
import { useUsualAmounts } from '../../components/quota-input/use-usual-amounts.ts'
import { useTranslation } from '../../translation.ts'
import { fromList, quotaPath } from './addresses.ts'
import { useAddQuota } from './use-add-quota.ts'

/** Adds a common amount to a balance at once, or opens the dialog for another amount. */
export function QuickQuota({ user }: { user: ManagedUser }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { search } = useLocation()
  const addQuota = useAddQuota()
  const amounts = useUsualAmounts(useAmountUnit().unit)
  const label = t('user.addQuotaTitle', { name: user.username })
  const content = (
    <Menu aria-label={label}>
      {amounts.map(({ text, quota }) => (
        <MenuItem key={text} text={`+ ${text}`} onClick={() => addQuota(user, user.quota + quota)} />
      ))}
      <MenuDivider />
      <MenuItem
        text={t('user.otherAmount')}
        onClick={() => void navigate({ pathname: quotaPath(user), search }, { state: fromList })}
      />
    </Menu>
  )
  return (
    <Popover isMenu content={content}>
      <Button size="small" variant="minimal" icon={<Plus size={12} />} title={label} aria-label={label} />
    </Popover>
  )
}
