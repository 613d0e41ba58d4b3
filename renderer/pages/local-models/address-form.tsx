import { Button, Card, H2 } from '@blueprintjs/core'
import { useState } from 'react'
import { Form } from '../../components/form/form.tsx'
import { PasswordField } from '../../components/text-field/password-field.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { useTranslation } from '../../translation.ts'
import type { Search } from './use-search.ts'

export function AddressForm({ search }: { search: Search }) {
  const { t } = useTranslation()
  const [address, setAddress] = useState('')
  const [key, setKey] = useState('')
  const clear = () => {
    setAddress('')
    setKey('')
  }
  return (
    <Card className="local-models-card">
      <H2 className="local-models-heading">{t('localModels.elsewhereTitle')}</H2>
      <Form
        className="local-models-address"
        isBusy={search.isBusy}
        isDirty={address !== '' || key !== ''}
        onSubmit={() => {
          if (address.trim() !== '') search.probeAddress(address.trim(), key, clear)
        }}
      >
        <TextField
          label={t('localModels.address')}
          value={address}
          onValue={setAddress}
          hint={t('localModels.addressHint')}
          placeholder="192.168.1.20:11434"
          spellCheck={false}
          autoComplete="off"
        />
        <PasswordField
          label={t('localModels.optionalKey')}
          name="key"
          value={key}
          onValue={setKey}
          autoComplete="new-password"
        />
        <Button type="submit" text={t('localModels.ask')} disabled={address.trim() === '' || search.isBusy} />
      </Form>
    </Card>
  )
}
