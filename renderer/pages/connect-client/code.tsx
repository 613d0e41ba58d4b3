import { Classes, SegmentedControl } from '@blueprintjs/core'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../components/copy-text/copy-button.tsx'
import type { Snippet, Target } from './snippets.ts'

type CodeProps = Readonly<{
  /** The examples of one program: one, or one in each language. */
  written: readonly Snippet[]
  /** The language that is wanted; the first there is where it is undefined. */
  dialect: string | undefined
  onDialect: (dialect: string) => void
  target: Target
  maskedKey: string
}>

/** The code with the key masked, the choice of its language, and the button that copies it whole. */
export function Code({ written, dialect, onDialect, target, maskedKey }: CodeProps) {
  const { t } = useTranslation()
  const snippet = written.find((one) => one.dialect === dialect) ?? written[0]
  if (!snippet) return null
  const languages = written.flatMap(({ dialect: value }) => (value ? [{ value, label: value }] : []))
  return (
    <>
      {languages.length > 1 && (
        <SegmentedControl
          inline
          size="small"
          className="examples-languages"
          aria-label={t('client.language')}
          options={languages}
          value={snippet.dialect ?? ''}
          onValueChange={onDialect}
        />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by the keyboard, too */}
      <pre className={`${Classes.CODE_BLOCK} examples-code`} tabIndex={0}>
        {snippet.text({ ...target, key: maskedKey })}
      </pre>
      <div className="examples-foot">
        <CopyButton
          text={snippet.text(target)}
          shown={snippet.name}
          label={t('client.copySnippet', { name: snippet.name })}
        />
        <span className={Classes.TEXT_MUTED}>{t('client.masked')}</span>
      </div>
    </>
  )
}
