import { InputGroup } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { model as modelCalls } from '../../../shared/api/model.ts'
import { userRoles, userStates } from '../../../shared/api/user-admin.ts'
import { useCall } from '../../api/use-call.ts'
import { FilterBar } from '../../components/filter-bar/filter-bar.tsx'
import { useTyped } from '../../components/filter-bar/use-typed.ts'
import { useGroupName } from '../../components/group-name.ts'
import { Select } from '../../components/select.tsx'
import type { TextKey } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'
import type { UserFilter } from './user-address.ts'

const statusTexts = {
  active: 'status.activated',
  banned: 'status.banned',
  deactivated: 'status.deactivated',
} as const satisfies Record<(typeof userStates)[number], TextKey>

type UserFiltersProps = Readonly<{
  filter: UserFilter
  onQuery: (filter: UserFilter) => void
}>

export function UserFilters({ filter, onQuery }: UserFiltersProps) {
  const { t } = useTranslation()
  const { typed, type } = useTyped(filter)
  return (
    <FilterBar onQuery={() => onQuery({ ...typed, keyword: typed.keyword.trim() })}>
      <InputGroup
        className="user-keyword"
        leftIcon={<Search />}
        placeholder={t('user.keyword')}
        aria-label={t('user.keyword')}
        title={t('user.keywordHint')}
        value={typed.keyword}
        onValueChange={(keyword) => type({ ...typed, keyword })}
      />
      <GroupChoice value={typed.group} onValue={(group) => type({ ...typed, group })} />
      <Select
        aria-label={t('label.role')}
        value={typed.role}
        onChange={(event) => type({ ...typed, role: userRoles.find((one) => one === event.currentTarget.value) ?? '' })}
        options={[
          { value: '', label: t('user.allRoles') },
          ...userRoles.map((value) => ({ value, label: t(`role.${value}`) })),
        ]}
      />
      <Select
        aria-label={t('label.status')}
        value={typed.status}
        onChange={(event) =>
          type({ ...typed, status: userStates.find((one) => one === event.currentTarget.value) ?? '' })
        }
        options={[
          { value: '', label: t('user.allStatuses') },
          ...userStates.map((value) => ({ value, label: t(statusTexts[value]) })),
        ]}
      />
    </FilterBar>
  )
}

/** All groups, and the one in the address, which may no longer exist. */
function GroupChoice({ value, onValue }: { value: string; onValue: (group: string) => void }) {
  const { t } = useTranslation()
  const { data: groups = [] } = useCall(modelCalls.groups, {}, { quiet: true })
  const nameOf = useGroupName()
  const known = value === '' || groups.includes(value) ? groups : [...groups, value]
  return (
    <Select
      aria-label={t('label.group')}
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
      options={[
        { value: '', label: t('user.allGroups') },
        ...known.map((group) => ({ value: group, label: nameOf(group) })),
      ]}
    />
  )
}
