import { InputGroup } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { channelTroubles } from '../../../../shared/api/channel.ts'
import { model as modelCalls } from '../../../../shared/api/model.ts'
import { channelTypeById, channelTypeLabel } from '../../../../shared/channel-types.ts'
import { channelStatus, channelStatusLabel } from '../../../../shared/enums.ts'
import { useCall } from '../../../api/use-call.ts'
import { FilterBar } from '../../../components/filter-bar/filter-bar.tsx'
import { useTyped } from '../../../components/filter-bar/use-typed.ts'
import { useGroupName } from '../../../components/group-name.ts'
import { Select } from '../../../components/select.tsx'
import { currentLocale } from '../../../i18n.ts'
import { useTranslation } from '../../../translation.ts'
import { type ChannelFilter, useTypeCounts } from './use-channels.ts'

type ChannelFiltersProps = Readonly<{
  filter: ChannelFilter
  onQuery: (filter: ChannelFilter) => void
}>

/** Filters channels by id, name, key or address, model, group, type and status. */
export function ChannelFilters({ filter, onQuery }: ChannelFiltersProps) {
  const { t } = useTranslation()
  const { typed, type } = useTyped(filter)
  const change = (part: Partial<ChannelFilter>) => type({ ...typed, ...part })
  const query = () => onQuery({ ...typed, keyword: typed.keyword.trim(), model: typed.model.trim() })
  return (
    <FilterBar onQuery={query}>
      <InputGroup
        leftIcon={<Search />}
        placeholder={t('channel.keyword')}
        aria-label={t('channel.keyword')}
        value={typed.keyword}
        onValueChange={(keyword) => change({ keyword })}
      />
      <InputGroup
        placeholder={t('label.model')}
        aria-label={t('label.model')}
        value={typed.model}
        onValueChange={(model) => change({ model })}
      />
      <Choices typed={typed} onChange={change} />
    </FilterBar>
  )
}

type ChoicesProps = Readonly<{ typed: ChannelFilter; onChange: (part: Partial<ChannelFilter>) => void }>

function Choices({ typed, onChange }: ChoicesProps) {
  const { t } = useTranslation()
  const { data: groups = [] } = useCall(modelCalls.groups, {}, { quiet: true })
  const nameOf = useGroupName()
  const types = useTypeOptions()
  const troubles = channelTroubles.map((value) => ({ value, label: t(`channel.trouble.${value}`) }))
  const statuses = Object.values(channelStatus).map((value) => ({ value, label: t(channelStatusLabel(value)) }))
  return (
    <>
      <Select
        aria-label={t('label.group')}
        value={typed.group}
        onChange={(event) => onChange({ group: event.currentTarget.value })}
        options={[
          { value: '', label: t('channel.allGroups') },
          ...groups.map((value) => ({ value, label: nameOf(value) })),
        ]}
      />
      <Select
        aria-label={t('label.type')}
        value={typed.type}
        onChange={(event) => onChange({ type: Number(event.currentTarget.value) })}
        options={[{ value: -1, label: t('channel.allTypes') }, ...types]}
      />
      <Select
        aria-label={t('label.status')}
        value={typed.trouble || typed.status}
        onChange={(event) => onChange(stateOf(event.currentTarget.value))}
        options={[{ value: 0, label: t('channel.allStatuses') }, ...statuses, ...troubles]}
      />
    </>
  )
}

/** A status or a trouble of enabled channels, chosen from one list. */
function stateOf(value: string): Pick<ChannelFilter, 'status' | 'trouble'> {
  const trouble = channelTroubles.find((one) => one === value)
  return trouble ? { status: 0, trouble } : { status: Number(value), trouble: '' }
}

function useTypeOptions(): { value: number; label: string }[] {
  const { data: counts = {} } = useTypeCounts()
  return Object.entries(counts).map(([id, count]) => {
    const type = channelTypeById(Number(id))
    const name = type ? channelTypeLabel(type, currentLocale()) : id
    return { value: Number(id), label: `${name} (${count})` }
  })
}
