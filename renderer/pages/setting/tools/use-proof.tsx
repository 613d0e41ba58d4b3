import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type ReactNode, useRef, useState } from 'react'
import { HumanCheck } from '../../../components/human-check/human-check.tsx'
import { useTranslation } from '../../../translation.ts'

type PendingProof = Readonly<{ siteKey: string; attempt: number; settle: (token: string | undefined) => void }>

type Proof = Readonly<{
  /** Resolves to the token, or undefined if the user cancels. */
  prove: (siteKey: string) => Promise<string | undefined>
  dialog: ReactNode
}>

/** Runs the human check to prove that its keys work (docs/reference/accounts.md#human-verification). */
export function useProof(): Proof {
  const { t } = useTranslation()
  const [pending, setPending] = useState<PendingProof>()
  // Consecutive prompts each need their own widget.
  const attempts = useRef(0)
  const prove = (siteKey: string) =>
    new Promise<string | undefined>((settle) => {
      attempts.current += 1
      setPending({ siteKey, attempt: attempts.current, settle })
    })
  const end = (token: string | undefined) => {
    pending?.settle(token)
    setPending(undefined)
  }
  const dialog = (
    <Dialog
      className="fits-window"
      title={t('settings.proof')}
      isOpen={pending !== undefined}
      isCloseButtonShown={false}
      onClose={() => end(undefined)}
    >
      <DialogBody>
        <p>{t('settings.proofHint')}</p>
        {pending && (
          <HumanCheck key={pending.attempt} siteKey={pending.siteKey} onToken={(token) => token && end(token)} />
        )}
      </DialogBody>
      <DialogFooter actions={<Button text={t('label.cancel')} onClick={() => end(undefined)} />} />
    </Dialog>
  )
  return { prove, dialog }
}
