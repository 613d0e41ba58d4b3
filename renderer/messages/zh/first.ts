export { failure } from '../../../shared/messages/zh/failure.ts'
export { label } from '../../../shared/messages/zh/label.ts'
export { frame } from './frame.ts'
