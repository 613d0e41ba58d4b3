import { ContextMenuPopover, Menu, MenuItem } from '@blueprintjs/core'
import { Duplicate, Edit, Filter, Person } from '@blueprintjs/icons'
import { createContext, type ReactNode, type RefObject, useContext, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useCopy } from '../../components/copy-text/use-copy.tsx'
import { useGroupName } from '../../components/group-name.ts'
import { later } from '../../components/later.tsx'
import { useTranslation } from '../../translation.ts'
import type { LogFilter } from './log-filter.ts'

const UserDialog = later(async () => (await import('./user-dialog.tsx')).UserDialog)

type LogValue = Readonly<{ kind: 'model' | 'token' | 'group' | 'channel' | 'user'; name: string; id?: number }>

function filterBy({ kind, name, id = 0 }: LogValue): Partial<LogFilter> {
  if (kind === 'channel') return { channel: id }
  return { [kind === 'user' ? 'username' : kind]: `=${name}` }
}

type Opened = Readonly<{ value: LogValue; button: HTMLElement }>

const OpenMenu = createContext<(opened: Opened) => void>(() => {})

type ValueMenuProps = Readonly<{
  onFilter: (change: Partial<LogFilter>) => void
  onOpen: (isOpen: boolean) => void
  children: ReactNode
}>

/** The single menu of all values in the list: a hundred rows with five menus each would be slow. */
export function ValueMenu({ onFilter, onOpen, children }: ValueMenuProps) {
  const [opened, setOpened] = useState<Opened>()
  const [account, setAccount] = useState<LogValue>()
  const list = useRef<HTMLUListElement>(null)
  const { copy, dialog } = useCopy()
  const open = (next: Opened) => {
    setOpened(next)
    onOpen(true)
  }
  const close = () => {
    opened?.button.focus()
    setOpened(undefined)
    onOpen(false)
  }
  const acts = { onFilter, onCopy: copy, onAccount: setAccount }
  return (
    <OpenMenu value={open}>
      {children}
      <ContextMenuPopover
        isOpen={opened !== undefined}
        placement="bottom-start"
        transitionDuration={0}
        targetOffset={opened && below(opened.button)}
        content={opened ? <Items value={opened.value} list={list} {...acts} /> : nothing}
        onOpened={() => list.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()}
        onClose={close}
      />
      {account && <UserDialog id={account.id ?? 0} name={account.name} onClose={() => setAccount(undefined)} />}
      {dialog}
    </OpenMenu>
  )
}

const nothing = <></>

function below(button: HTMLElement): { left: number; top: number } {
  const { left, bottom } = button.getBoundingClientRect()
  return { left, top: bottom }
}

type ItemsProps = Readonly<{
  value: LogValue
  list: RefObject<HTMLUListElement | null>
  onFilter: (change: Partial<LogFilter>) => void
  onCopy: (text: string) => void
  onAccount: (value: LogValue) => void
}>

function Items({ value, list, onFilter, onCopy, onAccount }: ItemsProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { kind, name, id = 0 } = value
  const shown = useShownName(value)
  return (
    <Menu ulRef={list}>
      <MenuItem icon={<Filter />} text={t('log.showOnly', { name: shown })} onClick={() => onFilter(filterBy(value))} />
      {name !== '' && <MenuItem icon={<Duplicate />} text={t('log.copyName')} onClick={() => onCopy(name)} />}
      {kind === 'channel' && name !== '' && (
        <MenuItem icon={<Edit />} text={t('log.editChannel')} onClick={() => navigate(`/channel/edit/${id}`)} />
      )}
      {kind === 'user' && id > 0 && (
        <MenuItem icon={<Person />} text={t('log.viewAccount')} onClick={() => onAccount(value)} />
      )}
    </Menu>
  )
}

/** A value's display name: a channel with its id, a group's display name. */
function useShownName({ kind, name, id = 0 }: LogValue): string {
  const nameOf = useGroupName()
  if (kind === 'channel') return `#${id} ${name}`.trim()
  return kind === 'group' ? nameOf(name) : name
}

export function ValueButton({ value, children }: { value: LogValue; children: ReactNode }) {
  const { t } = useTranslation()
  const open = useContext(OpenMenu)
  return (
    <button
      type="button"
      className="log-value"
      data-kind={value.kind}
      aria-haspopup="menu"
      title={t('log.valueHint', { name: value.name || `#${value.id}` })}
      onClick={({ currentTarget }) => open({ value, button: currentTarget })}
    >
      {children}
    </button>
  )
}
