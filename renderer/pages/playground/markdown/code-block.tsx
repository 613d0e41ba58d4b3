import { Button, Classes } from '@blueprintjs/core'
import { Duplicate } from '@blueprintjs/icons'
import { useCopy } from '../../../components/copy-text/use-copy.tsx'
import { useTranslation } from '../../../translation.ts'

/** Code under its language, with a button that copies it. */
export function CodeBlock({ code, language }: { code: string; language: string }) {
  const { t } = useTranslation()
  const { copy, dialog } = useCopy()
  return (
    <figure className="markdown-code">
      <figcaption>
        <span className={`${Classes.MONOSPACE_TEXT} ${Classes.TEXT_SMALL}`}>{language || t('play.code')}</span>
        <Button
          size="small"
          variant="minimal"
          icon={<Duplicate size={12} />}
          text={t('label.copy')}
          aria-label={t('play.copyCode')}
          onClick={() => copy(code, t('play.code'))}
        />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by the keyboard, too */}
      <pre className={Classes.CODE_BLOCK} tabIndex={0}>
        <code>{code}</code>
      </pre>
      {dialog}
    </figure>
  )
}
