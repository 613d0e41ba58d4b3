import './playground.css'
import { Button, Callout, Card, Classes, Drawer } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { lazy, type ReactNode, Suspense, useEffect, useId, useState, useSyncExternalStore } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useUnsaved } from '../../api/unsaved.ts'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { watched } from '../../components/use-narrow.ts'
import { useTranslation } from '../../translation.ts'
import type { Attachment } from './attachments/attachment.ts'
import { Chat } from './chat.tsx'
import type { Request } from './code/request-code.ts'
import { before, contextOf, type Entry, type Message, textMessage } from './conversation.ts'
import { newConversation, type StoredConversation } from './conversations/stored-conversation.ts'
import { type StoredConversations, useStoredConversations } from './conversations/use-stored-conversations.ts'
import { isEmpty, nextId } from './lanes.ts'
import { loadMarkdown } from './message-view.tsx'
import { PageActions } from './page-actions.tsx'
import type { PlaySettings } from './settings.ts'
import { SettingsPanel } from './settings-panel.tsx'
import { type Choices, useChoices } from './use-choices.ts'
import { type Conversation, useConversation } from './use-conversation.ts'
import { useCurrent } from './use-current.ts'
import { type Draft, useDraft } from './use-draft.ts'
import { useOpening } from './use-opening.ts'
import { usePlaySettings } from './use-play-settings.ts'

const CodeDialog = lazy(() => import('./code/code-dialog.tsx'))
const ConversationsDrawer = lazy(() => import('./conversations/conversations-drawer.tsx'))

/** A chat with any model the user may call, charged to their account (docs/reference/screens.md#playground). */
export default function PlaygroundPage() {
  const { t } = useTranslation()
  const choices = useChoices()
  const stored = useStoredConversations()
  const currentState = useCurrent(stored)
  const { current } = currentState
  const isComparing = current.lanes.length > 1
  const isStacked = useStacked(isComparing)
  const settings = usePlaySettings(choices, current.chosen)
  const conversation = useConversation(currentState, stored, settings)
  const drafting = useDraft()
  const isReady = useOpening(stored, currentState, conversation, drafting)
  const [isOpen, open] = useOpened(isStacked)
  const [isListing, setListing] = useState(false)
  const [request, setRequest] = useState<Request>()
  useEffect(() => void loadMarkdown(), [])
  // If the session ends, the login is shown over the page, so that the conversation is not lost.
  useUnsaved(!isEmpty(current) || drafting.draft.text.trim() !== '' || drafting.draft.attachments.length > 0)
  const compare = () => {
    if (isComparing) return conversation.endComparing()
    conversation.compare(choices.models.find((model) => model !== settings.model) ?? settings.model)
    open(true)
  }
  const exportAs = (format: 'markdown' | 'json') =>
    void import('./conversations/export.ts').then(({ exportConversation }) => exportConversation(current, format, t))
  const noModels = settings.model === '' ? t('play.noModels') : ''
  const isPanelShown = isOpen && !isStacked
  const actions = (
    <PageActions
      isBusy={conversation.isBusy}
      isEmpty={isEmpty(current)}
      isComparing={isComparing}
      hasModel={settings.model !== ''}
      isPanelOpen={isOpen}
      onNew={() => conversation.open(newConversation(current.chosen))}
      onList={() => setListing(true)}
      onCompare={compare}
      onClear={conversation.clearContext}
      onCode={() => setRequest(requestOf(current, settings, drafting.draft))}
      onExport={exportAs}
      onPanel={() => open(!isOpen)}
    />
  )
  return (
    <PageFrame title={t('label.playground')} action={actions}>
      <Troubles choices={choices} stored={stored} />
      <div className="playground">
        <SettingsFrame isOpen={isOpen} isStacked={isStacked} onClose={() => open(false)}>
          <SettingsPanel
            settings={settings}
            choices={choices}
            secondModel={isComparing ? conversation.settingsOf(1).model : undefined}
            onChange={conversation.choose}
          />
        </SettingsFrame>
        <Chat
          conversation={conversation}
          drafting={drafting}
          isReady={isReady}
          missing={choices.isLoading ? t('state.loading') : noModels}
          isLoading={choices.isLoading}
          onViewCode={(index, answer) => setRequest(requestOfAnswer(current, index, answer))}
          onChooseModel={isPanelShown && !isComparing ? undefined : () => open(true)}
        />
      </div>
      <Suspense>
        {request && <CodeDialog request={request} onClose={() => setRequest(undefined)} />}
        {isListing && <List conversation={conversation} stored={stored} onClose={() => setListing(false)} />}
      </Suspense>
    </PageFrame>
  )
}

/**
 * Settings next to the conversation are initially open, those in a drawer are not; each has its own state when the
 * window changes.
 */
function useOpened(isStacked: boolean): [boolean, (isOpen: boolean) => void] {
  const inline = useState(true)
  const over = useState(false)
  const [isOpen, open] = isStacked ? over : inline
  return [isOpen, open]
}

type ListProps = Readonly<{ conversation: Conversation; stored: StoredConversations; onClose: () => void }>

function List({ conversation, stored, onClose }: ListProps) {
  const { current, open } = conversation
  return (
    <ConversationsDrawer
      store={stored.store}
      currentId={current.id}
      onClose={onClose}
      onOpen={(chosen) => {
        if (chosen.id !== current.id) open(chosen)
        onClose()
      }}
      onRename={(title) => conversation.rename(title)}
      onRemove={(id) => {
        if (id === current.id) open(newConversation(current.chosen))
      }}
    />
  )
}

function Troubles({ choices, stored }: { choices: Choices; stored: StoredConversations }) {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  return (
    <>
      {query.get('expired') === 'true' && (
        <Callout intent="warning" role="alert">
          {t('login.expired')}
        </Callout>
      )}
      {choices.error && (
        <Callout intent="danger" role="alert">
          <p>{choices.error.message}</p>
          <Button size="small" text={t('state.retry')} onClick={choices.retry} />
        </Callout>
      )}
      {stored.isFailing && (
        <Callout compact intent="warning" role="status">
          {t('play.keptNot')}
        </Callout>
      )}
    </>
  )
}

/** Whether settings do not fit next to the conversation: below 1024 pixels, or 1240 with two lanes. */
const useStacked = (isComparing: boolean): boolean => {
  const { subscribe, matches } = isComparing ? two : one
  return useSyncExternalStore(subscribe, matches)
}

const one = watched('(width < 1024px)')
const two = watched('(width < 1240px)')

type SettingsFrameProps = Readonly<{ isOpen: boolean; isStacked: boolean; onClose: () => void; children: ReactNode }>

function SettingsFrame({ isOpen, isStacked, onClose, children }: SettingsFrameProps) {
  const { t } = useTranslation()
  const titleId = useId()
  if (!isStacked) return isOpen && <Card className="playground-panel">{children}</Card>
  return (
    <Drawer isOpen={isOpen} position="left" size="min(88%, 400px)" onClose={onClose}>
      <div className="playground-drawer-frame" role="dialog" aria-modal aria-labelledby={titleId}>
        <div className={`${Classes.DRAWER_HEADER} playground-drawer-head`}>
          <h2 id={titleId} className={Classes.HEADING}>
            {t('play.settings')}
          </h2>
          <Button variant="minimal" icon={<Cross />} aria-label={t('label.close')} onClick={onClose} />
        </div>
        <div className={`${Classes.DRAWER_BODY} playground-drawer`}>{children}</div>
      </div>
    </Drawer>
  )
}

/** The request that would be sent now, including the draft if there is one. */
function requestOf(now: StoredConversation, settings: PlaySettings, { text, attachments }: Draft): Request {
  const [entries = []] = now.lanes
  const isBlank = text.trim() === '' && attachments.length === 0
  const draft: Message = { ...textMessage(nextId(now), 'user', text.trim()), attachments }
  return requestFor(isBlank ? beforeLastAnswer(entries) : [...entries, draft], settings)
}

/** Without a draft, shows the request of the last question. */
function beforeLastAnswer(entries: readonly Entry[]): readonly Entry[] {
  const last = entries.at(-1)
  return last?.kind === 'message' && last.role === 'assistant' ? entries.slice(0, -1) : entries
}

function requestOfAnswer({ lanes }: StoredConversation, index: number, answer: Message): Request | undefined {
  const { asked: requested, id } = answer
  return requested && requestFor(before(lanes[index] ?? [], id), requested)
}

function requestFor(entries: readonly Entry[], settings: PlaySettings): Request {
  const attachments = entries.flatMap((entry): readonly Attachment[] =>
    entry.kind === 'message' ? (entry.attachments ?? []) : [],
  )
  return { messages: contextOf(entries, settings.system), settings, attachments }
}
