import '@blueprintjs/select/lib/css/blueprint-select.css'
import { FormGroup, MenuItem } from '@blueprintjs/core'
import { type ItemRenderer, Suggest } from '@blueprintjs/select'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { type ChannelView, channel as channels } from '../../../../shared/api/channel.ts'
import { send } from '../../../api/client.ts'
import { areaOf } from '../../../api/use-call.ts'
import { useTranslation } from '../../../translation.ts'

type ChannelPickerProps = Readonly<{
  chosen: readonly number[]
  isFull: boolean
  onChoose: (channel: ChannelView) => void
}>

/** Channels that are offered at once; the rest are found by their name. */
const MAX_OFFERED = 100

const firstPage = { p: 0, page_size: MAX_OFFERED, id_sort: false, tag_mode: false, type: -1, status: 0 }
const anything = { group: '', model: '', id_sort: false, tag_mode: false }

/** Adds a channel to those that are changed, found by its name. */
export function ChannelPicker({ chosen, isFull, onChoose }: ChannelPickerProps) {
  const { t } = useTranslation()
  const id = useId()
  const [typed, type] = useState('')
  const keyword = typed.trim()
  const { data = [] } = useQuery({
    queryKey: [areaOf(channels.search), 'pick', keyword],
    queryFn: ({ signal }) =>
      keyword === ''
        ? send(channels.list, { query: firstPage }, { quiet: true, signal })
        : send(channels.search, { query: { ...anything, keyword } }, { quiet: true, signal }),
    placeholderData: (before) => before,
  })
  const offered = data.filter((one) => !chosen.includes(one.id)).slice(0, MAX_OFFERED)
  return (
    <FormGroup label={t('whatIf.add')} labelFor={id}>
      <Suggest<ChannelView>
        fill
        disabled={isFull}
        items={offered}
        selectedItem={null}
        query={typed}
        onQueryChange={type}
        onItemSelect={(one) => {
          type('')
          onChoose(one)
        }}
        inputValueRenderer={({ name }) => name}
        itemRenderer={renderChannel}
        noResults={<MenuItem disabled roleStructure="listoption" text={t('whatIf.noSuchChannel')} />}
        menuProps={{ 'aria-label': t('whatIf.add'), className: 'what-if-picks' }}
        inputProps={{ id, placeholder: t('whatIf.findChannel'), onKeyDown: keepForm }}
        popoverProps={{ minimal: true, matchTargetWidth: true }}
      />
    </FormGroup>
  )
}

/** Enter chooses a channel here; it does not send the form. */
const keepForm = (event: KeyboardEvent) => {
  if (event.key === 'Enter') event.preventDefault()
}

const renderChannel: ItemRenderer<ChannelView> = ({ id, name }, { handleClick, handleFocus, modifiers, ref }) => (
  <MenuItem
    key={id}
    ref={ref}
    roleStructure="listoption"
    text={name}
    label={`#${id}`}
    active={modifiers.active}
    onClick={handleClick}
    onFocus={handleFocus}
  />
)
