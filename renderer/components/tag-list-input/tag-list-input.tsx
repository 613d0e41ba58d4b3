import '@blueprintjs/select/lib/css/blueprint-select.css'
import './tag-list-input.css'
import { Button, FormGroup, MenuItem } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { type ItemListPredicate, type ItemRenderer, MultiSelect } from '@blueprintjs/select'
import { type ReactNode, useId, useRef } from 'react'
import { useTranslation } from '../../translation.ts'
import { useDescription } from '../form/description.ts'
import { between, namesIn } from './names-in.ts'
import { useCrosses } from './tag-crosses.ts'
import { keepFocus, useTyping } from './use-typing.ts'

export type TagListInputProps = Readonly<{
  label: string
  values: readonly string[]
  onValues: (values: string[]) => void
  /** Options; the first hundred matches are shown. */
  suggestions?: readonly string[]
  allowsOthers?: boolean
  placeholder?: string
  error?: string | undefined
  hint?: ReactNode
}>

/** A list of names: chosen, typed, or pasted with separators. Without duplicates. */
export function TagListInput(props: TagListInputProps) {
  const { label, error, hint } = props
  const id = useId()
  const note = error ?? hint
  return (
    <FormGroup
      className="tag-list-input"
      label={label}
      labelFor={id}
      intent={error ? 'danger' : 'none'}
      helperText={note && <span id={`${id}-note`}>{note}</span>}
    >
      <Names {...props} id={id} />
    </FormGroup>
  )
}

/** Blueprint's MultiSelect with support for pasted lists and localized labels. */
function Names({ id, ...props }: TagListInputProps & { id: string }) {
  const { label, values, onValues, suggestions = [], allowsOthers = true, placeholder, error } = props
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const remove = (name: string) => onValues(values.filter((value) => value !== name))
  const description = useDescription(`${id}-note`)
  const crosses = useCrosses({ box, values, onRemove: remove })
  const typing = useTyping({
    suggestions,
    allowsOthers,
    onAdd: (names) => onValues([...new Set([...values, ...names])]),
    onTurn: (name) => (values.includes(name) ? remove(name) : onValues([...values, name])),
  })
  const marksOf = (name: string) => ({ isChosen: values.includes(name), isTyped: typing.isTyped(name) })
  const choose = (name: string) => (values.includes(name) ? remove(name) : typing.add(namesOf(name, suggestions)))
  const clear = (
    <Button variant="minimal" icon={<Cross />} aria-label={t('json.clearOf', { label })} onClick={() => onValues([])} />
  )
  return (
    <div {...typing.keys}>
      <div ref={box} tabIndex={-1} {...crosses}>
        <MultiSelect<string>
          fill
          resetOnSelect
          items={[...suggestions]}
          selectedItems={[...values]}
          query={typing.query}
          onQueryChange={typing.write}
          activeItem={typing.active}
          onActiveItemChange={typing.lead}
          itemListPredicate={fitting}
          itemRenderer={(name, state) => renderName(name, state, marksOf(name))}
          itemsEqual={(one, other) => one === other}
          tagRenderer={(name) => name}
          onItemSelect={choose}
          onItemsPaste={typing.add}
          onRemove={remove}
          createNewItemFromQuery={allowsOthers ? (typed) => typed.trim() : undefined}
          createNewItemPosition="first"
          createNewItemRenderer={(typed, isActive, onClick) => (
            <MenuItem
              key="new"
              roleStructure="listoption"
              text={t('tags.add', { name: typed })}
              active={isActive || typing.active === null}
              onClick={onClick}
            />
          )}
          noResults={<MenuItem disabled roleStructure="listoption" text={t('tags.none')} />}
          placeholder={placeholder ?? ''}
          menuProps={{ 'aria-label': label }}
          popoverProps={{ minimal: true, matchTargetWidth: true, popoverClassName: 'tag-list-input-choices' }}
          popoverTargetProps={{ 'aria-label': label, onKeyDown: keepFocus }}
          tagInputProps={{
            ...inputLooks({ id, error, description }),
            rightElement: values.length > 0 ? clear : undefined,
          }}
        />
      </div>
    </div>
  )
}

const inputLooks = ({ id, error, description }: Readonly<Record<'id' | 'error' | 'description', string | undefined>>) =>
  ({
    separator: between,
    intent: error ? 'danger' : 'none',
    inputProps: {
      id,
      autoComplete: 'off',
      'aria-describedby': description,
      'aria-invalid': error !== undefined,
    },
    tagProps: { minimal: true },
  }) as const

/** A suggestion is one name, even if it contains separators. */
const namesOf = (text: string, suggestions: readonly string[]): readonly string[] =>
  suggestions.includes(text) ? [text] : namesIn(text)

/** At most a hundred names that contain the input, ignoring case, an exact match first. */
const fitting: ItemListPredicate<string> = (typed, items) => {
  const wanted = typed.trim().toLowerCase()
  const found = items.filter((name) => name.toLowerCase().includes(wanted))
  return found.sort((one, other) => Number(other === typed) - Number(one === typed)).slice(0, 100)
}

type NameState = Readonly<{
  isChosen: boolean
  /** The name equals the input, which Enter would add. */
  isTyped: boolean
}>

function renderName(name: string, state: Parameters<ItemRenderer<string>>[1], { isChosen, isTyped }: NameState) {
  const { handleClick, handleFocus, modifiers, ref } = state
  if (!modifiers.matchesPredicate) return null
  return (
    <MenuItem
      key={name}
      ref={ref}
      roleStructure="listoption"
      selected={isChosen}
      active={modifiers.active || isTyped}
      text={name}
      onClick={handleClick}
      onFocus={handleFocus}
      shouldDismissPopover={false}
    />
  )
}
