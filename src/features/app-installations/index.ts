export { findInstalledConnection } from './find.ts'
export { beginInstallation, completeInstallation, requireInstallationState } from './install.ts'
export {
  completeTokenRefresh,
  disconnectExpired,
  type ExpiringToken,
  startTokenRefresh,
} from './refresh.ts'
