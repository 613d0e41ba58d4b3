import type { ProxyCode } from '../../../shared/api/channel-runs.ts'
import type { VerdictCode } from '../../../shared/api/verdict.ts'

export const isFine = (code: VerdictCode | ProxyCode): boolean => ['ok', 'no_list', 'no_tool_call'].includes(code)
