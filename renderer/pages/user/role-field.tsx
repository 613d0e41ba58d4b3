import { role, roleLabel } from '../../../shared/enums.ts'
import { useUser } from '../../api/session.ts'
import { useTranslation } from '../../translation.ts'
import { ChoiceField } from './choice-field.tsx'

/** Only the super administrator has a choice; others add normal users. */
export function RoleField({ value, onValue }: { value: number; onValue: (value: number) => void }) {
  const { t } = useTranslation()
  const by = useUser()
  if (by?.role !== role.root) return null
  return (
    <ChoiceField
      label={t('label.role')}
      hint={t('user.roleHint')}
      value={String(value)}
      options={[role.user, role.admin].map((one) => ({ value: one, label: t(roleLabel(one)) }))}
      onValue={(chosen) => onValue(Number(chosen))}
    />
  )
}
