import '@blueprintjs/select/lib/css/blueprint-select.css'
import './command-palette.css'
import { MenuItem } from '@blueprintjs/core'
import { type ItemListPredicate, type ItemRenderer, Omnibar } from '@blueprintjs/select'
import { useRef, useState } from 'react'
import { useTranslation } from '../../translation.ts'
import type { Command } from './command.ts'
import { useCommands } from './use-commands.tsx'

type CommandPaletteProps = Readonly<{ isOpen: boolean; onClose: () => void; onShowShortcuts: () => void }>

/**
 * The command palette: pages, settings, actions, and what the typed text finds in lists. A command runs after the
 * palette has closed, so that whatever it opens keeps the focus.
 */
export default function CommandPalette({ isOpen, onClose, onShowShortcuts }: CommandPaletteProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const { commands, dialog } = useCommands(onShowShortcuts, typed)
  const chosen = useRef<Command>(undefined)
  const select = (command: Command) => {
    chosen.current = command
    onClose()
  }
  const closed = () => {
    const command = chosen.current
    chosen.current = undefined
    command?.run()
  }
  return (
    <>
      <Omnibar<Command>
        className="command-palette"
        isOpen={isOpen}
        onClose={onClose}
        resetOnSelect
        resetOnQuery
        initialContent={undefined}
        items={[...commands]}
        itemsEqual="id"
        itemListPredicate={fitting}
        itemRenderer={renderCommand}
        onItemSelect={select}
        onQueryChange={setTyped}
        noResults={<MenuItem disabled text={t('palette.none')} />}
        inputProps={{ placeholder: t('palette.placeholder'), 'aria-label': t('shortcut.palette') }}
        overlayProps={{ usePortal: false, transitionDuration: 100, onClosed: closed }}
      />
      {dialog}
    </>
  )
}

/** Commands that contain every typed word, in list order; without input, all except search-only ones. */
const fitting: ItemListPredicate<Command> = (query, commands) => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return commands.filter(({ text, about = '', keywords = '', isSearchOnly }) => {
    const name = `${text} ${about} ${keywords}`.toLowerCase()
    return (words.length > 0 || !isSearchOnly) && words.every((word) => name.includes(word))
  })
}

const renderCommand: ItemRenderer<Command> = (
  { id, icon, text, about },
  { handleClick, handleFocus, modifiers, ref },
) =>
  modifiers.matchesPredicate ? (
    <MenuItem
      key={id}
      ref={ref}
      icon={icon}
      text={text}
      label={about}
      active={modifiers.active}
      onClick={handleClick}
      onFocus={handleFocus}
    />
  ) : null
