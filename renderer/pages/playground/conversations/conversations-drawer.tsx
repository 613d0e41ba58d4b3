import './conversations.css'
import { Button, Callout, Classes, Drawer, H2, Switch } from '@blueprintjs/core'
import { Chat, Cross } from '@blueprintjs/icons'
import { useCallback, useEffect, useId, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { useStored } from '../../../api/stored.ts'
import { BlankState } from '../../../components/blank-state/blank-state.tsx'
import { useNarrow } from '../../../components/use-narrow.ts'
import { useTranslation } from '../../../translation.ts'
import { ConversationRow } from './conversation-row.tsx'
import { type ConversationStore, maxStored, type Summary } from './conversation-store.ts'
import type { StoredConversation } from './stored-conversation.ts'

type ConversationsDrawerProps = Readonly<{
  store: ConversationStore
  currentId: string
  onOpen: (conversation: StoredConversation) => void
  onRename: (title: string) => void
  onRemove: (id: string) => void
  onClose: () => void
}>

const flag = z.boolean()

/** The account's conversations in this browser: open, rename, export, delete. Mount it to open it. */
export default function ConversationsDrawer(props: ConversationsDrawerProps) {
  const { t } = useTranslation()
  const titleId = useId()
  const isNarrow = useNarrow()
  const [isRetained = false, setRetained] = useStored('playground-keep', flag)
  return (
    <Drawer isOpen position="left" size={isNarrow ? '100%' : '420px'} onClose={props.onClose}>
      <div className="conversations-drawer" role="dialog" tabIndex={-1} aria-modal aria-labelledby={titleId}>
        <div className={Classes.DRAWER_HEADER}>
          <H2 id={titleId}>{t('play.conversations')}</H2>
          <Button variant="minimal" icon={<Cross />} aria-label={t('label.close')} onClick={props.onClose} />
        </div>
        <div className={`${Classes.DRAWER_BODY} conversations`}>
          <List {...props} />
          <div className="conversations-foot">
            <Switch
              checked={isRetained}
              label={t('play.keep')}
              onChange={() => setRetained(isRetained ? undefined : true)}
            />
            <p className={Classes.TEXT_MUTED}>{t(isRetained ? 'play.keptAlways' : 'play.kept', maxStored)}</p>
          </div>
        </div>
      </div>
    </Drawer>
  )
}

function List({ store, currentId, onOpen, onRename, onRemove }: ConversationsDrawerProps) {
  const { t } = useTranslation()
  const { summaries, isFailing, refresh } = useSummaries(store)
  const [removed, setRemoved] = useState<readonly StoredConversation[]>([])
  const remove = async (id: string) => {
    const conversation = await store.read(id)
    await store.remove(id)
    if (conversation) setRemoved((now) => [...now, conversation])
    onRemove(id)
    refresh()
  }
  const undo = async () => {
    const last = removed.at(-1)
    if (!last) return
    await store.save(last)
    setRemoved((now) => now.slice(0, -1))
    refresh()
  }
  const rename = async (id: string, title: string) => {
    const other = id === currentId ? undefined : await store.read(id)
    if (id === currentId) onRename(title)
    if (other) await store.save({ ...other, title }, other)
    refresh()
  }
  return (
    <>
      {isFailing && (
        <Callout compact intent="warning" role="alert">
          {t('play.keptNot')}
        </Callout>
      )}
      {removed.length > 0 && <Removed count={removed.length} onUndo={() => void undo()} />}
      {summaries?.length === 0 && (
        <BlankState
          scope="section"
          icon={<Chat size={48} />}
          title={t('play.noConversations')}
          description={t('play.noConversationsHint')}
        />
      )}
      <ul className={Classes.LIST_UNSTYLED}>
        {summaries?.map((summary) => (
          <ConversationRow
            key={summary.id}
            summary={summary}
            isCurrent={summary.id === currentId}
            store={store}
            onOpen={onOpen}
            onRename={(title) => void rename(summary.id, title)}
            onRemove={() => void remove(summary.id)}
          />
        ))}
      </ul>
    </>
  )
}

/** Offers to undo a deletion. Takes the focus from the removed row, and passes it to the drawer. */
function Removed({ count, onUndo }: { count: number; onUndo: () => void }) {
  const { t } = useTranslation()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (count > 0) button.current?.focus()
  }, [count])
  useEffect(() => {
    const drawer = button.current?.closest<HTMLElement>('[role=dialog]')
    return () => drawer?.focus()
  }, [])
  return (
    <Callout compact role="status" className="conversations-undo">
      <span>{t('play.deleted', { n: count })}</span>
      <Button ref={button} size="small" text={t('label.undo')} onClick={onUndo} />
    </Callout>
  )
}

/** The stored list, reloaded by `refresh` and when the window regains focus. */
function useSummaries(store: ConversationStore) {
  const [summaries, setSummaries] = useState<readonly Summary[]>()
  const [isFailing, setFailing] = useState(false)
  const refresh = useCallback(() => void store.list().then(setSummaries, () => setFailing(true)), [store])
  useEffect(() => {
    refresh()
    window.addEventListener('focus', refresh)
    return () => window.removeEventListener('focus', refresh)
  }, [refresh])
  return { summaries, isFailing, refresh }
}
