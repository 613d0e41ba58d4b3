import { Button, Classes, DialogBody, DialogFooter } from '@blueprintjs/core'
import { Download } from '@blueprintjs/icons'
import { useEffect, useRef } from 'react'
import { useStatus } from '../../../api/status.ts'
import { useUnsaved } from '../../../api/unsaved.ts'
import { CopyButton } from '../../../components/copy-text/copy-button.tsx'
import { saveFile } from '../../../components/save-file.ts'
import { sentences } from '../../../components/sentences.ts'
import { useTranslation } from '../../../translation.ts'

type RecoveryCodesProps = Readonly<{
  /** What has just happened. */
  lead: string
  codes: readonly string[]
  username: string
  onClose: () => void
}>

/** Shows recovery codes once, as the last step of a dialog; requires confirming that they are saved. */
export function RecoveryCodes({ lead, codes, username, onClose }: RecoveryCodesProps) {
  const { t } = useTranslation()
  const { system_name: system } = useStatus()
  const heading = useRef<HTMLParagraphElement>(null)
  useUnsaved(true)
  // The focused element of the previous step is gone; with the focus here, screen readers announce what has happened.
  useEffect(() => heading.current?.focus(), [])
  const text = codes.join('\n')
  const save = () => {
    const head = t('security.codesFile', { system, address: window.location.origin, name: username })
    saveFile(`${head}\n\n${text}\n`, `recovery-codes-${username}.txt`, 'text/plain')
  }
  return (
    <>
      <DialogBody>
        <p ref={heading} className="security-told" tabIndex={-1}>
          {sentences(lead, t('security.codesOnce'))}
        </p>
        <ul className={`security-codes ${Classes.MONOSPACE_TEXT}`} aria-label={t('security.codesTitle')}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="security-buttons">
          <CopyButton text={text} shown={t('security.codesTitle')} label={t('security.codesCopy')} />
          <Button icon={<Download />} text={t('security.codesDownload')} onClick={save} />
        </div>
      </DialogBody>
      <DialogFooter actions={<Button intent="primary" text={t('security.codesSaved')} onClick={onClose} />} />
    </>
  )
}
