import { existsSync } from 'node:fs'

/** Files that Docker and Podman put into each container. */
const MARKS = ['/.dockerenv', '/run/.containerenv']

/** Whether this process runs in a container, whose files go with it unless a folder is mounted. */
export const isInContainer = (isThere: (path: string) => boolean = existsSync): boolean => MARKS.some(isThere)
