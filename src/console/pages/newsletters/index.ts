import { Elysia } from 'elysia'
import type { ConsoleDeps } from '../../http/context.ts'
import { approvalPages } from './approval.tsx'
import { newsletterChangePages } from './composer/changes.ts'
import { composerPages } from './composer/page.tsx'
import { reorderPages } from './composer/reorder.ts'
import { deleteNewsletterPages } from './delete.tsx'
import { duplicatePages } from './duplicate.ts'
import { coverAndTextsPages } from './elements/cover-and-texts.tsx'
import { elementPages } from './elements/element-pages.tsx'
import { sectionTitlePages } from './elements/section-title.tsx'
import { newsletterFilePages } from './export/files.ts'
import { exportPages } from './export/page.tsx'
import { phonePages } from './export/phone.tsx'
import { postToChatPages } from './export/post-to-chat.tsx'
import { sendPreviewPages } from './export/send-preview.tsx'
import { newsletterListPages } from './list.tsx'
import { newsletterLivePages } from './live.ts'
import { newNewsletterPages } from './new.tsx'

/** All routes below `/newsletters`. */
export const newsletterPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(approvalPages(deps))
    .use(newsletterListPages(deps))
    .use(newNewsletterPages(deps))
    .use(composerPages(deps))
    .use(newsletterChangePages(deps))
    .use(reorderPages(deps))
    .use(elementPages(deps))
    .use(coverAndTextsPages(deps))
    .use(sectionTitlePages(deps))
    .use(newsletterFilePages(deps))
    .use(newsletterLivePages(deps))
    .use(sendPreviewPages(deps))
    .use(phonePages(deps))
    .use(duplicatePages(deps))
    .use(exportPages(deps))
    .use(postToChatPages(deps))
    .use(deleteNewsletterPages(deps))
