import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type ReactNode, useRef, useState } from 'react'
import { HumanCheck } from '../../../components/human-check/human-check.tsx'
import { useTranslation } from '../../../translation.ts'

type Asked = Readonly<{ siteKey: string; attempt: number; settle: (token: string | undefined) => void }>

/** Asks for a token that a site key gives, in a dialog; it counts once. */
export type Proof = Readonly<{
  /** Resolves to the token, or to undefined where the person would rather not. */
  prove: (siteKey: string) => Promise<string | undefined>
  dialog: ReactNode
}>

/** The human check done here and now, to prove that its keys work (docs/reference/accounts.md#human-check). */
export function useProof(): Proof {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<Asked>()
  // One question may follow another without a moment between them; each has a widget of its own.
  const attempts = useRef(0)
  const prove = (siteKey: string) =>
    new Promise<string | undefined>((settle) => {
      attempts.current += 1
      setAsked({ siteKey, attempt: attempts.current, settle })
    })
  const end = (token: string | undefined) => {
    asked?.settle(token)
    setAsked(undefined)
  }
  const dialog = (
    <Dialog
      className="fits-window"
      title={t('settings.proof')}
      isOpen={asked !== undefined}
      isCloseButtonShown={false}
      onClose={() => end(undefined)}
    >
      <DialogBody>
        <p>{t('settings.proofHint')}</p>
        {asked && <HumanCheck key={asked.attempt} siteKey={asked.siteKey} onToken={(token) => token && end(token)} />}
      </DialogBody>
      <DialogFooter actions={<Button text={t('label.cancel')} onClick={() => end(undefined)} />} />
    </Dialog>
  )
  return { prove, dialog }
}
