import { useState } from 'react'
import { JsonField } from '../../components/json-field/json-field.tsx'
import { Presets } from '../../components/presets/presets.tsx'
import { QuotaInput } from '../../components/quota-input/quota-input.tsx'
import { TagListInput } from '../../components/tag-list-input/tag-list-input.tsx'
import { PasswordField } from '../../components/text-field/password-field.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'

export function Fields() {
  const [text, setText] = useState('')
  const [json, setJson] = useState('{"gpt-4o": }')
  const [names, setNames] = useState(['gpt-4o', 'a-model-with-quite-a-long-name-that-goes-on-2027-01-31'])
  const [quota, setQuota] = useState<number | undefined>(500_000)
  return (
    <div className="components-columns">
      <TextField label="TextField" value={text} onValue={setText} hint="A hint" />
      <TextField label="TextField with a problem" value={text} onValue={setText} error="This is needed" />
      <PasswordField label="PasswordField" name="secret" value={text} onValue={setText} autoComplete="new-password" />
      <Presets label="Presets" presets={[{ text: 'One', value: () => 'one' }]} onChoose={setText} />
      <JsonField label="JsonField" value={json} onChange={setJson} template='{"from": "to"}' hint="A map" />
      <JsonField label="JsonField with a problem" value="[1, 2" onChange={setJson} error="This must be a map" />
      <TagListInput label="TagListInput" values={names} onValues={setNames} suggestions={models} hint="Any name" />
      <TagListInput
        label="TagListInput of given names"
        values={[]}
        onValues={setNames}
        suggestions={models}
        allowsOthers={false}
        error="Choose at least one"
      />
      <QuotaInput label="QuotaInput" value={quota} onValue={setQuota} />
      <QuotaInput label="QuotaInput out of use" value={quota} onValue={setQuota} isDisabled />
    </div>
  )
}

const models = Array.from({ length: 240 }, (_, index) => `model-${index}`)
