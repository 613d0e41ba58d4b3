import { Classes, SegmentedControl } from '@blueprintjs/core'
import { CopyButton } from '../../components/copy-text/copy-button.tsx'
import { useTranslation } from '../../translation.ts'
import { dependsOnSystem, ENVIRONMENT, fileOn, type Snippet, type System, type Target } from './snippets/snippet.ts'

/** Choices shared by all programs: the language or method, and the system. */
export type Manner = Readonly<{
  variant: string | undefined
  onVariant: (variant: string) => void
  onSystem: (system: System) => void
}>

type CodeProps = Readonly<{
  /** A program's examples: one, or one per variant. */
  written: readonly Snippet[]
  manner: Manner
  target: Target
  maskedKey: string
}>

/** The code with the key masked, selects for variant and system, and a button that copies all of it. */
export function Code({ written, manner, target, maskedKey }: CodeProps) {
  const { t } = useTranslation()
  const snippet = written.find(({ variant }) => variant === manner.variant) ?? written[0]
  if (!snippet) return null
  const file = fileOn(target.system, snippet)
  return (
    <>
      <div className="examples-choices">
        {written.length > 1 && (
          <SegmentedControl
            inline
            size="small"
            aria-label={t('client.variant')}
            options={written.map(({ variant }) => ({
              value: variant,
              label: variant === ENVIRONMENT ? t('client.environment') : variant,
            }))}
            value={snippet.variant}
            onValueChange={manner.onVariant}
          />
        )}
        {dependsOnSystem(snippet) && <SystemChoice system={target.system} onSystem={manner.onSystem} />}
      </div>
      {file && <p className="examples-file">{t('client.addTo', { file })}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines must scroll by keyboard */}
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

/** Selects the system whose shell and paths are shown. */
function SystemChoice({ system, onSystem }: Readonly<{ system: System; onSystem: Manner['onSystem'] }>) {
  const { t } = useTranslation()
  return (
    <SegmentedControl
      inline
      size="small"
      aria-label={t('client.system')}
      options={[
        { value: 'unix', label: 'macOS, Linux' },
        { value: 'windows', label: 'Windows' },
      ]}
      value={system}
      onValueChange={(value) => onSystem(value === 'windows' ? 'windows' : 'unix')}
    />
  )
}
