export { disconnectAt, findInstalledConnection } from './find.ts'
export { beginInstallation, completeInstallation, requireInstallationState } from './install.ts'
export { completeTokenRefresh, type ExpiringToken, startTokenRefreshes } from './refresh.ts'
