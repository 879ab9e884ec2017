export { createSubmission, NewSubmission, submissionTypes } from './create.ts'
export {
  createSubmissionLink,
  deleteSubmissionLink,
  findSubmissionAddress,
  findSubmissionLink,
  getTeamOfLink,
  type SubmissionLink,
  submissionAddress,
  updateSubmissionLink,
} from './link.ts'
export { withdrawSubmission } from './withdraw.ts'
