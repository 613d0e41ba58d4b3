import type { LineKind, ToolLine } from '../../../shared/receipt.ts'
import type { TextKey } from '../../i18n.ts'

export const lineNames: Readonly<Record<LineKind, TextKey>> = {
  prompt: 'log.line.prompt',
  cacheRead: 'log.line.cacheRead',
  cacheWrite: 'log.line.cacheWrite',
  cacheWriteHour: 'log.line.cacheWriteHour',
  image: 'log.line.image',
  textInput: 'log.line.textInput',
  audioInput: 'log.line.audioInput',
  completion: 'log.line.completion',
  audioOutput: 'log.line.audioOutput',
}

export const toolNames: Readonly<Record<ToolLine['kind'], TextKey>> = {
  webSearch: 'log.line.webSearch',
  fileSearch: 'log.line.fileSearch',
  codeContainer: 'log.line.codeContainer',
  audioInput: 'log.line.audioInput',
}
