export { findInstalledConnection } from './find.ts'
export { beginInstallation, completeInstallation, requireInstallationState } from './install.ts'
export {
  completeTokenRefresh,
  disconnectExpired,
  type ExpiringToken,
  saveRefreshProblem,
  startTokenRefresh,
} from './refresh.ts'
export { deleteToken, listTokensToRevoke, type TokenToRevoke } from './revoke.ts'
