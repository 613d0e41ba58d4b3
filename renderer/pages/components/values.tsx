import { Band } from '../../components/band/band.tsx'
import { firstTokenSteps, responseTimeSteps, useTimeSteps } from '../../components/band/bands.ts'
import { CooldownFacts } from '../../components/cooldown/cooldown-facts.tsx'
import { CooldownTag } from '../../components/cooldown/cooldown-tag.tsx'
import { timed } from '../../components/cooldown/timed.ts'
import { CopyButton } from '../../components/copy-text/copy-button.tsx'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'
import { HashTag } from '../../components/hash-tag/hash-tag.tsx'
import { Sparkline } from '../../components/sparkline/sparkline.tsx'
import { StatusTag } from '../../components/status-tag/status-tag.tsx'
import { TimeText } from '../../components/time-text/time-text.tsx'

export function Values() {
  return (
    <>
      <div className="components-line">
        <StatusTag intent="success" text="Enabled" />
        <StatusTag intent="warning" text="Disabled automatically" tooltip="401 from the vendor, 2027-01-31 18:00:00" />
        <StatusTag intent="danger" text="Disabled" />
        <StatusTag intent="none" text="Unknown" />
        <TimeText at={1_801_414_800} />
        <TimeText at={0} />
      </div>
      <div className="components-line">
        {hues.map((text) => (
          <HashTag key={text} text={text} />
        ))}
      </div>
      <div className="components-line">
        {[0, 800, 2400, 4800, 9000].map((value) => (
          <Band key={value} value={value} steps={responseTimeSteps} format={(ms) => `${ms / 1000} s`} />
        ))}
        {[60, 200, 400].map((value) => (
          <Band key={value} value={value} steps={useTimeSteps} format={(seconds) => `${seconds} s`} />
        ))}
        {[1, 5, 12].map((value) => (
          <Band key={value} value={value} steps={firstTokenSteps} format={(seconds) => `${seconds} s`} />
        ))}
      </div>
      <div className="components-line">
        <Sparkline label="Requests of the last hours" values={[2, 4, 3, 9, 12, 7, 5, 0, 0, 3, 8, 6]} />
        <Sparkline label="Nothing yet" values={[0, 0, 0, 0]} />
        <Sparkline label="One value" values={[5]} />
        <CopyValue value="sk-a-key-for-show" shown="sk-…show" label="Copy the key" />
        <CopyButton text="copied" label="Copy" />
      </div>
      <div className="components-line">
        {cooldowns.map((cooldown) => (
          <CooldownTag key={cooldown.until} cooldown={cooldown} />
        ))}
      </div>
      {cooldowns.slice(0, 1).map((cooldown) => (
        <CooldownFacts key={cooldown.until} cooldown={cooldown} subject="gpt-4o" />
      ))}
    </>
  )
}

const cooled = { model: '', status: 429, message: 'slow down', failures: 2, failed_at: 1_801_414_800 } as const
/** Limited, failing, and probing. */
const cooldowns = timed(
  [
    { ...cooled, kind: 'limited', seconds: 1800 },
    { ...cooled, kind: 'failing', seconds: 41 },
    { ...cooled, kind: 'failing', seconds: 0 },
  ],
  Date.now(),
)

/** One name for each of the fifteen colours: consecutive character codes. */
const hues = Array.from({ length: 15 }, (_, index) => String.fromCharCode(97 + index))
