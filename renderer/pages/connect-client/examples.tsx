import { Card, Classes, Tab, Tabs } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../components/copy-text/copy-button.tsx'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'
import { type Snippet, snippets, type Target } from './snippets.ts'

type ExamplesProps = Readonly<{
  target: Target
  /** Enough of the key to know it by; the whole of it is only copied. */
  maskedKey: string
}>

/** One tab a program: code that runs as it stands, or the values to be entered. */
export function Examples({ target, maskedKey }: ExamplesProps) {
  const { t } = useTranslation()
  const values = <Values target={target} maskedKey={maskedKey} />
  return (
    <Card>
      <Tabs id="examples" className="examples" renderActiveTabPanelOnly aria-label={t('client.snippets')}>
        {snippets.map((snippet) => (
          <Tab
            key={snippet.id}
            id={snippet.id}
            title={snippet.name}
            panel={<Code snippet={snippet} target={target} maskedKey={maskedKey} />}
          />
        ))}
        <Tab id="cherry" title="Cherry Studio" panel={<Entered hint={t('client.cherryHint')}>{values}</Entered>} />
        <Tab id="other" title={t('client.other')} panel={<Entered hint={t('client.otherHint')}>{values}</Entered>} />
      </Tabs>
    </Card>
  )
}

/** The code with the key masked, and the button that copies it whole. */
function Code({ snippet, target, maskedKey }: ExamplesProps & { snippet: Snippet }) {
  const { t } = useTranslation()
  return (
    <>
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

/** Where in the program the values go. */
function Entered({ hint, children }: { hint: string; children: ReactNode }) {
  return (
    <>
      <p>{hint}</p>
      {children}
    </>
  )
}

/** What a program with a form asks for; most add `/chat/completions` to the base URL themselves. */
function Values({ target: { address, key, model }, maskedKey }: ExamplesProps) {
  const { t } = useTranslation()
  const base = `${address}/v1`
  return (
    <dl className="examples-values">
      <dt className={Classes.TEXT_MUTED}>{t('client.baseUrl')}</dt>
      <dd>
        <CopyValue value={base} label={t('client.copyAddress')} />
      </dd>
      <dt className={Classes.TEXT_MUTED}>{t('client.key')}</dt>
      <dd>
        <CopyValue value={key} shown={maskedKey} label={t('client.copyKey')} />
      </dd>
      <dt className={Classes.TEXT_MUTED}>{t('client.model')}</dt>
      <dd>
        <CopyValue value={model} label={t('client.copySnippet', { name: model })} />
      </dd>
    </dl>
  )
}
