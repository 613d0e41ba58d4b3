import { model as modelCalls } from '../../../shared/api/model.ts'
import { useCall } from '../../api/use-call.ts'
import { useGroupName } from '../../components/group-name.ts'
import { useTranslation } from '../../translation.ts'
import { ChoiceField } from './choice-field.tsx'

/** All groups, none, and the account's own, which may no longer exist. */
export function GroupField({ value, onValue }: { value: string; onValue: (group: string) => void }) {
  const { t } = useTranslation()
  const { data: groups = [] } = useCall(modelCalls.groups, {})
  const nameOf = useGroupName()
  const names = [...new Set(['', ...groups, value])]
  return (
    <ChoiceField
      label={t('label.group')}
      hint={t('user.groupHint')}
      value={value}
      options={names.map((group) => ({ value: group, label: nameOf(group) }))}
      onValue={onValue}
    />
  )
}
