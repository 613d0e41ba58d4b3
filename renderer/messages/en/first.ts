/** Texts of every first view: loaded as one file (renderer/i18n.ts). */
export { failure } from '../../../shared/messages/en/failure.ts'
export { label } from '../../../shared/messages/en/label.ts'
export { frame } from './frame.ts'
