import { Button, Classes, InputGroup, Menu, MenuItem } from '@blueprintjs/core'
import { Edit, Export, More, Trash } from '@blueprintjs/icons'
import { useEffect, useRef, useState } from 'react'
import { Popover } from '../../../components/popover/popover.tsx'
import { TimeText } from '../../../components/time-text/time-text.tsx'
import { useTranslation } from '../../../translation.ts'
import type { ConversationStore, Summary } from './conversation-store.ts'
import { type ExportFormat, exportConversation } from './export.ts'
import type { StoredConversation } from './stored-conversation.ts'

type ConversationRowProps = Readonly<{
  summary: Summary
  isCurrent: boolean
  store: ConversationStore
  onOpen: (conversation: StoredConversation) => void
  onRename: (title: string) => void
  onRemove: () => void
}>

const MS = 1000

export function ConversationRow({ summary, isCurrent, store, onOpen, onRename, onRemove }: ConversationRowProps) {
  const { t } = useTranslation()
  const [isRenaming, setRenaming] = useState(false)
  const [wasRenamed, setRenamed] = useState(false)
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    // The focused field is gone. Focuses the row rather than a button, which would be pressed when the key is released.
    if (wasRenamed && !isRenaming) row.current?.focus()
  }, [wasRenamed, isRenaming])
  const { id, changedAt } = summary
  const title = summary.title || t('play.untitled')
  const withIt = (act: (conversation: StoredConversation) => void) =>
    void store.read(id).then((conversation) => conversation && act(conversation))
  const exportAs = (format: ExportFormat) => withIt((conversation) => exportConversation(conversation, format, t))
  const end = () => {
    setRenaming(false)
    setRenamed(true)
  }
  const save = (name: string) => {
    end()
    if (name.trim() !== '' && name.trim() !== title) onRename(name.trim())
  }
  if (isRenaming)
    return (
      <li className="conversation">
        <Renaming title={title} onSave={save} onCancel={end} />
      </li>
    )
  const menu = (
    <Menu aria-label={t('play.actionsOf', { title })}>
      <MenuItem icon={<Edit />} text={t('play.rename')} onClick={() => setRenaming(true)} />
      <MenuItem icon={<Export />} text={t('play.exportMarkdown')} onClick={() => exportAs('markdown')} />
      <MenuItem icon={<Export />} text={t('play.exportJson')} onClick={() => exportAs('json')} />
      <MenuItem icon={<Trash />} intent="danger" text={t('label.delete')} onClick={onRemove} />
    </Menu>
  )
  return (
    <li ref={row} tabIndex={-1} className="conversation" data-current={isCurrent}>
      <Button
        fill
        alignText="start"
        variant="minimal"
        className="conversation-open"
        active={isCurrent}
        aria-current={isCurrent || undefined}
        onClick={() => withIt(onOpen)}
      >
        <span className={Classes.TEXT_OVERFLOW_ELLIPSIS}>{title}</span>
        <span className={Classes.TEXT_SMALL}>
          <TimeText isShort at={Math.floor(changedAt / MS)} />
        </span>
      </Button>
      <Popover isMenu content={menu}>
        <Button variant="minimal" icon={<More />} aria-label={t('play.actionsOf', { title })} />
      </Popover>
    </li>
  )
}

type RenamingProps = Readonly<{ title: string; onSave: (title: string) => void; onCancel: () => void }>

/** Edits a name: Enter and blur save it, Escape cancels. */
function Renaming({ title, onSave, onCancel }: RenamingProps) {
  const { t } = useTranslation()
  const [name, setName] = useState(title)
  return (
    <InputGroup
      fill
      autoFocus
      aria-label={t('play.conversationName')}
      value={name}
      maxLength={120}
      onValueChange={setName}
      onBlur={() => onSave(name)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return
        // Ends only the renaming, not the drawer.
        event.stopPropagation()
        if (event.key === 'Enter') onSave(name)
        if (event.key === 'Escape') onCancel()
      }}
    />
  )
}
