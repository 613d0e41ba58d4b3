import { Classes } from '@blueprintjs/core'
import type { ConnectClient } from '../../../shared/connect/client.ts'
import { CopyButton } from '../../components/copy-text/copy-button.tsx'
import { useTranslation } from '../../translation.ts'
import { quoted, type Target } from './snippets/snippet.ts'

type ByCommandProps = Readonly<{ client: ConnectClient; target: Target; maskedKey: string }>

/** The command that sets a program up where a browser cannot: it runs what is installed, and never fetches anything. */
export function ByCommand({ client, target, maskedKey }: ByCommandProps) {
  const { t } = useTranslation()
  const command = (key: string) =>
    `npx --no switchyard connect ${client.id} --url=${quoted(target.system, target.address)} --model=${quoted(target.system, target.model)} --key=${quoted(target.system, key)}`
  return (
    <section className="by-command" aria-label={t('client.byCommand')}>
      <p>
        {t('client.byCommand')}
        <br />
        <span className={Classes.TEXT_MUTED}>{t('client.byCommandHint', { program: client.name })}</span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by the keyboard, too */}
      <pre className={`${Classes.CODE_BLOCK} examples-code`} tabIndex={0}>
        {command(maskedKey)}
      </pre>
      <CopyButton text={command(target.key)} shown="npx" label={t('client.copyCommand')} />
    </section>
  )
}
