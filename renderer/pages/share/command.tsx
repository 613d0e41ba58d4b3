import { Classes } from '@blueprintjs/core'
import { CopyButton } from '../../components/copy-text/copy-button.tsx'
import { useTranslation } from '../../translation.ts'

export function Command({ text }: { text: string }) {
  const { t } = useTranslation()
  return (
    <div className="share-command">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by the keyboard, too */}
      <pre className={Classes.CODE_BLOCK} tabIndex={0}>
        {text}
      </pre>
      <CopyButton text={text} label={t('sharing.copyCommand')} />
    </div>
  )
}
