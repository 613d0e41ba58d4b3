import './tools.css'
import { Callout } from '@blueprintjs/core'

export type ToolResult = Readonly<{ isFine: boolean; text: string }>

/** Shows a test result; empty without one. */
export const ToolOutcome = ({ result }: { result: ToolResult | undefined }) => (
  <div className="setting-tool-result" role="status">
    {result && (
      <Callout compact intent={result.isFine ? 'success' : 'danger'}>
        {result.text}
      </Callout>
    )}
  </div>
)
