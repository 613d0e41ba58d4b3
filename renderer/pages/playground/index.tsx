import './playground.css'
import { Button, Callout, Card, Classes, Drawer } from '@blueprintjs/core'
import { Cross, Eraser, Settings } from '@blueprintjs/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FrameButton } from '../../components/page-frame/frame-button.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { useNarrow } from '../../components/use-narrow.ts'
import { Chat } from './chat.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import { useChoices } from './use-choices.ts'
import { useConversation } from './use-conversation.ts'
import { usePlaySettings } from './use-play-settings.ts'

/** A chat with any model the person may call, charged to their account (docs/reference/screens.md#playground). */
export default function PlaygroundPage() {
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  const choices = useChoices()
  const [settings, change] = usePlaySettings(choices)
  const conversation = useConversation(settings)
  const [isOpen, open] = useState(!isNarrow)
  const panel = <SettingsPanel settings={settings} choices={choices} onChange={change} />
  const missing = settings.model === '' ? t(choices.isLoading ? 'state.loading' : 'play.noModels') : ''
  const action = (
    <div className="playground-actions">
      <FrameButton
        icon={<Eraser />}
        label={t('play.clear')}
        isDisabled={conversation.isBusy}
        onClick={conversation.clearContext}
      />
      <FrameButton icon={<Settings />} label={t('play.settings')} isOpen={isOpen} onClick={() => open(!isOpen)} />
    </div>
  )
  return (
    <PageFrame title={t('label.playground')} action={action}>
      {choices.error && (
        <Callout intent="danger" role="alert">
          <p>{choices.error.message}</p>
          <Button size="small" text={t('state.retry')} onClick={choices.retry} />
        </Callout>
      )}
      <div className="playground">
        {isOpen && !isNarrow && <Card className="playground-panel">{panel}</Card>}
        <Chat conversation={conversation} missing={missing} />
      </div>
      <Drawer isOpen={isOpen && isNarrow} position="left" size="88%" onClose={() => open(false)}>
        <div className={`${Classes.DRAWER_HEADER} playground-drawer-head`}>
          <h2 className={Classes.HEADING}>{t('play.settings')}</h2>
          <Button variant="minimal" icon={<Cross />} aria-label={t('label.close')} onClick={() => open(false)} />
        </div>
        <div className={`${Classes.DRAWER_BODY} playground-drawer`}>{panel}</div>
      </Drawer>
    </PageFrame>
  )
}
