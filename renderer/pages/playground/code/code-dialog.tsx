import './code-dialog.css'
import { Classes, Dialog, DialogBody, Tab, Tabs } from '@blueprintjs/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useAddress } from '../../../api/use-address.ts'
import { CopyButton } from '../../../components/copy-text/copy-button.tsx'
import { useGroupName } from '../../../components/group-name.ts'
import { reachableTab } from '../../../components/reachable-tab.ts'
import { useTranslation } from '../../../translation.ts'
import { languages, type Request } from './request-code.ts'

const KEY = 'sk-YOUR_API_TOKEN'

/** A playground request as code. Mount it to open it. */
export default function CodeDialog({ request, onClose }: { request: Request; onClose: () => void }) {
  const { t } = useTranslation()
  const nameOf = useGroupName()
  const address = useAddress()
  const [id, setId] = useState<string>('curl')
  const texts = languages.map((language) => ({ ...language, code: language.text(request, { address, key: KEY }) }))
  const chosen = texts.find((one) => one.id === id)
  const hasFiles = request.messages.some(({ content }) => typeof content !== 'string')
  return (
    <Dialog isOpen className="code-dialog fits-window" title={t('play.viewCode')} onClose={onClose}>
      <DialogBody>
        <Tabs id="code" selectedTabId={id} onChange={(next) => setId(String(next))} renderActiveTabPanelOnly>
          {texts.map(({ id: language, name, code }) => (
            <Tab
              key={language}
              {...reachableTab}
              id={language}
              title={name}
              panel={
                // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by the keyboard, too
                <pre className={`${Classes.CODE_BLOCK} code-dialog-code`} tabIndex={0}>
                  {code}
                </pre>
              }
            />
          ))}
        </Tabs>
        <div className="code-dialog-foot">
          <CopyButton
            text={chosen?.code ?? ''}
            shown={chosen?.name ?? ''}
            label={t('client.copySnippet', { name: chosen?.name ?? '' })}
          />
          <span className={Classes.TEXT_MUTED}>
            {t('play.codeKey', { key: KEY })} <Link to="/token">{t('label.apiTokens')}</Link>
          </span>
        </div>
        {request.settings.group !== '' && (
          <p className={Classes.TEXT_MUTED}>{t('play.codeGroup', { group: nameOf(request.settings.group) })}</p>
        )}
        {hasFiles && <p className={Classes.TEXT_MUTED}>{t('play.codeFiles')}</p>}
      </DialogBody>
    </Dialog>
  )
}
