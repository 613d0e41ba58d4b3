import '@blueprintjs/select/lib/css/blueprint-select.css'
import './command-palette.css'
import { MenuItem } from '@blueprintjs/core'
import { type ItemListPredicate, type ItemRenderer, Omnibar } from '@blueprintjs/select'
import { useRef } from 'react'
import { useTranslation } from '../../translation.ts'
import { type Command, useCommands } from './use-commands.tsx'

type CommandPaletteProps = Readonly<{ isOpen: boolean; onClose: () => void; onShowShortcuts: () => void }>

/**
 * Every page and what can be done from anywhere, found by typing a part of its name; Enter does it. It is done once the
 * palette is gone, so that whatever opens then keeps the focus.
 */
export default function CommandPalette({ isOpen, onClose, onShowShortcuts }: CommandPaletteProps) {
  const { t } = useTranslation()
  const { commands, dialog } = useCommands(onShowShortcuts)
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
        noResults={<MenuItem disabled text={t('palette.none')} />}
        inputProps={{ placeholder: t('palette.placeholder'), 'aria-label': t('shortcut.palette') }}
        overlayProps={{ usePortal: false, transitionDuration: 100, onClosed: closed }}
      />
      {dialog}
    </>
  )
}

/** Those that contain every word that is typed, in the order of the list; without a word, all but the very many. */
const fitting: ItemListPredicate<Command> = (query, commands) => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return commands.filter(({ text, about = '', words: more = '', isAsked }) => {
    const name = `${text} ${about} ${more}`.toLowerCase()
    return (words.length > 0 || !isAsked) && words.every((word) => name.includes(word))
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
