import { join } from 'node:path'
import { loadAdapters } from '../../integrations/index.ts'
import { testFixtures } from '../support/fixtures.ts'

for (const [slug, adapter] of await loadAdapters())
  testFixtures(adapter, join(import.meta.dir, '../../integrations', slug, 'fixtures'))
