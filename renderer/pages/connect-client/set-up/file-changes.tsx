import { Classes } from '@blueprintjs/core'
import type { ConnectPlannedFile, DiffLine } from '../../../../shared/connect/connect-protocol.ts'
import { useTranslation } from '../../../translation.ts'

/** The changes to a file: removed and added lines with their signs, and some context. */
export function FileChanges({ file: { path, isNew, lines } }: { file: ConnectPlannedFile }) {
  const { t } = useTranslation()
  return (
    <figure className="set-up-file" aria-label={t('setUp.changes', { path })}>
      <figcaption>
        <code>{path}</code>
        {isNew && <span className={Classes.TEXT_MUTED}> {t('setUp.new')}</span>}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines must scroll by keyboard */}
      <pre className={`${Classes.CODE_BLOCK} examples-code`} tabIndex={0}>
        <code className="set-up-lines">
          {lines.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other key and never move
            <Line key={at} {...line} />
          ))}
        </code>
      </pre>
    </figure>
  )
}

const signs = { kept: ' ', taken: '-', added: '+' } as const

/** Screen readers announce removals and additions. */
function Line({ kind, text }: DiffLine) {
  const line = `${signs[kind]} ${text}\n`
  if (kind === 'kept') return <span className="set-up-line">{line}</span>
  return kind === 'added' ? <ins className="set-up-line">{line}</ins> : <del className="set-up-line">{line}</del>
}
