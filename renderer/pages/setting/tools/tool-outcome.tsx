import './tools.css'
import { Callout } from '@blueprintjs/core'

export type ToolResult = Readonly<{ isFine: boolean; text: string }>

export const ToolOutcome = ({ result }: { result: ToolResult | undefined }) => (
  <div className="setting-tool-result" role="status">
    {result && (
      <Callout compact intent={result.isFine ? 'success' : 'danger'}>
        {result.text}
      </Callout>
    )}
  </div>
)
