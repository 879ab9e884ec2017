import { join } from 'node:path'
import { loadAdapters } from '../../../integrations/index.ts'
import { testFixtures } from '../../support/fixtures.ts'

const directory = join(import.meta.dir, '../../../integrations')
for (const adapter of (await loadAdapters()).values()) testFixtures(adapter, directory)
