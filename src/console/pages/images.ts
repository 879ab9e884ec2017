import { Elysia } from 'elysia'
import { invalidField } from '../../lib/errors.ts'
import { fieldErrorOf } from '../components/form/form.tsx'
import { access } from '../http/access.ts'
import type { ConsoleDeps, MemberRequest, SubmittedForm } from '../http/context.ts'
import { editorsWithFile, storeUploadedImage } from '../http/forms/image-form.ts'

/** Stores an image that a script sends as soon as somebody chooses, drops or pastes it. */
async function upload(context: MemberRequest): Promise<Response> {
  const bytes = context.files['image']
  if (!bytes) throw invalidField('/image', 'choose an image', 'required')
  const { url } = await storeUploadedImage(context, bytes)
  return Response.json({ url, path: new URL(url).pathname })
}

/** The error as a sentence, for the script. */
async function showError({ t }: MemberRequest, submitted: SubmittedForm): Promise<Response> {
  return Response.json({ error: fieldErrorOf(submitted, 'image', t('library.image')) })
}

/** The route for images that are uploaded before their form is sent. */
export const imagePages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .post('/images', upload, { role: editorsWithFile, renderWithErrors: showError })
