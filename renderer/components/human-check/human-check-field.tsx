import './human-check-field.css'
import { later } from '../later.tsx'
import type { HumanCheckState } from './use-human-check.ts'

/** Loaded separately, because most gateways do not use it. */
const HumanCheck = later(async () => (await import('./human-check.tsx')).HumanCheck)

export function HumanCheckField({ check: { isOn, round, siteKey, setToken } }: { check: HumanCheckState }) {
  if (!isOn) return null
  return (
    <div className="human-check-field">
      <HumanCheck key={round} siteKey={siteKey} onToken={setToken} />
    </div>
  )
}
