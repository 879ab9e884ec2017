import { Elysia } from 'elysia'
import { access } from '../../http/access.ts'
import type { ConsoleDeps } from '../../http/context.ts'
import { once } from '../../http/forms/once.ts'
import { addNews, addSample, createFirstKey, hide, NewsForm, removeSample } from './actions.ts'
import { welcomePage } from './page.tsx'

const path = '/welcome'

/** Routes of the first steps. */
export const welcomePages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get(path, (context) => welcomePage(context), { role: 'admin' })
    .post(path, once(createFirstKey), { role: 'admin' })
    .post(`${path}/sample`, once(addSample), { role: 'admin' })
    .post(`${path}/sample/remove`, once(removeSample), { role: 'admin' })
    .post(`${path}/news`, once(addNews), {
      role: 'admin',
      body: NewsForm,
      renderWithErrors: welcomePage,
    })
    .post(`${path}/hide`, hide, { role: 'admin' })
