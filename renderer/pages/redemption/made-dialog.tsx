import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { Download, Duplicate } from '@blueprintjs/icons'
import { useCopy } from '../../components/copy-text/use-copy.tsx'
import { saveFile } from '../../components/save-file.ts'
import { useTranslation } from '../../translation.ts'
import type { MadeCodes } from './index.tsx'

/** Offers a batch of codes as a text file, one per line (docs/reference/screens.md#redemption-codes). */
export function MadeDialog({ made: { name, keys }, onClose }: { made: MadeCodes; onClose: () => void }) {
  const { t } = useTranslation()
  const { copy, dialog } = useCopy()
  const n = keys.length
  const lines = keys.join('\n')
  return (
    <Dialog
      className="fits-window"
      title={t('redemption.made', { n })}
      isOpen
      onClose={onClose}
      isCloseButtonShown={false}
    >
      <DialogBody>
        <p>{t('redemption.madeHint')}</p>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={t('label.close')} onClick={onClose} />
            <Button
              icon={<Duplicate />}
              text={t('redemption.copyAll')}
              onClick={() => copy(lines, t('redemption.copiedSelected', { n }))}
            />
            <Button
              intent="primary"
              icon={<Download />}
              text={t('redemption.save', { name })}
              onClick={() => saveFile(`${lines}\n`, `${fileName(name)}.txt`, 'text/plain')}
            />
          </>
        }
      />
      {dialog}
    </Dialog>
  )
}

/** Replaces with underscores the characters that some systems do not allow. */
const fileName = (name: string): string => name.replace(/[\\/:*?"<>|]+/g, '_')
