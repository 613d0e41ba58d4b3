import './set-up.css'
import { Button, Callout } from '@blueprintjs/core'
import type { DesktopConnect } from '../../../../shared/desktop.ts'
import { useTranslation } from '../../../translation.ts'
import { FileChanges } from './file-changes.tsx'
import { useMoved } from './use-moved.ts'

/**
 * Programs on this computer that are set up for a former address of the gateway: what would change, and a button that
 * updates them (docs/reference/connect.md#another-address), then the outcome.
 */
export function MovedPrograms({ connect }: { connect: DesktopConnect }) {
  const { t } = useTranslation()
  const { programs, plans, outcome, isBusy, plan, move, rest } = useMoved(connect)
  if (programs.length === 0 && outcome.length === 0) return null
  return (
    <section className="set-up" aria-label={t('moved.title')}>
      {programs.length > 0 && (
        <Callout compact intent="warning">
          <strong>{t('moved.count', { n: programs.length })}</strong>
          <ul className="set-up-programs">
            {programs.map(({ id, name, address }) => (
              <li key={id}>
                {name} <code>{address}</code>
              </li>
            ))}
          </ul>
        </Callout>
      )}
      <div role="status">
        {outcome.map(({ text, isGood }) => (
          <Callout compact key={text} intent={isGood ? 'success' : 'warning'}>
            {text}
          </Callout>
        ))}
      </div>
      {plans.flatMap((one) => one.plan.files.map((file) => <FileChanges key={file.path} file={file} />))}
      <div className="examples-foot">
        {plans.length > 0 && (
          <>
            <Button intent="primary" loading={isBusy} text={t('moved.write')} onClick={move} />
            <Button disabled={isBusy} text={t('setUp.cancel')} onClick={rest} />
          </>
        )}
        {plans.length === 0 && programs.length > 0 && (
          <Button intent="primary" loading={isBusy} text={t('moved.show')} onClick={plan} />
        )}
      </div>
    </section>
  )
}
