/** What opens beside something, of Blueprint: one part of the build, which parts.tsx fetches. */
export { ContextMenuPopover, Menu, MenuDivider, MenuItem, Tooltip } from '@blueprintjs/core'
export { OpenPopover } from './open-popover.tsx'
