/** What the bot says in chats, in ICU MessageFormat. */
export const en = {
  review_title: '{count, plural, one {# new draft to review} other {# new drafts to review}}',
  review_by: 'by {author}',
  review_private_title: 'News from a private conversation',
  review_private: 'Read it in Tidings. It is not shown here, because it was not said in public.',
  review_approve: 'Approve',
  review_edit: 'Edit',
  review_decline: 'Decline',
  review_decline_title: 'Decline this draft?',
  review_decline_text:
    'It moves to the trash. Only the person who sent it hears of this, with thanks. It can be restored in Tidings for a day.',
  review_cancel: 'Cancel',
  review_approved: 'Approved by {person}',
  review_declined: 'Declined by {person}',
  review_approved_elsewhere: 'Approved in Tidings',
  review_declined_elsewhere: 'Removed in Tidings',
  review_approved_before:
    '{person} approved “{title}” a moment before you, so your choice was not applied.',
  review_declined_before:
    '{person} declined “{title}” a moment before you, so your choice was not applied.',
  review_approved_alike: '{person} approved “{title}” a moment before you, as you chose.',
  review_declined_alike: '{person} declined “{title}” a moment before you, as you chose.',
  review_approved_elsewhere_before: '“{title}” is approved already, so nothing was changed.',
  review_declined_elsewhere_before: '“{title}” was removed already, so nothing was changed.',
  review_conflict_approve:
    '{other} chose to approve “{title}” after {first} had declined it. The first choice counts.',
  review_conflict_decline:
    '{other} chose to decline “{title}” after {first} had approved it. The first choice counts.',
  review_done_approved: 'The draft is approved.',
  review_done_declined: 'The draft is declined. It can be restored in Tidings for a day.',
  review_missing: 'This draft does not exist any more, so nothing was changed.',
  review_changed:
    '“{title}” has changed since you read it, so nothing was decided. Please read the present text and choose again.',
  review_in_newsletter:
    'This draft is in a newsletter already. Remove it there first, then decline it.',
  review_not_linked:
    'Only editors of the newsletter can do this, and your account here belongs to no editor. Tidings recognizes you by your email address when it is the same here and there.',
  account_link:
    '{link} to say who you are in Tidings. The link works once, for 15 minutes, and is for you alone.',
  account_link_label: 'Link your account',
  review_viewer:
    'Only editors of the newsletter can do this. An admin of your team in Tidings can make you one.',
  published:
    '{count, plural, one {Your news is} other {Your news items are}} in the newsletter “{newsletter}”. Thank you for sharing.',
  published_thanked:
    '{count, plural, one {Somebody thanks you} other {People thank you}} in the newsletter “{newsletter}”.',
  published_both:
    '{count, plural, one {Your news is} other {Your news items are}} in the newsletter “{newsletter}”, and people thank you there. Thank you for sharing.',
  published_yours: 'Your news',
  published_thanks: 'Thanks to you',
  published_read: 'Read the newsletter',
  declined: 'Thank you for sending “{title}”. The editors have decided not to use it this time.',
  messages_off: 'Turn off these messages',
  messages_on: 'Turn on again',
  messages_are_off: 'You get no more messages about your news.',
  messages_off_for_team:
    'You want messages about your news again. At present nobody gets them: an admin of your newsletter has switched them off.',
  messages_are_on: 'You get messages about your news again.',
  submission_waiting: 'waiting for review',
  submission_approved: 'approved',
  submission_in_newsletter: 'in the next newsletter',
  submission_published: 'published',
  submission_not_used: 'not used this time, thank you for sending it',
  submission_deleted: 'News that is no longer stored',
  submissions_title: 'What became of your news',
  submissions_none:
    'You have not sent any news yet. Write, for example: {before}win We shipped version 2',
  next_title: 'Next newsletter',
  next_dated:
    '“{title}” is planned for {date}. It has {blocks, plural, one {# item} other {# items}} so far.',
  next_undated:
    '“{title}” is in preparation. It has {blocks, plural, one {# item} other {# items}} so far.',
  next_none: 'No newsletter is in preparation yet.',
  status_counts:
    '{drafts, plural, =0 {Nothing waits} one {# item waits} other {# items wait}} for review. {approved, plural, =0 {Nothing is} one {# item is} other {# items are}} approved for a newsletter.',
  write_news: 'Write news',
  mention_reply: 'You can save news for the newsletter here.',
  unread_reply:
    'I could not read this message, so it is not saved yet. The form contains what you wrote.',
  ask_win_what: 'What was achieved? One sentence is enough.',
  ask_news_what: 'What is the news? One sentence is enough.',
  ask_kudos_what: 'What do you want to thank them for?',
  ask_kudos_who: 'Whom do you want to thank?',
  ask_welcome_who: 'Who is starting, and in which role?',
  ask_mention: 'Mention me in your reply: I read nothing else in this channel.',
  nothing_saved: 'Nothing was saved.',
  prompt_question: 'What went well this week?',
  prompt_text:
    'A customer won, something shipped, somebody to thank: one sentence is enough. What you write waits for the editors of the newsletter.',
  prompts_off: 'Stop asking here',
  prompts_off_title: 'Stop these questions?',
  prompts_off_text:
    'No more questions are posted in this channel. Only editors of the newsletter can stop them.',
  prompts_on: 'Ask here again',
  prompts_stopped: 'These questions are switched off in this channel.',
  prompts_stopped_by: '{person} has switched these questions off in this channel.',
  reminder:
    '{question} You often have news for the newsletter, and there is still time for this issue.',
  reminders_off: 'No more reminders',
  reminders_on: 'Remind me again',
  reminders_are_off: 'You are not reminded any more.',
  reminders_are_on: 'You are reminded again.',
  home_prompts: 'Questions for news',
  home_prompt_replies:
    '“{question}” in {channel} on {date}: {count, plural, =0 {no replies} one {# reply} other {# replies}}',
  edit_title: 'Edit the draft',
  edit_open: 'Open in Tidings',
  edit_in_tidings: 'This form cannot show all of the text, so only the title can be changed here.',
  edit_saved: 'Your change is saved.',
  edit_conflict:
    '{person} changed “{title}” while you were writing, so your text was not saved. This is what you wrote:',
  edit_conflict_elsewhere:
    '“{title}” was changed while you were writing, so your text was not saved. This is what you wrote:',
  edit_conflict_first:
    '{person} was also writing “{title}” when you saved it. Your version counts, and {person} has been told so.',
  edit_reviewed:
    '“{title}” was reviewed while you were writing, so your text was not saved. This is what you wrote:',
  edit_written: 'This is what you wrote:',
  home_review: 'Waiting for your review',
  home_review_oldest: 'These are the oldest drafts. {link} has all of them.',
  home_review_none: 'No draft waits for a review.',
  home_welcome: 'News for the newsletter',
  command_help:
    '`/win We shipped version 2` saves a win for the newsletter.\n`/news`, `/kudos` and `/welcome` do the same for news, thanks and new colleagues.\nA command without text opens a form. To save a message, use “Add to newsletter” in its menu.\nEditors review what you save before it goes out.',
  too_long: 'This is too long (more than 64 KiB), so nothing was saved.',
  elsewhere: 'This command belongs to the newsletter of another workspace, so nothing was saved.',
  undo: 'Undo',
  undo_not_yours: 'Only the person who saved this can undo it.',
  in_library: 'Saved for the newsletter: {link}',
  in_library_already: 'This is saved for the newsletter already: {link}',
  undone: 'Removed: it will not be in the newsletter.',
  undone_kept: 'It is already in a newsletter, so it stays: {links}. Its editors can remove it.',
  not_saved: 'This was not saved. The admins of your newsletter can see why and repeat it.',
  not_public:
    'Only messages of public channels can be saved like this. Before you save another message, ask its author. Then write it in the form.',
  not_undone: 'This could not be undone. The admins of your newsletter can see why.',
  action_failed: 'This did not work. The admins of your newsletter can see why and repeat it.',
  done: 'Done.',
  form_title: 'Add to newsletter',
  form_save: 'Save',
  form_cancel: 'Cancel',
  form_field_title: 'Title',
  form_title_missing: 'Write a title.',
  form_title_too_long: 'The title is too long: it can have {max, number} characters.',
  form_field_text: 'Text',
  form_field_kind: 'Type',
  form_field_event: 'Event',
  form_no_event: 'None',
  type_general: 'News',
  type_ceo_update: 'Update from the CEO',
  type_team_spotlight: 'Team spotlight',
  type_new_starter: 'New starter',
  type_policy_change: 'Policy change',
  type_event_announcement: 'Event',
  type_wins_milestones: 'Win or milestone',
  type_poll: 'Poll',
  type_learning_development: 'Learning and development',
  form_private:
    'Warning: this message comes from a private conversation. Everyone who gets the newsletter can read what you save here. Ask its author first.',
  form_author: 'Written by {author}, who is named as its author.',
  form_image: 'The image of the message is saved, too.',
  form_shortened: 'The message is too long for a form: its end was removed.',
  not_opened: 'This did not open, so nothing was changed. Please use the button again.',
  form_not_opened:
    'The form did not open, so nothing was saved. Try again, or write your news after the command: `{before}win We shipped version 2`.',
  saved: 'Saved for the newsletter.',
  saved_link_follows: 'Saved. Its link will follow here in a moment.',
  saved_by_reaction:
    'Saved for the newsletter: {link}. Editors review it first. Remove the reaction within ten minutes to undo this.',
  nothing_written: 'There was no text, so nothing was saved.',
  elsewhere_server: 'This belongs to the newsletter of another server, so nothing was saved.',
  help_win: '`{before}win We shipped version 2` saves a win for the newsletter.',
  help_other:
    '`{before}news …`, `{before}kudos …` and `{before}welcome …` do the same for news, thanks and new colleagues.',
  help_review: 'Editors review what you save before it goes out.',
  form_everyone: 'Everyone who gets the newsletter can read this.',
  form_written_by: 'Written by {author}.',
  form_field_image: 'Image',
  form_image_hint: 'Delete the address to leave the image out.',
  form_field_alt: 'Description of the image',
  form_alt_hint: 'For people who cannot see it.',
  tidings_help:
    '`{command}next` shows the next newsletter, `{command}mine` what became of your news, and `{command}status` how much waits for review.\n`{command}off` stops messages about your news, and `{command}on` starts them again. `{command}link` links your account here with the one in Tidings.',
  tidings_help_commands:
    '`/win`, `/news`, `/kudos` and `/welcome` save something for the newsletter.',
} as const

export type ChatTexts = Readonly<Record<keyof typeof en, string>>
