-- People get an email when an account of a chat is linked to theirs.
alter table account_changes
  drop constraint account_changes_change_check,
  add check (change in (
    'passkey_added', 'passkey_removed', 'authenticator_added', 'authenticator_removed', 'backup_codes_created',
    'backup_code_used', 'password_changed', 'password_reset', 'password_link_made', 'sign_in_link_made',
    'second_factor_reset', 'identity_linked', 'identity_unlinked', 'credentials_replaced', 'chat_account_linked'));
