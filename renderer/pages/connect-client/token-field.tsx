import { Button, FormGroup } from '@blueprintjs/core'
import { Plus } from '@blueprintjs/icons'
import { Select } from '../../components/select.tsx'
import { useTranslation } from '../../translation.ts'
import type { Tokens } from './use-tokens.ts'

/** Selects or adds the token used in the examples, so that each program can have its own. */
export function TokenField({ tokens: { all, token, isAdding, choose, add } }: { tokens: Tokens }) {
  const { t } = useTranslation()
  return (
    <FormGroup label={t('client.token')} labelFor="client-token">
      <div className="client-token">
        <Select
          id="client-token"
          value={token?.id}
          options={all.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(event) => choose(Number(event.currentTarget.value))}
        />
        <Button
          icon={<Plus />}
          text={t('client.newToken')}
          title={t('client.newTokenHint')}
          loading={isAdding}
          onClick={add}
        />
      </div>
    </FormGroup>
  )
}
