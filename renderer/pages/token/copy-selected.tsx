import { Button } from '@blueprintjs/core'
import { Duplicate } from '@blueprintjs/icons'
import { useTranslation } from 'react-i18next'
import type { TokenView } from '../../../shared/api/token.ts'
import { useCopy } from '../../components/copy-text/use-copy.tsx'
import { showWarning } from '../../components/toasts.ts'
import { keyOf } from '../../components/token-key.ts'

/** Copies the chosen tokens, a line each: name, four spaces, key (docs/reference/screens.md#tokens). */
export function CopySelected({ rows }: { rows: readonly TokenView[] }) {
  const { t } = useTranslation()
  const { copy, dialog } = useCopy()
  const n = rows.length
  const lines = () => rows.map((row) => `${row.name}    ${keyOf(row)}`).join('\n')
  const act = () => (n === 0 ? showWarning(t('token.select')) : copy(lines(), t('token.copiedSelected', { n })))
  return (
    <>
      <Button icon={<Duplicate />} text={t('token.copySelected', { n })} onClick={act} />
      {dialog}
    </>
  )
}
