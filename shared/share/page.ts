/** The console's page for sharing on the local network; the desktop's menu opens it. */
export const SHARE_PAGE = '/share'
